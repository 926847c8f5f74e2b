//! How a server is reached: a program that is started, or an address.

use super::connection::Wire;
use super::stdio::{Program, Stdio};
use super::web::Web;
use crate::model::Era;
use crate::transport::caller::Caller;
use crate::transport::tail::Heard;
use crate::transport::{Limits, TransportError};
use reqwest::Url;
use std::collections::BTreeMap;
use std::fmt;

/// How a server is reached.
#[derive(Debug, Clone)]
pub(super) enum Way {
    Program(Program),
    Address { caller: Caller, address: Url, headers: BTreeMap<String, String> },
}

impl Way {
    /// The same, where what a program says is kept apart from what others of its kind say.
    pub(super) fn apart(&self) -> Self {
        match self {
            Self::Program(program) => Self::Program(Program { errors: Heard::default(), ..program.clone() }),
            other @ Self::Address { .. } => other.clone(),
        }
    }

    /// Starts the server, when it is a program.
    pub(super) fn wire(&self, era: Era, limits: Limits) -> Result<Wire, TransportError> {
        Ok(match self {
            Self::Program(program) => Wire::Stdio(Stdio::start(program, era, limits)?),
            Self::Address { caller, address, .. } => {
                Wire::Web(Box::new(Web::new(caller.clone(), address.clone(), era, limits)))
            }
        })
    }
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Program(program) => f.write_str(&program.command.join(" ")),
            Self::Address { address, .. } => address.fmt(f),
        }
    }
}
