//! How memory can answer otherwise and still as its document says.

use super::ranges::Ranges;
use crate::json::JsonObject;
use serde_json::Value;
use std::borrow::Cow;
use strum::{EnumString, VariantNames};

/// What `--variant` can name, each for a legal answer of the suite.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub(crate) enum Variant {
    /// A match holds every word of the query.
    EveryWord,
    /// Numbers may be texts or null, numbers outside their range are read as the nearest in it, and other names are ignored.
    Forgiving,
    /// Only entries come that score at least nine tenths of what the best one does.
    CloseToTheBest,
    /// What says the same as a better result is left out.
    EachTextOnce,
    /// The newest context is not among those that are found.
    LatestApart,
    /// An entry has the time at which the server stored it.
    StoredLater,
    /// Where few entries match, others of the memory follow.
    Nearest,
    /// The tool has another name, and takes the memory by the name of the document.
    OtherTool,
}

impl Variant {
    /// The arguments of a search as this variant reads them; `known` are their names.
    pub(super) fn read<'a>(
        self,
        arguments: &'a JsonObject,
        Ranges { entries, contexts }: &Ranges,
        known: [&str; 4],
    ) -> Cow<'a, JsonObject> {
        if self != Self::Forgiving {
            return Cow::Borrowed(arguments);
        }
        let of_number = |name: &str, value: &Value| {
            let number = value.as_i64().or_else(|| value.as_str()?.parse().ok())?;
            Some(match name {
                "top_ke" => number.clamp(*entries.start(), *entries.end()),
                // The document refuses 0.
                _ if number == 0 => number,
                _ => number.clamp(*contexts.start(), *contexts.end()),
            })
        };
        let kept = arguments.iter().filter(|(name, value)| known.contains(&name.as_str()) && !value.is_null());
        let read = kept.map(|(name, value)| {
            let is_number = name.starts_with("top_");
            let number = is_number.then(|| of_number(name, value)).flatten();
            (name.clone(), number.map_or_else(|| value.clone(), Value::from))
        });
        Cow::Owned(read.collect())
    }
}
