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

/// An error of the system, with what this machine lacks where it is that.
pub(super) fn reason(error: &io::Error) -> String {
    lacking(error).map_or_else(|| error.to_string(), |lacking| format!("this machine {lacking}: {error}"))
}

/// What this machine lacks for what it was asked to do, in words.
pub(super) fn lacking(error: &io::Error) -> Option<&'static str> {
    use rustix::io::Errno;
    let errno = Errno::from_raw_os_error(error.raw_os_error()?);
    match errno {
        Errno::MFILE | Errno::NFILE => Some("has no file handle left, so raise `ulimit -n` or ask with fewer --jobs"),
        Errno::ADDRNOTAVAIL | Errno::NOBUFS => Some("has no room for another connection"),
        Errno::NOMEM => Some("has no RAM left"),
        Errno::AGAIN => Some("cannot start another process, so raise `ulimit -u` or ask with fewer --jobs"),
        Errno::NOSPC | Errno::DQUOT => {
            Some("has no room left on its disk, so free some or set TMPDIR to another folder")
        }
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

#[cfg(test)]
mod tests {
    use super::reason;
    use rstest::rstest;
    use rustix::io::Errno;
    use std::io::Error;

    #[rstest]
    #[case(Errno::MFILE, "this machine has no file handle left")]
    #[case(Errno::NOSPC, "this machine has no room left on its disk")]
    #[case(Errno::AGAIN, "this machine cannot start another process")]
    #[case(Errno::NOENT, "No such file or directory")]
    fn what_this_machine_lacks_is_named(#[case] errno: Errno, #[case] named: &str) {
        let reason = reason(&Error::from_raw_os_error(errno.raw_os_error()));
        assert!(reason.starts_with(named), "{reason}");
    }
}
