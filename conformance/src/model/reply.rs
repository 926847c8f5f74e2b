//! What arrived in answer to one call, before anything is made of it.

use super::{Failure, Problem};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::sync::Arc;

/// What one call brought, as it arrived. All that is judged is derived from it, so a stored one can be derived again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RawReply {
    /// What was sent, in the terms of the transport.
    pub sent: Value,
    /// When it was sent, RFC 3339.
    pub sent_at: String,
    /// How long the answer took, in seconds.
    pub elapsed: f64,
    /// What arrived.
    pub received: Received,
    /// What only the live connection can notice: noise before the answer, an answer to a request that was never made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<Problem>,
    /// Why nothing was asked, or the answer could not be read to its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
    /// How many bytes arrived, where not all of them are kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read: Option<usize>,
    /// Why the request had to be sent again, each time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub retried: Vec<String>,
}

/// What arrived over each kind of transport.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Received {
    /// Nothing.
    Nothing,
    /// A process ended, or was ended.
    Process {
        /// Its exit code, where it ended by itself.
        exit: Option<i32>,
        /// The signal that ended it.
        signal: Option<i32>,
        /// Its standard output.
        stdout: Body,
        /// The beginning of its standard error.
        stderr: Body,
    },
    /// An HTTP response.
    Response {
        /// Its status.
        status: u16,
        /// Its headers; a value that is not text is read lossily.
        headers: Map<String, Value>,
        /// Its body.
        body: Body,
    },
    /// The JSON-RPC response to a call of a tool.
    Tool {
        /// The message; nothing where none came.
        message: Option<Body>,
        /// The schema that the server advertises for the structured content of the tool.
        output_schema: Arc<Value>,
        /// The HTTP status that it came with, where it is judged.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        status: Option<u16>,
    },
    /// The JSON-RPC responses to `tools/list`.
    Tools {
        /// The result of `initialize`, where it is known.
        initialize: Option<Arc<Value>>,
        /// How the server keeps to the protocol beside tools, as far as it was asked: `ping` is its answer to one, `notified`
        /// its answer to a notification.
        #[serde(default, skip_serializing_if = "Map::is_empty")]
        beside: Map<String, Value>,
        /// One message for each page.
        pages: Vec<Body>,
    },
}

/// So many bytes are kept of the standard error of a process.
pub(crate) const KEPT_OF_STDERR: usize = 4096;
/// So many bytes are kept of an answer that is too large.
const KEPT_OF_TOO_LARGE: usize = 4096;

impl RawReply {
    /// What arrived, with nothing known of when and why.
    pub fn of(received: Received) -> Self {
        Self {
            sent: Value::Null,
            sent_at: String::new(),
            elapsed: 0.0,
            received,
            problems: Vec::new(),
            failure: None,
            read: None,
            retried: Vec::new(),
        }
    }

    /// With why it was not read to its end. An answer that is too large is not judged, so little of it is kept.
    pub(crate) fn broken_off(mut self, failure: Option<Failure>) -> Self {
        use Received::{Process, Response};
        if let (Some(Failure::TooLarge(_)), Process { stdout: body, .. } | Response { body, .. }) =
            (&failure, &mut self.received)
        {
            self.read = Some(body.0.len());
            body.0.truncate(KEPT_OF_TOO_LARGE);
            body.0.shrink_to_fit();
        }
        Self { failure, ..self }
    }

    /// How many bytes of the answer arrived.
    pub(crate) fn bytes(&self) -> usize {
        self.read.unwrap_or_else(|| self.received.bodies().iter().map(|body| body.0.len()).sum())
    }

    /// Without what arrived, for this reason.
    pub(crate) fn dropped(self, failure: Failure) -> Self {
        Self { read: Some(self.bytes()), received: Received::Nothing, failure: Some(failure), ..self }
    }
}

impl Received {
    /// The bytes that are kept of the answer itself.
    pub(crate) fn bodies(&self) -> &[Body] {
        match self {
            Self::Nothing => &[],
            Self::Process { stdout: body, .. } | Self::Response { body, .. } => std::slice::from_ref(body),
            Self::Tool { message, .. } => message.as_slice(),
            Self::Tools { pages, .. } => pages,
        }
    }
}

/// Bytes as they arrived. They are written as text, or in base64 where they are not UTF-8.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "WrittenBody", into = "WrittenBody")]
pub struct Body(pub Vec<u8>);

impl Body {
    /// As text; what is not UTF-8 is read as U+FFFD.
    pub fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.0)
    }

    /// The byte at which it stops being UTF-8. A character that is cut at the end of a part (`is_cut`) is none.
    pub(crate) fn not_utf8_at(&self, is_cut: bool) -> Option<usize> {
        let error = std::str::from_utf8(&self.0).err()?;
        (!is_cut || error.error_len().is_some()).then(|| error.valid_up_to())
    }
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum WrittenBody {
    Text(String),
    Bytes {
        #[serde(rename = "base64")]
        text: String,
    },
}

impl From<WrittenBody> for Body {
    fn from(written: WrittenBody) -> Self {
        Self(match written {
            WrittenBody::Text(text) => text.into_bytes(),
            // A log that somebody damaged is still a log.
            WrittenBody::Bytes { text } => STANDARD.decode(&text).unwrap_or_else(|_| text.into_bytes()),
        })
    }
}

impl From<Body> for WrittenBody {
    fn from(body: Body) -> Self {
        match String::from_utf8(body.0) {
            Ok(text) => Self::Text(text),
            Err(error) => Self::Bytes { text: STANDARD.encode(error.as_bytes()) },
        }
    }
}
