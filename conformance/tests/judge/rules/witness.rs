//! A search with the words of items finds at least one of them.

use crate::tea;
use conformance::model::Verdict::{self, Fail, Pass, Skip};
use rstest::rstest;
use serde_json::{Value, json};

const WORDS: [&str; 3] = ["lantern", "harbour", "velvet"];

fn item(id: usize) -> Value {
    json!({ "id": id, "text": format!("the {} of all", WORDS[id % 3]) })
}

fn exchange(with: Value, ids: &[usize]) -> Value {
    let items: Vec<Value> = ids.iter().copied().map(item).collect();
    json!({ "status": "accepted", "request": { "operation": "brew", "with": with }, "answer": {}, "items": items })
}

#[rstest]
#[case::each(vec![vec![0], vec![1], vec![2]], Pass)]
#[case::among_others(vec![vec![5, 0], vec![], vec![]], Pass)]
#[case::one(vec![vec![], vec![], vec![2]], Pass)]
#[case::nothing(vec![vec![], vec![], vec![]], Fail)]
#[case::the_others(vec![vec![1], vec![2], vec![0]], Fail)]
#[case::a_full_page(vec![vec![3, 6, 9], vec![], vec![]], Skip)]
fn one_word_that_finds_its_item_is_enough(#[case] found: Vec<Vec<usize>>, #[case] verdict: Verdict) {
    let searches: Vec<Value> =
        WORDS.iter().zip(&found).map(|(word, ids)| exchange(json!({ "leaf": word }), ids)).collect();
    let evidence = json!([[exchange(json!({}), &[0, 1, 2])], searches]);
    let check = json!({
        "select": { "words": "$[1][*].request.with.leaf", "own": "$[0][0].items[*]", "found": "$[1][*].items[*]" },
        "rule": "words-find",
        "args": { "in": ["text"], "key": "id", "page": 3 }
    });
    let steps = json!([{ "call": "brew" }, { "call": "brew", "sweep": { "argument": "leaf", "over": WORDS } }]);
    assert_eq!(tea::judged(&steps, check, &evidence).verdict, verdict);
}
