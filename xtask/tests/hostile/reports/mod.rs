//! Every report of a run, each read by a strict reader of its form, which finds it whole and inert.

mod data;
mod html;
mod junit;
mod markdown;
mod terminal;

use conformance::report::FORMATS;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use tempfile::TempDir;
use testing::assert_inert;

/// Stands in the evidence of targets that try to get out of a text. Reports may hold it as text alone.
pub(crate) const MARK: &str = "h0stile";

/// A log of more bytes is read without its largest lines.
const LARGE_LOG: u64 = 16 << 20;
/// So many bytes make a line large.
const LARGE_LINE: usize = 16 << 10;

/// A run log. What the exchanges of a large one hold is not read, only that their lines are whole.
fn log(path: &Path) -> String {
    let is_large = fs::metadata(path).unwrap().len() > LARGE_LOG;
    let lines = BufReader::new(fs::File::open(path).unwrap()).lines().map(Result::unwrap);
    let is_read = |line: &String| {
        let is_left_out = is_large && line.len() > LARGE_LINE && line.starts_with("{\"exchange\"");
        assert!(!is_left_out || line.ends_with('}'), "a line was cut");
        !is_left_out
    };
    lines.filter(is_read).map(|line| line + "\n").collect()
}

/// What a run said, in every format.
pub(crate) struct Reports {
    /// As it is shown on a terminal, without our own colours.
    pub(crate) terminal: String,
    /// With them.
    pub(crate) coloured: String,
    /// What was written, by the name of its format.
    texts: BTreeMap<&'static str, String>,
    pub(crate) json: Value,
}

impl Reports {
    /// Reads the files of a run: UTF-8, and JSON where it should be.
    pub(crate) fn read(folder: &TempDir) -> Self {
        let text = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
        let read = |name: &'static str| if name == "log" { log(&folder.path().join(name)) } else { text(name) };
        let texts: BTreeMap<_, _> = FORMATS.iter().map(|format| (format.name, read(format.name))).collect();
        Self {
            terminal: terminal::without_colours(&text("out")),
            coloured: text("out"),
            json: serde_json::from_str(&texts["json"]).unwrap(),
            texts,
        }
    }

    /// Every report is whole, inert, and agrees with the others.
    pub(crate) fn assert_whole(&self, code: i32) {
        let log: Vec<Value> = self.texts["log"].lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let checks = data::findings(&log) + data::own_problems(&self.json);
        terminal::assert_whole(&self.terminal, code);
        assert_inert(&self.terminal);
        for (format, text) in &self.texts {
            match *format {
                "html" => html::assert_whole(text, code),
                "markdown" => markdown::assert_whole(text, code),
                "junit" => junit::assert_whole(text, checks),
                "ctrf" => data::assert_ctrf(&serde_json::from_str(text).unwrap(), checks, code),
                "json" => data::assert_json(&self.json, code),
                "log" => data::assert_log(&log, code),
                other => panic!("no strict reader looks at the format `{other}`"),
            }
            assert_inert(text);
        }
    }

    /// Every report says these words.
    pub(crate) fn assert_all_say(&self, words: &str) {
        self.assert_say(words, |_| true);
    }

    /// Every report says these words that is read as a text. The others have what the words are made of.
    pub(crate) fn assert_texts_say(&self, words: &str) {
        self.assert_say(words, |format| !matches!(format, "json" | "log" | "ctrf"));
    }

    fn assert_say(&self, words: &str, is_meant: impl Fn(&str) -> bool) {
        // A terminal breaks sentences into lines.
        let terminal = self.terminal.split_whitespace().collect::<Vec<_>>().join(" ");
        for (format, text) in self.texts.iter().chain([(&"terminal", &terminal)]).filter(|(format, _)| is_meant(format))
        {
            assert!(text.contains(words), "{format} does not say {words:?}: {text}");
        }
    }

    /// The evidence holds the mark, so that what stands beside it had a chance to act.
    pub(crate) fn assert_marked(&self) {
        for text in [&self.texts["html"], &self.texts["log"]] {
            assert!(text.contains(MARK), "the evidence is not shown: {text}");
        }
    }
}
