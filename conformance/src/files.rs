//! Files that somebody names: of bounded size, and of a kind whose reading ends.

use std::fs::{self, File, FileType};
use std::io::{self, Read};
use std::path::Path;

/// More than any file has that is read as a whole: target files, schemas, cases, goldens, certificates.
const MOST_BYTES: u64 = 64 << 20;

/// Opens a file. A pipe that is open already can be read too, such as standard input.
///
/// # Errors
/// When it cannot be opened, or is a folder, or is of a kind that may never answer, such as a named pipe.
pub fn open(path: &Path) -> io::Result<File> {
    let kind = fs::metadata(path)?.file_type();
    let found = if kind.is_dir() { Some("a folder") } else { waiting(kind, path) };
    match found {
        Some(found) => {
            Err(io::Error::new(io::ErrorKind::InvalidInput, format!("it is {found}, and a regular file is expected")))
        }
        None => File::open(path),
    }
}

/// The bytes of a file.
///
/// # Errors
/// When it cannot be opened or read, or has more than 64 MiB.
pub fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES {
        let message = format!("it has more than {} MiB, and so much is never expected", MOST_BYTES >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

/// The text of a file.
///
/// # Errors
/// The same, and when it is not UTF-8.
pub fn text(path: &Path) -> io::Result<String> {
    let not_utf8 = |_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8");
    String::from_utf8(bytes(path)?).map_err(not_utf8)
}

/// What a file is whose opening or reading may wait for ever. An anonymous pipe has no path of its own, so that
/// `/dev/stdin` and what a shell substitutes for `<(…)` are not such files.
#[cfg(unix)]
fn waiting(kind: FileType, path: &Path) -> Option<&'static str> {
    use std::os::unix::fs::FileTypeExt;
    if kind.is_fifo() && fs::canonicalize(path).is_ok() {
        return Some("a named pipe");
    }
    kind.is_socket().then_some("a socket")
}

#[cfg(not(unix))]
fn waiting(_: FileType, _: &Path) -> Option<&'static str> {
    None
}
