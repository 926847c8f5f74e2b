//! Evidence that waits outside of memory, as lines of a log.

use std::fmt;
use std::io::{self, Read, Write};
use std::sync::Arc;

/// A place outside of memory for lines of a log.
pub trait Shelf: fmt::Debug + Send + Sync {
    /// Puts a line there. Where that fails, every later reading says why.
    fn put(&self, line: &[u8]) -> Stretch;

    /// Reads some bytes from a place on, and returns how many; none at the end.
    ///
    /// # Errors
    /// When something could not be put there, or cannot be read.
    fn read(&self, from: u64, to: &mut [u8]) -> io::Result<usize>;
}

/// How much evidence is kept once it was judged.
#[derive(Debug, Clone, Default)]
pub enum Keep {
    /// What findings point to, as far as reports show it.
    #[default]
    Found,
    /// All of it, in memory: for programs that read it, of targets whose answers are small.
    All,
    /// All of it, as lines of a log.
    Shelved(Arc<dyn Shelf>),
}

/// Where a line lies on a shelf.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stretch {
    /// Its first byte.
    pub from: u64,
    /// How many bytes it has, with its line end.
    pub bytes: u64,
}

/// The exchanges of a case, as lines on a shelf.
#[derive(Debug, Clone)]
pub struct Lines {
    /// The shelf.
    pub shelf: Arc<dyn Shelf>,
    /// The lines, in the order of the evidence.
    pub stretches: Vec<Stretch>,
    /// How many steps of the case were begun.
    pub steps: usize,
}

impl Lines {
    /// No lines yet.
    pub(crate) fn new(shelf: &Arc<dyn Shelf>) -> Self {
        Self { shelf: Arc::clone(shelf), stretches: Vec::new(), steps: 0 }
    }

    /// Puts a line on the shelf, behind the others of its case.
    pub(crate) fn put(&mut self, line: &[u8]) {
        let stretch = self.shelf.put(line);
        match self.stretches.last_mut().filter(|last| last.from + last.bytes == stretch.from) {
            Some(last) => last.bytes += stretch.bytes,
            None => self.stretches.push(stretch),
        }
    }

    /// Reads one stretch.
    pub(crate) fn open(&self, stretch: Stretch) -> impl Read + '_ {
        Opened { shelf: &*self.shelf, left: stretch }
    }

    /// Writes the lines.
    ///
    /// # Errors
    /// When one of them cannot be read or written.
    pub fn write(&self, to: &mut impl Write) -> io::Result<()> {
        self.stretches.iter().try_for_each(|stretch| io::copy(&mut self.open(*stretch), to).map(drop))
    }
}

/// What is left to read of a stretch.
struct Opened<'s> {
    shelf: &'s dyn Shelf,
    left: Stretch,
}

impl Read for Opened<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.left.bytes).unwrap_or(usize::MAX).min(to.len());
        if most == 0 {
            return Ok(0);
        }
        let read = self.shelf.read(self.left.from, &mut to[..most])?;
        if read == 0 {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the file of evidence was cut"));
        }
        self.left = Stretch { from: self.left.from + read as u64, bytes: self.left.bytes - read as u64 };
        Ok(read)
    }
}
