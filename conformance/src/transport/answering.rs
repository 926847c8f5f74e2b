//! Whether a server answers at an address yet.

use super::broken::{causes, chain};
use super::caller::Caller;
use super::web::{self, HttpOptions};
use reqwest::{Method, Url};
use std::io::{self, ErrorKind};
use std::time::Duration;

/// How long one look may take. A server that is about to end may have taken the connection.
const LOOK: Duration = Duration::from_secs(5);

/// An address that is looked at until a server answers there.
#[derive(Debug)]
pub(crate) struct Answering {
    caller: Caller,
    address: Url,
}

/// An answer to a look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Look {
    /// It has this status.
    Status(u16),
    /// It is not HTTP.
    NoHttp,
}

impl Answering {
    /// An address that nothing is sent to yet.
    pub(crate) fn new(address: &str, options: &HttpOptions<'_>) -> Result<Self, String> {
        let (caller, address) = web::client(address, options)?;
        Ok(Self { caller, address })
    }

    /// The address.
    pub(crate) fn address(&self) -> &Url {
        &self.address
    }

    /// Asks once; why there is no answer.
    pub(crate) async fn look(&self) -> Result<Look, String> {
        match self.caller.once(&Method::GET, &self.address, |request| request.timeout(LOOK)).await {
            Ok(response) => Ok(Look::Status(response.status().as_u16())),
            Err(error) if is_answer(&error) => Ok(Look::NoHttp),
            Err(error) if error.is_timeout() => Err(format!("it does not answer within {} s", LOOK.as_secs())),
            Err(error) => Err(chain(&error)),
        }
    }
}

/// Whether a request failed by what the server sent: what is no HTTP, or a certificate that is not trusted.
fn is_answer(error: &reqwest::Error) -> bool {
    causes(error).any(|cause| {
        cause.downcast_ref::<hyper::Error>().is_some_and(hyper::Error::is_parse)
            || cause.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == ErrorKind::InvalidData)
    })
}
