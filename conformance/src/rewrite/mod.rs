//! Recorded replies → what another correct program would have sent.
//!
//! `change` reads what a legal answer says into edits, `values` and `lines` make them, `received` opens the answers that they
//! are made in, and `answer` gives another answer altogether.

mod answer;
mod change;
mod lines;
mod received;
mod values;

use crate::model::{McpBinding, Operation, RawReply, Received, Recorded, Rewrite};
use crate::text::typed::Misread;
use change::Edit;
use serde_json::{Value, json};
use std::sync::Arc;

/// A change of replies, ready to be made.
#[derive(Debug, Clone)]
pub(crate) struct Rewriting {
    /// The operations whose replies it changes.
    pub(crate) of: Vec<String>,
    asked: Option<Arc<jsonschema::Validator>>,
    edit: Edit,
}

impl Rewriting {
    /// Reads a change; `of` are the operations of its legal answer.
    pub(crate) fn read(rewrite: &Rewrite, of: &[String]) -> Result<Self, Misread> {
        let asked = rewrite.asked.as_ref().map(|schema| change::validator(schema, "/asked")).transpose()?;
        let of = if rewrite.of.is_empty() { of } else { &rewrite.of };
        Ok(Self { of: of.to_vec(), asked, edit: Edit::read(rewrite)? })
    }

    fn is_about(&self, call: &Recorded) -> bool {
        let with = || Value::Object(call.with.clone());
        self.of.contains(&call.operation) && self.asked.as_ref().is_none_or(|asked| asked.is_valid(&with()))
    }
}

/// The reply as rewritten; nothing where no change applies to it.
///
/// The schema that a server advertises for the answers of a tool follows what is done to its list of tools, whose operations
/// are `lists`.
pub(crate) fn rewritten(
    call: &Recorded,
    operation: &Operation,
    rewritings: &[Rewriting],
    lists: &[&str],
) -> Option<RawReply> {
    let mut reply = call.reply.clone();
    for rewriting in rewritings.iter().filter(|rewriting| rewriting.is_about(call)) {
        rewriting.edit.make(&mut reply);
    }
    if let (Received::Tool { output_schema, .. }, Some(McpBinding { tool: Some(tool), .. })) =
        (&mut reply.received, &operation.mcp)
    {
        let of_lists = rewritings.iter().filter(|one| one.of.iter().any(|name| lists.contains(&name.as_str())));
        of_lists.for_each(|rewriting| advertise(output_schema, tool, &rewriting.edit));
    }
    (reply != call.reply).then_some(reply)
}

/// Does to the output schema of a tool what is done to the list of tools.
fn advertise(schema: &mut Arc<Value>, tool: &str, edit: &Edit) {
    let mut listed = json!({ "tools": [{ "name": tool }] });
    if !schema.is_null() {
        listed["tools"][0]["outputSchema"] = Value::clone(schema);
    }
    edit.make_in(&mut listed);
    let fresh = listed["tools"][0]["outputSchema"].take();
    if fresh != **schema {
        *schema = Arc::new(fresh);
    }
}

#[cfg(test)]
mod tests;
