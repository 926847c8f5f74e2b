//! The lines of a log, each of bounded length, and why a log cannot be read. No line is held in memory as a whole.

use crate::model::{LOG_FORMAT, Stretch};
use serde::de::DeserializeOwned;
use std::io::{self, BufRead, BufReader, Read};
use std::str;

/// Why a log cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// It cannot be read at all.
    #[error("it cannot be read: {0}")]
    Io(#[from] io::Error),
    /// A line of it is none of a run log.
    #[error("line {line} is not a line of a run log: {message}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        message: String,
    },
    /// It is a log of another form.
    #[error("it is of the form `{0}`, and this program reads `{LOG_FORMAT}`: run the target again with --log")]
    Form(String),
    /// It is followed by another log.
    #[error("line {0} begins another log: `merge` puts the logs of shards together, other logs are read one at a time")]
    Second(usize),
    /// Something follows its end.
    #[error("line {0} follows the totals, with which a log ends")]
    Follows(usize),
    /// It ends too soon.
    #[error("it is empty: run the target again with --log")]
    Empty,
    /// It was cut off behind this line.
    #[error("it ends after line {0}, before its last line: it was cut off, run the target again with --log")]
    CutOff(usize),
}

/// More bytes than any line has that we write: an answer has at most 8 MiB, is written as it was received and as it was read,
/// and characters that do not show take up to four bytes for one.
const MOST_BYTES: u64 = 96 << 20;
/// How the first line of a log begins.
const BEGIN: &[u8] = br#"{"format""#;

/// The lines of a log, one after the other.
pub(super) struct Lines<R> {
    from: R,
    /// The number of the last line that was read, from 1.
    pub(super) last: usize,
    /// Where the next line begins, in bytes.
    begin: u64,
}

impl<R: BufRead> Lines<R> {
    /// The lines from the first on.
    pub(super) fn of(from: R) -> Self {
        Self { from, last: 0, begin: 0 }
    }

    /// The next line, and where it lies; nothing at the end. What does not begin like a JSON object is refused before its end is
    /// looked for.
    ///
    /// # Errors
    /// When it cannot be read, is too long, is no UTF-8 or no such value, or begins another log.
    pub(super) fn next<T: DeserializeOwned>(&mut self) -> Result<Option<(Stretch, T)>, LogError> {
        self.next_within(MOST_BYTES)
    }

    fn next_within<T: DeserializeOwned>(&mut self, most: u64) -> Result<Option<(Stretch, T)>, LogError> {
        let first = loop {
            match self.from.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                begin => break begin?.first().copied(),
            }
        };
        let Some(first) = first else { return Ok(None) };
        self.last += 1;
        if first != b'{' {
            return Err(self.wrong("it does not begin with `{`, as each line of a log does"));
        }
        let mut line =
            Line { from: &mut self.from, most, bytes: 0, begin: Vec::new(), cut: Vec::new(), has_ended: false };
        let read = serde_json::from_reader(BufReader::new(&mut line));
        let (bytes, is_first) = (line.bytes, line.begin == BEGIN);
        match read {
            Ok(value) => {
                let stretch = Stretch { from: self.begin, bytes };
                self.begin += bytes;
                Ok(Some((stretch, value)))
            }
            Err(_) if is_first && self.last > 1 => Err(LogError::Second(self.last)),
            Err(error) if error.is_io() => match io::Error::from(error) {
                error if error.kind() == io::ErrorKind::InvalidData => Err(self.wrong(error)),
                error => Err(error.into()),
            },
            Err(error) => Err(self.wrong(error)),
        }
    }

    /// Whether nothing is left to read.
    pub(super) fn is_at_end(&mut self) -> bool {
        self.from.fill_buf().is_ok_and(<[u8]>::is_empty)
    }

    /// That the last line is wrong.
    pub(super) fn wrong(&self, why: impl ToString) -> LogError {
        LogError::Line { line: self.last, message: why.to_string() }
    }
}

/// One line, up to its end.
struct Line<'r, R> {
    from: &'r mut R,
    most: u64,
    /// How many bytes of it were read.
    bytes: u64,
    /// The first of them.
    begin: Vec<u8>,
    /// The beginning of a character that is not yet read to its end.
    cut: Vec<u8>,
    has_ended: bool,
}

impl<R: BufRead> Read for Line<'_, R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        if self.has_ended {
            return Ok(0);
        }
        let here = self.from.fill_buf()?;
        let here = &here[..here.len().min(to.len())];
        let end = here.iter().position(|byte| *byte == b'\n');
        let length = end.map_or(here.len(), |end| end + 1);
        self.has_ended = end.is_some() || here.is_empty();
        to[..length].copy_from_slice(&here[..length]);
        self.from.consume(length);
        self.bytes += length as u64;
        self.begin.extend(to[..length].iter().take(BEGIN.len() - self.begin.len()));
        if self.bytes > self.most {
            return Err(invalid(format!("it is longer than {} MiB", self.most >> 20)));
        }
        self.cut.extend_from_slice(&to[..length]);
        match str::from_utf8(&self.cut) {
            Ok(_) => self.cut.clear(),
            Err(error) if error.error_len().is_none() && !self.has_ended => _ = self.cut.drain(..error.valid_up_to()),
            Err(_) => return Err(invalid("it is not UTF-8".to_owned())),
        }
        Ok(length)
    }
}

fn invalid(why: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

#[cfg(test)]
mod tests {
    use super::Lines;
    use rstest::rstest;
    use serde_json::{Value, json};
    use std::io::{BufReader, Read};

    #[rstest]
    #[case::of_blanks(b"{", b' ')]
    #[case::of_one_text(b"{\"exchange\":{\"evidence\":\"", b'x')]
    fn a_line_without_an_end_is_read_up_to_the_bound(#[case] begin: &[u8], #[case] byte: u8) {
        let mut endless = Lines::of(BufReader::new(begin.chain(std::io::repeat(byte))));
        let error = endless.next_within::<serde::de::IgnoredAny>(1 << 20).expect_err("it is endless");
        assert_eq!(error.to_string(), "line 1 is not a line of a run log: it is longer than 1 MiB");
    }

    #[rstest]
    #[case::half_a_character(b"{\"a\":\"\xc3\"}\n")]
    #[case::half_a_character_at_the_end(b"{\"a\":\"\xe2\x82")]
    fn a_line_that_is_no_text_is_refused(#[case] text: &[u8]) {
        let error = Lines::of(text).next::<Value>().expect_err("it is no UTF-8");
        assert_eq!(error.to_string(), "line 1 is not a line of a run log: it is not UTF-8");
    }

    #[test]
    fn characters_are_read_wherever_a_buffer_ends() {
        let text = format!("{}\n{}\n", json!({ "a": "é€𝄞".repeat(9) }), json!({ "b": 2 }));
        for capacity in 1..12 {
            let mut lines = Lines::of(BufReader::with_capacity(capacity, text.as_bytes()));
            let mut next = || lines.next::<Value>().expect("a line").map(|(at, value)| (at.from, at.bytes, value));
            let first = text.find('\n').expect("an end") as u64 + 1;
            assert_eq!(next(), Some((0, first, json!({ "a": "é€𝄞".repeat(9) }))));
            assert_eq!(next(), Some((first, 8, json!({ "b": 2 }))));
            assert_eq!(next(), None);
        }
    }
}
