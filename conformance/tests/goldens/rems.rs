//! A knowledge base of Rems, read naively: plain text, one type, one back, as cases that bind expect them.

use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fs;

/// A Rem as a line of the corpus holds it.
#[derive(Debug, Deserialize)]
pub(crate) struct Rem {
    id: String,
    pub(crate) parent: Option<String>,
    #[serde(default)]
    pub(crate) children: Vec<String>,
    text: Vec<Value>,
    #[serde(default)]
    back: Vec<Value>,
    #[serde(default)]
    kinds: Vec<String>,
    practice: Option<String>,
    #[serde(default)]
    aliases: Vec<Vec<Value>>,
    row: Option<String>,
}

/// What the SDK finds, by what it was asked.
#[derive(Debug, Deserialize)]
pub(crate) struct Hits {
    pub(crate) search: BTreeMap<String, Vec<String>>,
    pub(crate) tag: BTreeMap<String, Vec<String>>,
}

/// Rems by id, and the SDK's hits.
#[derive(Debug)]
pub(crate) struct Base {
    pub(crate) rems: BTreeMap<String, Rem>,
    pub(crate) hits: Hits,
}

impl Base {
    /// Reads the corpus.
    pub(crate) fn read() -> Self {
        let folder = testing::corpus("remnote");
        let rems = fs::read_to_string(folder.join("rems.ndjson")).unwrap();
        let rems = rems.lines().map(|line| serde_json::from_str::<Rem>(line).unwrap());
        let hits = serde_json::from_str(&fs::read_to_string(folder.join("hits.json")).unwrap()).unwrap();
        Self { rems: rems.map(|rem| (rem.id.clone(), rem)).collect(), hits }
    }

    /// Everything that an answer says of a Rem, but for its content.
    pub(crate) fn item(&self, id: &str) -> Map<String, Value> {
        let rem = &self.rems[id];
        let mut item = rem.node();
        if let Some(parent) = &rem.parent {
            item.insert("parentRemId".to_owned(), json!(parent));
            item.insert("parentTitle".to_owned(), json!(plain(&self.rems[parent].text)));
        }
        item
    }

    /// The subtree below a Rem that has no rows and no empty leaves.
    pub(crate) fn tree(&self, id: &str, depth: u64, limit: u64) -> Vec<Value> {
        if depth == 0 {
            return Vec::new();
        }
        let node = |id: &String| {
            let rem = &self.rems[id];
            assert!(rem.row.is_none() && !rem.text.is_empty(), "{id} is nothing that a binding case may count");
            let mut node = rem.node();
            let children = self.tree(id, depth - 1, limit);
            if !children.is_empty() {
                node.insert("children".to_owned(), json!(children));
            }
            Value::Object(node)
        };
        self.rems[id].children.iter().take(limit as usize).map(node).collect()
    }

    /// How many Rems are below a Rem.
    pub(crate) fn below(&self, id: &str) -> u64 {
        self.rems[id].children.iter().map(|child| 1 + self.below(child)).sum()
    }

    /// The results of a search: the first of each Rem among twice as many hits, by rank, at most so many.
    pub(crate) fn found(&self, query: &str, limit: usize) -> Vec<String> {
        self.ranked(self.hits.search[query].iter().take(2 * limit).cloned().collect(), limit)
    }

    /// The results of a search by tag.
    pub(crate) fn tagged(&self, tag: &str, limit: usize) -> Vec<String> {
        let hits = &self.hits.tag[tag.trim_start_matches('#')];
        self.ranked(hits.iter().take(2 * limit).map(|hit| self.target(hit)).collect(), limit)
    }

    fn ranked(&self, found: Vec<String>, limit: usize) -> Vec<String> {
        let mut results: Vec<String> = Vec::new();
        for id in found {
            if !results.contains(&id) {
                results.push(id);
            }
        }
        let ranks = ["document concept", "dailyDocument", "portal", "descriptor", "text"];
        let rank = |id: &String| {
            let kind = self.rems[id].kind();
            ranks.iter().position(|rank| rank.split(' ').any(|name| name == kind)).unwrap()
        };
        results.sort_by_key(rank);
        results.truncate(limit);
        results
    }

    /// What a tagged Rem stands for.
    fn target(&self, tagged: &str) -> String {
        let mut above: Vec<&String> = Vec::new();
        while let Some(parent) = &self.rems[above.last().map_or(tagged, |id| id.as_str())].parent {
            above.push(parent);
        }
        let is_document = |id: &&&String| ["document", "dailyDocument"].contains(&self.rems[id.as_str()].kind());
        above.iter().find(is_document).or(above.first()).map_or(tagged.to_owned(), |id| (*id).clone())
    }
}

impl Rem {
    /// Its one type.
    fn kind(&self) -> &str {
        assert!(self.kinds.len() <= 1, "{} is several things at once", self.id);
        self.kinds.first().map_or("text", String::as_str)
    }

    fn node(&self) -> Map<String, Value> {
        let (title, back) = (plain(&self.text), plain(&self.back));
        let delimiter = match self.kind() {
            "concept" => "::",
            "descriptor" => ";;",
            _ => ">>",
        };
        let headline = if back.is_empty() { title.clone() } else { format!("{title} {delimiter} {back}") };
        let mut node = Map::new();
        node.insert("remId".to_owned(), json!(self.id));
        node.insert("title".to_owned(), json!(title));
        node.insert("headline".to_owned(), json!(headline));
        node.insert("remType".to_owned(), json!(self.kind()));
        if !self.aliases.is_empty() {
            node.insert("aliases".to_owned(), self.aliases.iter().map(|alias| plain(alias)).collect());
        }
        if let Some(practice) = self.practice.as_ref().filter(|practice| *practice != "none" && !back.is_empty()) {
            node.insert("cardDirection".to_owned(), json!(practice));
        }
        node
    }
}

/// The markdown of a tree.
pub(crate) fn print(nodes: &[Value], level: usize) -> String {
    let line = |node: &Value| {
        let children = node["children"].as_array().map_or(&[][..], Vec::as_slice);
        format!("{}- {}\n{}", "  ".repeat(level), node["headline"].as_str().unwrap(), print(children, level + 1))
    };
    nodes.iter().map(line).collect()
}

/// Text without formatting; what else there is in rich text is for cases that do not bind.
fn plain(pieces: &[Value]) -> String {
    let text = |piece: &Value| piece.as_str().or(piece["text"].as_str()).unwrap_or("?").to_owned();
    pieces.iter().map(text).collect()
}
