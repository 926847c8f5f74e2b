//! The tool of the {{name}} contract.

use super::search::Items;
use crate::tool::{Answer, Tool, over, schema};
use std::sync::Arc;

pub(super) fn tools(items: &Arc<Items>) -> Vec<Tool> {
    vec![Tool {
        name: "search_{{name}}",
        title: "Search items",
        description: "Finds the items whose text holds a query.".into(),
        input: schema(include_str!("../../../schemas/{{name}}/search.input.schema.json")),
        output: Some(schema(include_str!("../../../schemas/{{name}}/search.output.schema.json"))),
        call: over(items, |items, arguments| items.search(arguments).map(Answer::Json)),
    }]
}
