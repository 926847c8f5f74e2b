//! Objects beside each other, the parts of one, and the order of kinds.

use super::trial::try_rule;
use conformance::model::Verdict::{self, Fail, Pass, Skip};
use rstest::rstest;
use serde_json::{Value, json};

#[rstest]
#[case::equal(json!([{ "id": 1, "a": 5 }]), json!([{ "id": 1, "a": 5.0, "b": 7 }]), Pass)]
#[case::absent_in_both(json!([{ "id": 1 }]), json!([{ "id": 1 }]), Pass)]
#[case::different(json!([{ "id": 1, "a": 5 }]), json!([{ "id": 1, "a": 6 }]), Fail)]
#[case::absent_in_one(json!([{ "id": 1, "a": 5 }]), json!([{ "id": 1 }]), Fail)]
#[case::null_is_not_absent(json!([{ "id": 1, "a": null }]), json!([{ "id": 1 }]), Fail)]
#[case::another_thing(json!([{ "id": 1, "a": 5 }]), json!([{ "id": 2, "a": 6 }]), Skip)]
#[case::one_of_several(json!([{ "id": 1, "a": 5 }, { "id": 2, "a": 6 }]), json!([{ "id": 2, "a": 5 }]), Fail)]
#[case::without_a_key(json!([{ "a": 5 }]), json!([{ "a": 6 }]), Skip)]
fn things_told_twice(#[case] left: Value, #[case] right: Value, #[case] due: Verdict) {
    let select = json!({ "left": "$[0][0].answer.left[*]", "right": "$[0][0].answer.right[*]" });
    let args = json!({ "key": "id", "fields": ["a"] });
    assert_eq!(try_rule("agree", &select, &args, &json!({ "left": left, "right": right })).verdict, due);
}

#[rstest]
#[case::bold("**Rigging** gear", "Rigging gear", Pass)]
#[case::tags("<b>Rigging</b> gear", "*Rigging* `gear`", Pass)]
#[case::a_link("[Rigging](http://a.example/b) gear", "Rigging gear", Pass)]
#[case::less_than("Rigging < 5 > gear", "Rigging 5 gear", Pass)]
#[case::another_word("Rigging gear", "Rigging", Fail)]
#[case::a_path("Boat / Rigging gear", "Rigging gear", Fail)]
fn words_told_twice(#[case] left: &str, #[case] right: &str, #[case] expected: Verdict) {
    let select = json!({ "left": "$[0][0].answer.left[*]", "right": "$[0][0].answer.right[*]" });
    let args = json!({ "key": "id", "fields": ["a"], "words": ["a"] });
    let answer = json!({ "left": [{ "id": 1, "a": left }], "right": [{ "id": 1, "a": right }] });
    assert_eq!(try_rule("agree", &select, &args, &answer).verdict, expected);
}

#[rstest]
#[case::equal(json!([{ "id": 1, "a": [{ "b": 2 }] }]), json!([{ "id": 1, "a": [{ "b": 2.0, "c": 3 }], "d": 4 }]), Pass)]
#[case::different(json!([{ "id": 1, "a": 5 }]), json!([{ "id": 1, "a": 6 }]), Fail)]
#[case::absent_in_both(json!([{ "id": 1 }]), json!([{ "id": 1 }]), Pass)]
#[case::lost(json!([{ "id": 1, "a": 5 }]), json!([{ "id": 1 }]), Fail)]
#[case::made_up(json!([{ "id": 1 }]), json!([{ "id": 1, "a": 5 }]), Fail)]
#[case::either_of_two(json!([{ "id": 1, "a": 5 }, { "id": 1, "a": 6 }]), json!([{ "id": 1, "a": 6 }]), Pass)]
#[case::none_of_two(json!([{ "id": 1, "a": 5 }, { "id": 1, "a": 6 }]), json!([{ "id": 1, "a": 7 }]), Fail)]
#[case::a_stranger(json!([{ "id": 1, "a": 5 }]), json!([{ "id": 2, "a": 6 }]), Skip)]
#[case::some_did_not_come(json!([{ "id": 1, "a": 5 }, { "id": 2, "a": 6 }]), json!([{ "id": 2, "a": 6 }]), Pass)]
fn things_that_are_listed(#[case] listed: Value, #[case] came: Value, #[case] due: Verdict) {
    let args = json!({ "key": "id", "fields": ["a"], "of": listed });
    assert_eq!(try_rule("as-listed", &json!("$[0][0].answer[*]"), &args, &came).verdict, due);
}

#[test]
fn names_may_differ_on_the_right() {
    let select = json!({ "left": "$[0][0].answer.child", "right": "$[0][0].answer.parent" });
    let args = json!({ "key": ["of", "id"], "fields": [["called", "name"]] });
    let said = |name: &str| {
        let answer = json!({ "child": { "of": 1, "called": "x" }, "parent": { "id": 1, "name": name } });
        try_rule("agree", &select, &args, &answer).verdict
    };
    assert_eq!((said("x"), said("y")), (Pass, Fail));
}

#[rstest]
#[case::alone("T", "T", Pass)]
#[case::joined("T", "T :: b", Pass)]
#[case::two_delimiters("T", "T ;; b :: c", Pass)]
#[case::a_title_that_holds_one("T :: x", "T :: x ;; b", Pass)]
#[case::another_delimiter("T", "T >> b", Fail)]
#[case::no_spaces("T", "T::b", Fail)]
#[case::nothing_behind("T", "T :: ", Fail)]
#[case::white_space_behind("T", "T :: \t", Pass)]
#[case::another_beginning("T", "U :: b", Fail)]
#[case::no_title("", ":: b", Skip)]
fn parts_of_a_line(#[case] first: &str, #[case] whole: &str, #[case] due: Verdict) {
    let select = json!({ "value": "$[0][0].answer" });
    let args = json!({ "first": "first", "whole": "whole", "by": ["::", ";;"] });
    assert_eq!(try_rule("joined", &select, &args, &json!({ "first": first, "whole": whole })).verdict, due);
}

#[test]
fn only_what_has_more_to_say_is_looked_at() {
    let select = json!({ "value": "$[0][0].answer" });
    let args = json!({ "first": "first", "whole": "whole", "by": ["::"], "only": true });
    assert_eq!(try_rule("joined", &select, &args, &json!({ "first": "T", "whole": "T" })).verdict, Skip);
}

#[rstest]
#[case::in_order(json!(["a", "b", "a", "c", "c"]), Pass)]
#[case::out_of_order(json!(["c", "a"]), Fail)]
#[case::far_apart(json!(["a", "c", "b"]), Fail)]
#[case::one(json!(["a"]), Skip)]
#[case::unknown_ones_are_passed_over(json!(["a", "?", "b"]), Pass)]
fn ranks(#[case] values: Value, #[case] due: Verdict) {
    let select = json!({ "value": "$[0][0].answer[*]" });
    let args = json!({ "ranks": [["a", "b"], ["c"]] });
    assert_eq!(try_rule("in-rank-order", &select, &args, &values).verdict, due);
}

#[rstest]
#[case::apart(json!([1, 2]), json!([3]), Pass)]
#[case::common(json!([1, 2]), json!([2.0]), Fail)]
#[case::nothing(json!([]), json!([3]), Skip)]
fn none_of(#[case] part: Value, #[case] whole: Value, #[case] due: Verdict) {
    let select = json!({ "part": "$[0][0].answer.part[*]", "whole": "$[0][0].answer.whole[*]" });
    assert_eq!(try_rule("none-of", &select, &json!({}), &json!({ "part": part, "whole": whole })).verdict, due);
}
