//! Why a request over HTTP was not answered.

use crate::model::Failure;
use std::io;

/// Why a request was not answered: what this machine cannot do is no fault of the server.
pub(super) fn failure(error: &reqwest::Error) -> Failure {
    match causes(error).find_map(|error| error.downcast_ref::<io::Error>()).and_then(lacking) {
        Some(lacking) => Failure::Hindered(format!("this machine {lacking}: {}", chain(error))),
        None => Failure::Broken(chain(error)),
    }
}

/// What this machine lacks for what it was asked to do, in words.
fn lacking(error: &io::Error) -> Option<&'static str> {
    use rustix::io::Errno;
    let errno = Errno::from_raw_os_error(error.raw_os_error()?);
    match errno {
        Errno::MFILE | Errno::NFILE => Some("has no file handle left, so raise `ulimit -n` or ask with fewer --jobs"),
        Errno::ADDRNOTAVAIL | Errno::NOBUFS | Errno::NOMEM => Some("has no room for another connection"),
        _ => None,
    }
}

/// What caused an error, the nearest cause first.
pub(super) fn causes(error: &reqwest::Error) -> impl Iterator<Item = &(dyn std::error::Error + 'static)> {
    std::iter::successors(std::error::Error::source(error), |error| error.source())
}

/// An error with its causes, without the address, which may hold a secret.
pub(super) fn chain(error: &reqwest::Error) -> String {
    causes(error).fold("the request failed".to_owned(), |message, cause| format!("{message}: {cause}"))
}
