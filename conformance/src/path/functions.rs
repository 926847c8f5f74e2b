//! `match` and `search` of JSONPath. Those of the engine read their expression again for each value.

use regex::Regex;
use serde_json::Value;
use serde_json_path::functions::{LogicalType, ValueType};
use std::cell::RefCell;
use std::collections::HashMap;

/// So many expressions are kept; those of one suite are far fewer.
const MOST: usize = 500;

thread_local! {
    /// Expressions that were read, and nothing for those that are none.
    static READ: RefCell<HashMap<String, Option<Regex>>> = RefCell::default();
}

/// RFC 9535, 2.4.6: whether the whole of a text is as an expression says.
#[serde_json_path::function(name = "match")]
fn matches(value: ValueType, expression: ValueType) -> LogicalType {
    is_found(&value, &expression, |expression| format!("(?R)^({expression})$"))
}

/// RFC 9535, 2.4.7: whether a part of a text is.
#[serde_json_path::function(name = "search")]
fn searches(value: ValueType, expression: ValueType) -> LogicalType {
    is_found(&value, &expression, |expression| format!("(?R)({expression})"))
}

fn is_found(value: &ValueType<'_>, expression: &ValueType<'_>, whole: impl Fn(&str) -> String) -> LogicalType {
    let (Some(Value::String(text)), Some(Value::String(expression))) = (value.as_value(), expression.as_value()) else {
        return LogicalType::False;
    };
    let expression = whole(expression);
    let is_found = READ.with_borrow_mut(|read| {
        if read.len() >= MOST {
            read.clear();
        }
        let regex = read.entry(expression).or_insert_with_key(|expression| Regex::new(expression).ok());
        regex.as_ref().is_some_and(|regex| regex.is_match(text))
    });
    is_found.into()
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "what a test did not look for fails it where it stands")]

    use crate::path::Located;
    use crate::path::RelativePath;
    use rstest::rstest;
    use serde_json::json;

    #[rstest]
    #[case::the_whole("@[?match(@, 'a.')]", &["/0"])]
    #[case::a_part("@[?search(@, 'a.')]", &["/0", "/1"])]
    #[case::either_of_two_in_the_whole("@[?match(@, 'xaby|ab')]", &["/0", "/1"])]
    #[case::a_line_end_is_no_dot("@[?match(@, 'c.d')]", &[])]
    #[case::no_expression("@[?match(@, 'a(')]", &[])]
    #[case::again_no_expression("@[?search(@, 'a(') || search(@, '^x')]", &["/1"])]
    #[case::of_the_value_itself("@[?match(@[0], @[1])]", &["/4"])]
    fn expressions_are_those_of_the_standard(#[case] path: &str, #[case] due: &[&str]) {
        let value = json!(["ab", "xaby", "c\nd", 7, ["e", "[e]"]]);
        let node = Located { pointer: String::new(), value: &value };
        let found = RelativePath::parse(path).unwrap().values(&node);
        assert_eq!(found.iter().map(|node| node.pointer.as_str()).collect::<Vec<_>>(), due);
    }
}
