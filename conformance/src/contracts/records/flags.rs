//! A flag that does not exist. "Edge inclusion control" of the records document.

use crate::model::Detail;
use crate::rules::{Input, Ruling};
use serde_json::Value;

/// Each call on the right is refused, or prints the lines of the call on the left: a flag that a program passes over changes
/// nothing.
pub(super) fn refused_or_same(input: &Input<'_, '_>) -> Ruling {
    let (mut exercised, mut details) = (0, Vec::new());
    for (left, right) in input.all("left").iter().zip(input.all("right")) {
        if left.value["status"] != "accepted" {
            return Ruling::incomplete(Detail::new("the call without the flag was not accepted").at(&left.pointer));
        }
        exercised += 1;
        match right.value["status"].as_str() {
            Some("refused") => {}
            Some("accepted") if left.value["lines"] == right.value["lines"] => {}
            Some("accepted") => {
                let lines = |node: &Value| node["lines"].as_array().cloned().unwrap_or_default();
                let (left, came) = (lines(left.value), lines(right.value));
                let at = left.iter().zip(&came).take_while(|(left, came)| left == came).count();
                let shown = |lines: &[Value]| lines.get(at).cloned().unwrap_or_default();
                details.push(
                    Detail::new("the flag changes the output")
                        .at(format!("{}/lines/{at}", right.pointer))
                        .compare(shown(&left), shown(&came)),
                );
            }
            _ => details.push(Detail::new("the call failed, neither answered nor refused").at(&right.pointer)),
        }
    }
    match exercised {
        0 => Ruling::skip("no call to compare"),
        _ => Ruling::of(exercised, details),
    }
}
