//! What goes out: a message, with what its era has it say in headers.

use super::mirrored;
use crate::model::Otherwise;
use serde_json::{Map, Value, json};

/// A message that goes out.
#[derive(Debug, Clone)]
pub(super) struct Outgoing {
    /// The id of a request.
    pub(super) id: u64,
    pub(super) message: Value,
    /// The headers that its era has it say over HTTP.
    pub(super) headers: Map<String, Value>,
}

impl Outgoing {
    /// The same with another id.
    pub(super) fn renumber(&mut self, id: u64) {
        // What was changed in the message stays, its id too.
        if self.message["id"] == self.id {
            self.message["id"] = id.into();
        }
        self.id = id;
    }

    /// Changes what a client of the protocol would not. `*` at the end of a name means this header, or any where there is none.
    pub(super) fn change(&mut self, otherwise: &Otherwise, header: Option<&str>) {
        if otherwise.message.is_object() {
            json_patch::merge(&mut self.message, &otherwise.message);
        }
        for (name, value) in &otherwise.headers {
            let is_meant = |known: &String| match name.strip_suffix('*') {
                Some(start) => known.starts_with(start) && header.is_none_or(|header| known == header),
                None => known == name,
            };
            match value {
                Value::Null => self.headers.retain(|known, _| !is_meant(known)),
                Value::Object(_) => {
                    let all = self.headers.iter_mut().filter(|(known, _)| is_meant(known));
                    all.for_each(|(_, value)| *value = mirrored::in_base64(value.as_str().unwrap_or_default()).into());
                }
                other if name.ends_with('*') => {
                    let all = self.headers.iter_mut().filter(|(known, _)| is_meant(known));
                    all.for_each(|(_, value)| *value = other.clone());
                }
                other => _ = self.headers.insert(name.clone(), other.clone()),
            }
        }
    }

    /// An answer to what the server asked.
    pub(super) fn plain(message: Value) -> Self {
        Self { id: 0, message, headers: Map::new() }
    }
}

/// What every modern request says of its client (2026-07-28, basic/index, `_meta`). It declares no capabilities.
pub(super) fn meta(revision: &str) -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": revision,
        "io.modelcontextprotocol/clientInfo": client(),
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

/// Who our client is.
pub(super) fn client() -> Value {
    json!({ "name": env!("CARGO_PKG_NAME"), "version": env!("CARGO_PKG_VERSION") })
}
