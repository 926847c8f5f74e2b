//! Files that we write: checked before the work begins, whole or as they were.

use anyhow::{Context, Result, bail};
use std::fs::{self, File, FileType, Metadata, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile};

/// The beginning of the names of files that are not whole yet.
const PART: &str = ".retrieval-contracts-";

/// Whether a file is one that we are writing, or that an interrupted process of ours left behind.
pub(crate) fn is_part(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(PART))
}

/// Where a path leads.
enum Target {
    /// To a file, there or not: what a link names is written, and not the link.
    File(PathBuf),
    /// To what cannot be replaced: a device, a pipe, a file that is open already, as `/dev/stdout` is.
    Stream,
}

/// Makes sure that these files can be written, each with its name for messages. Missing folders are made.
///
/// # Errors
/// When one of them cannot be written, or two are the same.
pub(crate) fn check<'p>(files: impl IntoIterator<Item = (String, &'p Path)>) -> Result<()> {
    let mut known: Vec<(String, PathBuf)> = Vec::new();
    for (name, path) in files {
        let Some(file) = possible(path).with_context(|| format!("{name} cannot be written to {}", path.display()))?
        else {
            continue;
        };
        if let Some((other, _)) = known.iter().find(|(_, known)| *known == file) {
            bail!("{other} and {name} are the same file, {}: give each its own", path.display());
        }
        known.push((name, file));
    }
    Ok(())
}

/// Makes sure that files can be written to a folder. It is made if it is missing.
///
/// # Errors
/// When they cannot.
pub(crate) fn check_folder(folder: &Path) -> Result<()> {
    let made = fs::create_dir_all(folder).and_then(|()| part(folder, None));
    made.map(drop).with_context(|| format!("nothing can be written to the folder {}", folder.display()))
}

/// Writes a file. What was there stays until all of it is written; missing folders are made.
///
/// # Errors
/// When it cannot be written.
pub(crate) fn write_with(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    written(path, write).with_context(|| format!("{} cannot be written", path.display()))
}

/// Begins a file that is written piece by piece, in place of what was there. Nothing for what cannot be replaced.
///
/// # Errors
/// When it cannot be written.
pub(crate) fn begin(path: &Path, bytes: &[u8]) -> Result<Option<File>> {
    let begun = || -> io::Result<Option<File>> {
        let Target::File(target) = target(path)? else { return Ok(None) };
        fs::create_dir_all(folder(&target))?;
        let old = fs::metadata(&target).ok();
        let mut part = part(folder(&target), old.as_ref().map(Metadata::permissions))?;
        part.write_all(bytes)?;
        Ok(Some(part.persist(&target)?))
    };
    match begun() {
        // The file may be ours to write where its folder is not: it is written at the end.
        Err(error) if is_denied(&error) => Ok(None),
        begun => begun.with_context(|| format!("{} cannot be written", path.display())),
    }
}

/// The same with bytes.
pub(crate) fn write(path: &Path, bytes: impl AsRef<[u8]>) -> Result<()> {
    write_with(path, |file| file.write_all(bytes.as_ref()))
}

/// Adds to the end of a file, such as the summary of a job.
///
/// # Errors
/// When it cannot be written.
pub(crate) fn append(path: &Path, text: impl AsRef<[u8]>) -> Result<()> {
    let file = match fs::metadata(path) {
        Ok(there) if !there.is_file() => stream(path),
        _ => File::options().create(true).append(true).open(path),
    };
    let added = file.and_then(|mut file| file.write_all(text.as_ref()));
    added.with_context(|| format!("{} cannot be written", path.display()))
}

fn written(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let through = |file: &File| {
        let mut file = BufWriter::new(file);
        write(&mut file)?;
        file.flush()
    };
    let target = match target(path)? {
        Target::Stream => return through(&stream(path)?),
        Target::File(target) => target,
    };
    let (folder, old) = (folder(&target), fs::metadata(&target).ok());
    fs::create_dir_all(folder)?;
    let part = match part(folder, old.as_ref().map(Metadata::permissions)) {
        // The file may be ours to write where its folder is not.
        Err(error) if old.is_some() && is_denied(&error) => return through(&File::create(&target)?),
        part => part?,
    };
    through(part.as_file())?;
    part.persist(&target)?;
    Ok(())
}

