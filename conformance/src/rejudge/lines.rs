//! The lines of a log, each of bounded length, and why a log cannot be read.

use crate::model::LOG_FORMAT;
use std::io::{self, BufRead, Read};

/// Why a log cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// It cannot be read at all.
    #[error("it cannot be read: {0}")]
    Io(#[from] io::Error),
    /// A line of it is none of a run log.
    #[error("line {line} is no line of a run log: {message}")]
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
    #[error("it ends after line {0}, before its last line: it was cut off, run the target again with --log")]
    CutOff(usize),
}

/// More bytes than any line has that we write: an answer has at most 8 MiB, is written as it was received and as it was read,
/// and characters that do not show take up to four bytes for one.
const MOST_BYTES: usize = 96 << 20;

/// The lines, with their numbers from 1. After an error nothing follows.
pub(super) fn lines(mut from: impl BufRead) -> impl Iterator<Item = (usize, Result<String, LogError>)> {
    let mut has_ended = false;
    (1..).map_while(move |at| {
        if has_ended {
            return None;
        }
        let line = line(&mut from, at, MOST_BYTES);
        has_ended = line.is_err();
        line.transpose().map(|line| (at, line))
    })
}

/// The next line without its end, or nothing. What does not begin like a JSON object is refused before its end is looked for.
fn line(from: &mut impl BufRead, at: usize, most: usize) -> Result<Option<String>, LogError> {
    let wrong = |message: &str| LogError::Line { line: at, message: message.to_owned() };
    let begin = loop {
        match from.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            begin => break begin?,
        }
    };
    match begin.first() {
        None => return Ok(None),
        Some(b'{') => {}
        Some(_) => return Err(wrong("it does not begin with `{`, as each line of a log does")),
    }
    let mut line = Vec::new();
    from.take(most as u64 + 1).read_until(b'\n', &mut line)?;
    if line.len() > most {
        return Err(wrong(&format!("it is longer than {} MiB", most >> 20)));
    }
    if line.ends_with(b"\n") {
        line.pop();
    }
    String::from_utf8(line).map(Some).map_err(|_| wrong("it is not UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::line;
    use std::io::BufReader;

    #[test]
    fn a_line_without_an_end_is_read_up_to_the_bound() {
        let mut endless = BufReader::new(std::io::Read::chain(&b"{"[..], std::io::repeat(b' ')));
        let error = line(&mut endless, 7, 1 << 20).expect_err("it is endless");
        assert_eq!(error.to_string(), "line 7 is no line of a run log: it is longer than 1 MiB");
    }
}
