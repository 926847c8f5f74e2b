//! What cases of later revisions of remnote expect of the corpus, of which those revisions have more, is computed again by a naive walk.

use crate::{json_file, root};
use regex::Regex;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use walkdir::WalkDir;

/// The Rems that the corpus has from the second revision on.
struct Rems(Vec<Value>);

impl Rems {
    fn read() -> Self {
        let lines = |name: &str| fs::read_to_string(root().join("fixtures/remnote/corpus").join(name)).unwrap();
        let all = ["rems.ndjson", "more.ndjson"].map(lines).concat();
        Self(all.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
    }

    fn rem(&self, id: &str) -> &Value {
        self.0.iter().find(|rem| rem["id"] == id).unwrap_or_else(|| panic!("no Rem is {id}"))
    }

    /// The tags of a Rem, each as its id or its name.
    fn tags(&self, id: &str, of: &str) -> BTreeSet<String> {
        let ids = self.rem(id)["tags"].as_array().into_iter().flatten().map(|tag| tag.as_str().unwrap());
        let told = |id: &str| if of == "tagRemId" { json!(id) } else { self.rem(id)["text"][0].clone() };
        ids.map(|id| told(id).as_str().unwrap().to_owned()).collect()
    }

    /// The Rems above one, the parent first.
    fn above(&self, id: &str) -> Vec<&str> {
        std::iter::successors(self.rem(id)["parent"].as_str(), |id| self.rem(id)["parent"].as_str()).collect()
    }
}

/// What a check with a list looks at: the step and its exchange, a Rem that it picks, and what of it.
struct Looked<'c> {
    step: &'c Value,
    exchange: usize,
    picked: Option<String>,
    of: String,
}

impl Looked<'_> {
    /// The value of an argument of the call.
    fn given(&self, argument: &str) -> &Value {
        let sweep = &self.step["sweep"];
        if sweep["argument"] == argument { &sweep["over"][self.exchange] } else { &self.step["with"][argument] }
    }

    /// The Rem that is picked, else the one that was read.
    fn rem(&self) -> &str {
        self.picked.as_deref().unwrap_or_else(|| self.given("remId").as_str().unwrap())
    }
}

/// Shows each check of a requirement whose list is of the form `ids`, `ancestors` or `tags` to a function, with the list; how many there are.
fn each(requirement: &str, told: impl Fn(&Looked<'_>, Vec<&str>)) -> usize {
    let form = Regex::new(r"^\$\[(\d+)\]\[(\d+)\]\.items\[(?:\?@\.remId == '(\w+)'|0|\*)\]\.(.+)$").unwrap();
    let files = WalkDir::new(root().join("fixtures/remnote/cases")).into_iter().map(|entry| entry.unwrap().into_path());
    let mut count = 0;
    for case in files.filter(|file| file.is_file()).map(|file| json_file(&file)) {
        for check in case["checks"].as_array().unwrap().iter().filter(|check| check["requirement"] == requirement) {
            let Some(due) = check["args"]["of"].as_array() else { continue };
            let Some(found) = check["select"].as_str().and_then(|select| form.captures(select)) else { continue };
            let looked = Looked {
                step: &case["steps"][found[1].parse::<usize>().unwrap()],
                exchange: found[2].parse().unwrap(),
                picked: found.get(3).map(|id| id.as_str().to_owned()),
                of: found[4].to_owned(),
            };
            told(&looked, due.iter().map(|one| one.as_str().unwrap()).collect());
            count += 1;
        }
    }
    count
}

#[test]
fn tags_in_cases_are_those_of_the_corpus() {
    let rems = Rems::read();
    let compared = each("remnote.tags", |looked, due| {
        // The third revision has the names alone.
        let of = looked.of.strip_prefix("tags[*]").unwrap().trim_start_matches('.');
        let due: BTreeSet<String> = due.into_iter().map(str::to_owned).collect();
        assert_eq!(rems.tags(looked.rem(), of), due, "{}: {of}", looked.rem());
    });
    assert_eq!(compared, 4, "lists of tags that were compared");
}

#[test]
fn ancestors_in_cases_are_what_a_naive_walk_finds() {
    let rems = Rems::read();
    let compared = each("remnote.ancestors", |looked, due| {
        assert_eq!(looked.of, "ancestors[*].remId");
        let mut above = rems.above(looked.rem());
        above.truncate(looked.given("ancestorDepth").as_u64().unwrap() as usize);
        assert_eq!(above, due, "{}", looked.rem());
    });
    assert_eq!(compared, 4, "lists of ancestors that were compared");
}

#[test]
fn what_is_below_a_rem_in_cases_is_what_a_naive_walk_finds() {
    let (rems, hits) = (Rems::read(), json_file(&root().join("fixtures/remnote/corpus/hits.json")));
    let compared = each("remnote.scope", |looked, due| {
        let scope = looked.given("parentRemId").as_str().unwrap();
        let hits = hits["search"][looked.given("query").as_str().unwrap()].as_array().unwrap();
        let hits = hits.iter().map(|id| id.as_str().unwrap());
        let below: BTreeSet<&str> = hits.filter(|id| rems.above(id).contains(&scope)).collect();
        assert_eq!(below, due.into_iter().collect(), "below {scope}");
    });
    assert_eq!(compared, 2, "lists of results that were compared");
}
