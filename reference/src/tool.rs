//! A tool that a contract offers to models, over any transport.

use crate::json::JsonObject;
use serde_json::Value;
use std::borrow::Cow;
use std::fmt::Display;
use std::sync::Arc;

/// A tool as a client reads it. None of ours changes anything or looks beyond its corpus.
pub(crate) struct Tool {
    /// No other contract has a tool of this name.
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) description: Cow<'static, str>,
    /// The JSON Schema of the arguments.
    pub(crate) input: JsonObject,
    /// The JSON Schema of the answer, where it is always JSON.
    pub(crate) output: Option<JsonObject>,
    pub(crate) call: Call,
}

/// From arguments to an answer, or to a message about them in plain words.
pub(crate) type Call = Box<dyn Fn(&JsonObject) -> Result<Answer, String> + Send + Sync>;

/// The answer to a call.
#[derive(Debug, PartialEq)]
pub(crate) enum Answer {
    /// An object, as structured content and as text.
    Json(Value),
    /// One block of text.
    Text(String),
}

/// A call that is answered from data which other tools share.
pub(crate) fn over<D, E>(data: &Arc<D>, answer: fn(&D, &JsonObject) -> Result<Answer, E>) -> Call
where
    D: Send + Sync + 'static,
    E: Display + 'static,
{
    let data = Arc::clone(data);
    Box::new(move |arguments| answer(&data, arguments).map_err(|refusal| refusal.to_string()))
}

/// A schema of arguments with the names that a tool gives them.
pub(crate) fn renamed(mut schema: JsonObject, name: impl Fn(&str) -> String) -> JsonObject {
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        *properties = std::mem::take(properties).into_iter().map(|(key, value)| (name(&key), value)).collect();
    }
    if let Some(Value::Array(required)) = schema.get_mut("required") {
        required.iter_mut().for_each(|key| *key = name(key.as_str().unwrap_or_default()).into());
    }
    schema
}

/// A schema of the suite for clients: without the address of its file, examples from a corpus, and notes for the judge.
pub(crate) fn schema(text: &str) -> JsonObject {
    let mut schema: JsonObject =
        serde_json::from_str(text).expect("schemas are compiled in, and every test reads them");
    schema.retain(|key, _| !["$schema", "$id", "title", "examples"].contains(&key.as_str()));
    for property in
        schema.get_mut("properties").and_then(Value::as_object_mut).into_iter().flat_map(|all| all.values_mut())
    {
        property.as_object_mut().into_iter().for_each(|keywords| keywords.retain(|key, _| !key.starts_with("x-")));
    }
    schema
}
