//! What a text says, by its words.

use super::trial::try_rule;
use conformance::model::Verdict::{self, Fail, Pass};
use rstest::rstest;
use serde_json::{Value, json};

#[rstest]
#[case::a_number(json!(["top_ke (0-10)"]), json!([["10"], ["0", "zero"]]), Pass)]
#[case::not_a_part_of_a_number(json!(["at most 100"]), json!([["10"]]), Fail)]
#[case::a_number_of_a_schema(json!([{ "default": 5 }]), json!([["default"], ["5"]]), Pass)]
#[case::the_start_of_a_word(json!(["sorted, Descending"]), json!([["descend*"]]), Pass)]
#[case::not_the_middle_of_a_word(json!(["creationTime"]), json!([["time*"]]), Fail)]
#[case::words_in_a_row(json!(["the highest score first"]), json!([["highest score"]]), Pass)]
#[case::words_apart(json!(["the highest of scores"]), json!([["highest scores"]]), Fail)]
#[case::a_name_that_begins_another(json!(["latestContextTimestamp"]), json!([["latestContext"]]), Fail)]
#[case::texts_are_read_together(json!(["one", ["two\nthree"]]), json!([["one"], ["three"]]), Pass)]
#[case::no_text(json!([]), json!([["one"]]), Fail)]
fn says(#[case] values: Value, #[case] all: Value, #[case] due: Verdict) {
    let said = try_rule("says", &json!("$[0][0].answer[*]"), &json!({ "all": all }), &values);
    assert_eq!(said.verdict, due, "{}", said.why);
}

#[test]
fn one_mention_is_enough() {
    let mentioned = |answer| try_rule("mentioned", &json!("$[0][0].answer[*]"), &json!({ "word": "top_ke" }), &answer);
    assert_eq!(mentioned(json!([{ "error": "Bad Request" }, "top_ke is too large"])).verdict, Pass);
    assert_eq!(mentioned(json!(["Bad Request"])).verdict, Fail);
}