fn target(path: &Path) -> io::Result<Target> {
    let mut target = path.to_owned();
    // As many links as systems follow.
    for _ in 0..40 {
        if ["/proc", "/dev/fd"].iter().any(|open| target.starts_with(open)) {
            return Ok(Target::Stream);
        }
        let Ok(next) = fs::read_link(&target) else { break };
        target = folder(&target).join(next);
    }
    match fs::metadata(path) {
        Ok(there) if !there.is_file() && !there.is_dir() => Ok(Target::Stream),
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(Target::File(target)),
    }
}

/// The file that would be replaced, for comparisons; nothing for what takes several writers.
fn possible(path: &Path) -> io::Result<Option<PathBuf>> {
    let refused = |message: String| Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    if path == Path::new("-") {
        return refused("name a file; standard output is /dev/stdout".to_owned());
    }
    let target = match target(path)? {
        Target::File(target) => target,
        Target::Stream => {
            return match unwritable(fs::metadata(path)?.file_type()) {
                Some(kind) => refused(format!("it is {kind}, and a file is expected")),
                None => {
                    // Its reader would take the end of this for the end of all.
                    std::mem::forget(stream(path)?);
                    Ok(None)
                }
            };
        }
    };
    match fs::metadata(&target) {
        Ok(old) if old.is_dir() => refused("it is a folder: name a file in it".to_owned()),
        Ok(_) => {
            File::options().append(true).open(&target)?;
            target.canonicalize().map(Some)
        }
        Err(_) => {
            let is_folder = target.as_os_str().as_encoded_bytes().ends_with(b"/");
            let Some(name) = target.file_name().filter(|_| !is_folder) else {
                return refused("it is the path of a folder: name a file in it".to_owned());
            };
            fs::create_dir_all(folder(&target))?;
            part(folder(&target), None)?;
            Ok(Some(folder(&target).canonicalize()?.join(name)))
        }
    }
}

/// Opens what cannot be replaced. A pipe that nobody reads is refused: to open it waits for a reader.
#[cfg(unix)]
fn stream(path: &Path) -> io::Result<File> {
    use rustix::fs::OFlags;
    use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
    let mut options = File::options();
    options.append(true);
    if !fs::metadata(path)?.file_type().is_fifo() {
        return options.open(path);
    }
    let at_once = options.custom_flags(OFlags::NONBLOCK.bits().cast_signed()).open(path);
    let file = at_once.map_err(|error| match error.raw_os_error() {
        Some(code) if code == rustix::io::Errno::NXIO.raw_os_error() => {
            io::Error::new(io::ErrorKind::NotConnected, "it is a pipe that nobody reads: start its reader first")
        }
        _ => error,
    })?;
    // From here on, what is written waits for the reader.
    rustix::fs::fcntl_setfl(&file, rustix::fs::fcntl_getfl(&file)? - OFlags::NONBLOCK)?;
    Ok(file)
}

#[cfg(not(unix))]
fn stream(path: &Path) -> io::Result<File> {
    File::options().append(true).open(path)
}

#[cfg(unix)]
fn unwritable(kind: FileType) -> Option<&'static str> {
    use std::os::unix::fs::FileTypeExt;
    if kind.is_socket() {
        return Some("a socket");
    }
    kind.is_block_device().then_some("a disk")
}

#[cfg(not(unix))]
fn unwritable(_: FileType) -> Option<&'static str> {
    None
}

/// A new file in a folder, with these permissions, or those that any new file gets.
fn part(folder: &Path, permissions: Option<Permissions>) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(PART);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(Permissions::from_mode(0o666));
    }
    let part = builder.tempfile_in(folder)?;
    if let Some(permissions) = permissions {
        // Before anything is in it.
        part.as_file().set_permissions(permissions)?;
    }
    Ok(part)
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn is_denied(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem)
}
