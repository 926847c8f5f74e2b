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
pub(crate) use received::Opened;
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

/// The changes of one legal answer, made in one reply after another.
pub(crate) struct Rewriter<'r> {
    rewritings: &'r [Rewriting],
    /// What is done to the list of tools. The schema that a server advertises for the answers of a tool follows it.
    of_lists: Vec<&'r Edit>,
    /// By tool, a schema and what became of it: the replies of one connection share their schemas.
    advertised: Vec<(&'r str, Arc<Value>, Arc<Value>)>,
}

impl<'r> Rewriter<'r> {
    /// `lists` are the operations that list tools.
    pub(crate) fn of(rewritings: &'r [Rewriting], lists: &[&str]) -> Self {
        let of_lists = rewritings.iter().filter(|one| one.of.iter().any(|name| lists.contains(&name.as_str())));
        Self { rewritings, of_lists: of_lists.map(|one| &one.edit).collect(), advertised: Vec::new() }
    }

    /// The reply as rewritten; nothing where no change applies to it. `opened` is what arrived in it.
    pub(crate) fn rewritten(&mut self, call: &Recorded, opened: &Opened, operation: &'r Operation) -> Option<RawReply> {
        let about: Vec<&Edit> =
            self.rewritings.iter().filter(|one| one.is_about(call)).map(|rewriting| &rewriting.edit).collect();
        if about.is_empty() && self.of_lists.is_empty() {
            return None;
        }
        let mut reply = call.reply.clone();
        change::make_all(&about, &mut reply, opened);
        if let (Received::Tool { output_schema, .. }, Some(McpBinding { tool: Some(tool), .. })) =
            (&mut reply.received, &operation.mcp)
            && !self.of_lists.is_empty()
        {
            *output_schema = self.advertised(tool, output_schema);
        }
        (reply != call.reply).then_some(reply)
    }

    fn advertised(&mut self, tool: &'r str, schema: &Arc<Value>) -> Arc<Value> {
        let is_same = |(of, before, _): &&(&str, Arc<Value>, Arc<Value>)| *of == tool && Arc::ptr_eq(before, schema);
        if let Some((_, _, after)) = self.advertised.iter().find(is_same) {
            return Arc::clone(after);
        }
        let mut after = Arc::clone(schema);
        self.of_lists.iter().for_each(|edit| advertise(&mut after, tool, edit));
        self.advertised.push((tool, Arc::clone(schema), Arc::clone(&after)));
        after
    }
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
