//! What cases of remnote expect of the corpus is computed again by a naive walk over its Rems.

use crate::rems::{Base, print};
use crate::{json_file, root};
use serde_json::{Value, json};
use std::fs;
use walkdir::WalkDir;

#[test]
fn goldens_are_what_a_naive_walk_finds() {
    let folder = root().join("fixtures/remnote/goldens");
    let mut files: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    files.sort();
    assert_eq!(files, ["atlas-nodes.json", "stair-nodes.json"], "each golden is computed here");
    // Aliases and directions of nodes are optional.
    let mut atlas = json!(base().tree("rAtlas", 5, 100));
    keep_what_is_owed(&mut atlas);
    assert_eq!(json_file(&folder.join("atlas-nodes.json")), atlas);
    assert_eq!(json_file(&folder.join("stair-nodes.json")), json!(base().tree("rDeep", 5, 20)));
}

fn keep_what_is_owed(nodes: &mut Value) {
    for node in nodes.as_array_mut().unwrap() {
        let node = node.as_object_mut().unwrap();
        node.remove("aliases");
        node.remove("cardDirection");
        node.get_mut("children").into_iter().for_each(keep_what_is_owed);
    }
}

#[test]
fn outlines_in_cases_are_what_a_naive_walk_finds() {
    let base = base();
    let compared = each_check(|case, check| {
        let due = check["args"]["is"].as_str()?;
        let call = Call::of(case, check);
        assert_eq!(due, print(&base.tree(&call.rem(&base), call.depth(), call.child_limit()), 0), "{}", case["about"]);
        Some(())
    });
    assert!(compared > 10, "{compared} outlines were compared");
}

#[test]
fn fields_in_cases_are_what_a_naive_walk_finds() {
    let base = base();
    let compared = each_check(|_, check| {
        let facts = check["args"]
            .get("all")
            .or(check["args"].get("of"))?
            .as_array()?
            .iter()
            .filter(|fact| fact["remId"].is_string());
        let mut facts = facts.peekable();
        facts.peek()?;
        for fact in facts {
            let item = base.item(fact["remId"].as_str().unwrap());
            for (name, due) in fact.as_object().unwrap() {
                assert_eq!(item.get(name), Some(due), "{name} of {}", fact["remId"]);
            }
        }
        Some(())
    });
    assert!(compared > 10, "facts of {compared} checks were compared");
}

#[test]
fn what_must_be_absent_in_cases_is_absent_in_the_corpus() {
    let base = base();
    let compared = each_check(|case, check| {
        let select = check["select"].as_str().filter(|_| check["rule"] == "absent" && !case["needs"].is_null())?;
        let (ids, field) = select.split_once("[?").and_then(|(_, rest)| rest.split_once("]."))?;
        for id in ids.split('\'').skip(1).step_by(2) {
            assert!(!base.item(id).contains_key(field), "{id} has {field}");
        }
        Some(())
    });
    assert!(compared > 5, "{compared} checks were compared");
}

#[test]
fn results_in_cases_are_what_a_naive_search_finds() {
    let base = base();
    let compared = each_check(|case, check| {
        let is_ids = check["select"].as_str()?.ends_with(".items[*].remId");
        let is_all = check["requirement"] == "remnote.search-hits";
        let due = check["args"][if is_all { "all" } else { "of" }].as_array().filter(|_| is_ids)?;
        assert_eq!(json!(due), json!(Call::of(case, check).results(&base)), "{}", case["about"]);
        Some(())
    });
    assert_eq!(compared, 8, "lists of results that were compared");
}

#[test]
fn chains_in_cases_are_in_the_order_that_a_naive_search_finds() {
    let base = base();
    let compared = each_check(|case, check| {
        let chains = check["args"]["chains"].as_array()?;
        let results = Call::of(case, check).results(&base);
        for chain in chains {
            let place = |id: &Value| results.iter().position(|result| *id == **result).unwrap();
            assert!(chain.as_array().unwrap().iter().map(place).is_sorted(), "{chain}");
        }
        Some(())
    });
    assert_eq!(compared, 3, "checks with chains that were compared");
}

#[test]
fn trimmed_results_are_the_first_ones_sorted_before_or_after() {
    let base = base();
    let case = case("search/trimmed");
    let permitted: Vec<Vec<&str>> = case["checks"][0]["schema"]["anyOf"].as_array().unwrap().iter().map(ids).collect();
    let hits = &base.hits.search["quay"];
    let mut unique: Vec<&str> = Vec::new();
    for id in hits {
        if !unique.contains(&id.as_str()) {
            unique.push(id);
        }
    }
    let mut cut: Vec<String> = unique[..3].iter().map(|id| (*id).to_owned()).collect();
    let all = base.found("quay", 50);
    cut.sort_by_key(|id| all.iter().position(|other| other == id));
    assert_eq!(json!(permitted), json!([base.found("quay", 3), cut]));
}

/// The ids that a schema of a list asks for.
fn ids(list: &Value) -> Vec<&str> {
    let entries = list["allOf"].as_array().unwrap();
    entries.iter().map(|entry| entry["contains"]["properties"]["remId"]["const"].as_str().unwrap()).collect()
}

