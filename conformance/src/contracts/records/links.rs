//! The links that are printed beside those of the store. "Edge inclusion control" of the records document.

use crate::model::Detail;
use crate::rules::{Input, Ruling, brief};
use serde::Deserialize;
use serde_json::Value;

/// The links of a store.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Links {
    of: Vec<Link>,
    /// The types that say the same from either end.
    mutual: Vec<String>,
}

/// A link of the front matter has a type. The text of a note gives its links none, so a program may print any.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Link {
    from: String,
    to: String,
    #[serde(rename = "type")]
    kind: Option<String>,
}

/// Each edge is a link of the store.
///
/// An edge that is printed from the far end of its link is one too, as `supported-by`; but its type is not that of the link, unless
/// the type is mutual.
pub(super) fn linked(args: &Links, input: &Input<'_, '_>) -> Ruling {
    let edges = input.all("value");
    let details = edges.iter().filter_map(|edge| {
        let problem = args.problem(edge.value)?;
        Some(Detail::new(format!("{}: {problem}", brief(edge.value))).at(&edge.pointer))
    });
    match edges {
        [] => Ruling::skip("no link was printed"),
        _ => Ruling::of(edges.len(), details.collect()),
    }
}

impl Links {
    /// What is wrong with an edge.
    fn problem(&self, edge: &Value) -> Option<String> {
        let between = |from: &str, to: &str| {
            self.of.iter().filter(|link| edge[from] == link.from && edge[to] == link.to).collect::<Vec<_>>()
        };
        let (there, back) = (between("from", "to"), between("to", "from"));
        let is_of_type = |link: &&Link| link.kind.as_ref().is_none_or(|kind| edge["type"] == *kind);
        match (there.first(), back.first()) {
            (None, None) => Some("the store does not link the two notes".to_owned()),
            (Some(_), _) if there.iter().any(is_of_type) => None,
            (Some(link), None) => link.kind.as_ref().map(|kind| format!("the type of the link is {kind}")),
            (_, Some(_)) => {
                let turned = back.iter().filter_map(|link| link.kind.as_ref()).find(|kind| edge["type"] == **kind);
                let turned = turned.filter(|kind| !self.mutual.contains(kind))?;
                Some(format!("the link that {turned} leads from the second note to the first one"))
            }
        }
    }
}
