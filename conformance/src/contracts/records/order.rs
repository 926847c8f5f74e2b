//! The order of record lines. "Edge inclusion control" and the examples of the records document.

use crate::model::Detail;
use crate::rules::{Input, Ruling, brief};
use serde::Deserialize;
use serde_json::Value;
use std::collections::HashMap;
use strum::AsRefStr;

/// The records that are judged, by their prefix, and the field that names their note.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Named {
    kind: Kind,
    key: Key,
    /// The line of the note that comes first, where it is not the N line.
    #[serde(default)]
    after: Option<Kind>,
}

#[derive(Deserialize, AsRefStr)]
enum Kind {
    S,
    E,
    B,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Key {
    Id,
    From,
    /// The end of an edge that is printed first: the document does not say from which end an edge is shown.
    Either,
}

impl Key {
    /// The fields that may name the note.
    fn fields(&self) -> &'static [&'static str] {
        match self {
            Self::Id => &["id"],
            Self::From => &["from"],
            Self::Either => &["from", "to"],
        }
    }
}

/// A record of one kind comes after the N line, or the line named by `after`, of the note that it names, when that is printed
/// at all, and an edge after the S line too.
pub(super) fn after_its_note(args: &Named, input: &Input<'_, '_>) -> Ruling {
    let (kind, fields) = (args.kind.as_ref(), args.key.fields());
    let mut exercised = 0;
    let mut details = Vec::new();
    for node in input.all("value") {
        let records = node.value.as_array().map_or(&[][..], Vec::as_slice);
        let mut firsts: HashMap<(&str, &str), &Value> = HashMap::new();
        for record in records {
            if let (Some(kind), Some(id)) = (record["kind"].as_str(), record["id"].as_str()) {
                firsts.entry((kind, id)).or_insert(record);
            }
        }
        for (at, record) in records.iter().enumerate().filter(|(_, record)| record["kind"] == kind) {
            let first = |wanted, field: &str| firsts.get(&(wanted, record[field].as_str()?)).copied();
            let last_of_note = |field: &&str| match &args.after {
                Some(line) => first(line.as_ref(), field),
                None => {
                    let note = first("N", field)?;
                    Some(if kind == "E" { first("S", field).unwrap_or(note) } else { note })
                }
            };
            let Some(before) = fields.iter().filter_map(last_of_note).min_by_key(|record| record["line"].as_u64())
            else {
                continue;
            };
            exercised += 1;
            if before["line"].as_u64() > record["line"].as_u64() {
                let of = format!(
                    "the {} line of {}, line {}",
                    before["kind"].as_str().unwrap_or("N"),
                    brief(&before["id"]),
                    before["line"]
                );
                let message = format!("line {} comes before {of}", record["line"]);
                details.push(Detail::new(message).at(format!("{}/{at}", node.pointer)));
            }
        }
    }
    match exercised {
        0 => Ruling::skip(format!("no {kind} line names a note that is printed")),
        _ => Ruling::of(exercised, details),
    }
}