#[test]
fn totals_in_cases_are_what_a_naive_count_finds() {
    let base = base();
    let compared = each_check(|case, check| {
        let total = check["select"].as_str()?.ends_with(".childrenTotal");
        let due = check.get("equals").filter(|due| total && **due != json!(2000))?;
        assert_eq!(json!(base.below(&Call::of(case, check).rem(&base))), *due, "{}", case["about"]);
        Some(())
    });
    assert!(compared >= 6, "{compared} totals were compared");
    let totals = ["rTotal1999", "rTotal2000", "rTotal2001", "rTotal2300"].map(|id| base.below(id));
    assert_eq!(totals, [1999, 2000, 2001, 2300]);
    assert_eq!(case("content/totals")["checks"][0]["args"]["of"], json!(&totals[..2]));
}

#[test]
fn the_corpus_reaches_beyond_every_default() {
    let base = base();
    let length = |id: &str, depth, limit| print(&base.tree(id, depth, limit), 0).chars().count();
    assert!(base.found("lantern", 50).len() == 50 && base.found("lantern", 51).len() == 51);
    assert!(base.tagged("lantern", 50).len() == 50 && base.tagged("lantern", 51).len() == 51);
    assert!(base.tree("rDeep", 6, 100) != base.tree("rDeep", 5, 100));
    assert!(base.tree("rWide", 1, 101).len() == 101);
    assert!(length("rLong", 1, 20) > 3_100);
    assert!(length("rHuge", 5, 100) > 101_000);
}

#[test]
fn every_hit_is_a_rem_that_is_no_row() {
    let base = base();
    for id in base.hits.search.values().chain(base.hits.tag.values()).flatten() {
        assert!(base.rems.contains_key(id), "{id}");
    }
    for (id, rem) in &base.rems {
        let parent = rem.parent.as_ref().map(|parent| &base.rems[parent]);
        assert!(parent.is_none_or(|parent| parent.children.contains(id)), "{id} is no child of its parent");
        assert!(rem.children.iter().all(|child| base.rems[child].parent.as_ref() == Some(id)), "children of {id}");
    }
}

#[test]
fn every_query_of_a_case_of_the_corpus_has_recorded_hits() {
    let base = base();
    each_check(|case, _| {
        let steps = case["steps"].as_array().filter(|_| !case["needs"].is_null())?;
        for query in steps.iter().filter_map(|step| step["with"]["query"].as_str()) {
            assert!(base.hits.search.contains_key(query), "{query}");
        }
        Some(())
    });
}

/// The call that a check looks at first.
struct Call {
    operation: String,
    with: Value,
}

impl Call {
    fn of(case: &Value, check: &Value) -> Self {
        let path = check["each"].as_str().or(check["select"].as_str()).unwrap();
        let mut parts = path.split(['[', ']']).filter(|part| !part.is_empty() && *part != "$");
        let mut number = || parts.next().and_then(|part| part.split(',').next().unwrap().parse::<usize>().ok());
        let (step, exchange) = (number().unwrap(), number().unwrap_or(0));
        let step = &case["steps"][step];
        let mut with = step["with"].clone();
        if let Some(argument) = step["sweep"]["argument"].as_str() {
            with[argument] = step["sweep"]["over"][exchange].clone();
        }
        Self { operation: step["call"].as_str().unwrap().to_owned(), with }
    }

    fn number(&self, name: &str, search: u64, read: u64) -> u64 {
        self.with[name].as_u64().unwrap_or(if self.operation == "read-note" { read } else { search })
    }

    fn depth(&self) -> u64 {
        self.number("depth", 1, 5)
    }

    fn child_limit(&self) -> u64 {
        self.number("childLimit", 20, 100)
    }

    fn results(&self, base: &Base) -> Vec<String> {
        let limit = self.number("limit", 50, 0) as usize;
        match self.with["query"].as_str() {
            Some(query) => base.found(query, limit),
            None => base.tagged(self.with["tag"].as_str().unwrap(), limit),
        }
    }

    /// The Rem that is read, or the only one that is found.
    fn rem(&self, base: &Base) -> String {
        match self.with["remId"].as_str() {
            Some(id) => id.to_owned(),
            None => {
                let results = self.results(base);
                assert_eq!(results.len(), 1, "{}", self.with);
                results[0].clone()
            }
        }
    }
}

/// Shows each check of each case to a function; how many it had something to say of.
fn each_check(told: impl Fn(&Value, &Value) -> Option<()>) -> usize {
    let files = WalkDir::new(root().join("fixtures/remnote/cases")).into_iter().map(|entry| entry.unwrap().into_path());
    let cases = files.filter(|file| file.is_file()).filter_map(|file| at_first(json_file(&file)));
    let cases: Vec<Value> = cases.collect();
    let checks =
        cases.iter().flat_map(|case| case["checks"].as_array().unwrap().iter().map(move |check| (case, check)));
    checks.filter_map(|(case, check)| told(case, check)).count()
}

/// What the first revision has of a value: the corpus of later ones holds more than what is walked here.
fn at_first(value: Value) -> Option<Value> {
    match value {
        Value::Object(mut members) => {
            let since = members.remove("since").and_then(|since| since.as_u64()).unwrap_or(1);
            members.remove("until");
            if since > 1 {
                return None;
            }
            if let Some(item) = members.remove("$item") {
                return at_first(item);
            }
            if let Some(values) = members.remove("$at") {
                return values.get("1").cloned().and_then(at_first);
            }
            Some(members.into_iter().filter_map(|(key, value)| Some((key, at_first(value)?))).collect())
        }
        Value::Array(items) => Some(items.into_iter().filter_map(at_first).collect()),
        other => Some(other),
    }
}

fn case(name: &str) -> Value {
    json_file(&root().join("fixtures/remnote/cases").join(name).with_extension("json"))
}

fn base() -> Base {
    Base::read()
}
