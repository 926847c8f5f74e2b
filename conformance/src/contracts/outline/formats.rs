//! The formats that a list advertises. "Phase 3" of the outline document.

use crate::model::Detail;
use crate::rules::{Input, Ruling, validity};
use serde_json::{Value, json};

/// The schema of the arguments allows a call without a format, and one with each. Other arguments that it requires are the
/// server's own.
pub(super) fn formats_allowed(input: &Input<'_, '_>) -> Ruling {
    let Some(node) = input.one("value").filter(|node| node.value.is_object()) else {
        return Ruling::skip("no schema is advertised");
    };
    let mut schema = node.value.clone();
    if let Some(Value::Array(required)) = schema.get_mut("required") {
        required.retain(|name| name == "format");
    }
    let (mut exercised, mut details) = (0, Vec::new());
    for arguments in
        [json!({}), json!({ "format": "full" }), json!({ "format": "compact" }), json!({ "format": "minimal" })]
    {
        match validity(&schema, &arguments) {
            None => {}
            Some(true) => exercised += 1,
            Some(false) => {
                exercised += 1;
                details.push(Detail::new(format!("the schema forbids a call with {arguments}")).at(&node.pointer));
            }
        }
    }
    match exercised {
        0 => Ruling::skip("the schema cannot be used"),
        _ => Ruling::of(exercised, details),
    }
}
