//! Every report of a run, each read by a strict reader of its form, which finds it whole and inert.

mod data;
mod html;
mod junit;
mod markdown;
mod terminal;

use serde_json::Value;
use std::fs;
use tempfile::TempDir;

/// Stands in the evidence of targets that try to get out of a text. Reports may hold it as text alone.
pub(crate) const MARK: &str = "h0stile";

/// What a run said, in every form.
pub(crate) struct Reports {
    /// As it is shown on a terminal, without our own colours.
    pub(crate) terminal: String,
    /// With them.
    pub(crate) coloured: String,
    html: String,
    markdown: String,
    junit: String,
    ctrf: Value,
    pub(crate) json: Value,
    log: Vec<Value>,
    /// The texts of the forms that are JSON, as they were written.
    texts: [String; 3],
}

impl Reports {
    /// Reads the files of a run: UTF-8, and JSON where it should be.
    pub(crate) fn read(folder: &TempDir) -> Self {
        let text = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
        let texts = [text("ctrf"), text("json"), text("log")];
        Self {
            terminal: terminal::without_colours(&text("out")),
            coloured: text("out"),
            html: text("html"),
            markdown: text("markdown"),
            junit: text("junit"),
            ctrf: serde_json::from_str(&texts[0]).unwrap(),
            json: serde_json::from_str(&texts[1]).unwrap(),
            log: texts[2].lines().map(|line| serde_json::from_str(line).unwrap()).collect(),
            texts,
        }
    }

    /// Every report is whole, inert, and agrees with the others.
    pub(crate) fn assert_whole(&self, code: i32) {
        let (findings, own) = (data::findings(&self.log), data::own_problems(&self.json));
        terminal::assert_whole(&self.terminal, code);
        html::assert_whole(&self.html, code);
        markdown::assert_whole(&self.markdown, code);
        junit::assert_whole(&self.junit, findings + own);
        data::assert_ctrf(&self.ctrf, findings + own, code);
        data::assert_json(&self.json, code);
        data::assert_log(&self.log, code);
        for text in [&self.terminal, &self.html, &self.markdown, &self.junit].into_iter().chain(&self.texts) {
            assert_inert(text);
        }
    }

    /// Every report says these words.
    pub(crate) fn assert_all_say(&self, words: &str) {
        let [ctrf, json, log] = &self.texts;
        // A terminal breaks sentences into lines.
        let terminal = self.terminal.split_whitespace().collect::<Vec<_>>().join(" ");
        let all = [&terminal, &self.html, &self.markdown, &self.junit, ctrf, json, log];
        for (text, form) in all.into_iter().zip(["terminal", "html", "markdown", "junit", "ctrf", "json", "log"]) {
            assert!(text.contains(words), "{form} does not say {words:?}: {text}");
        }
    }

    /// The evidence holds the mark, so that what stands beside it had a chance to act.
    pub(crate) fn assert_marked(&self) {
        for text in [&self.html, &self.texts[2]] {
            assert!(text.contains(MARK), "the evidence is not shown: {text}");
        }
    }
}

/// No control character but the line feed, and nothing that turns, hides or is no character.
fn assert_inert(text: &str) {
    let acts = |character: &char| {
        character.is_control() && *character != '\n'
            || matches!(character,
                '\u{61c}' | '\u{200b}' | '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
                | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{fffe}'..='\u{ffff}' | '\u{e0000}'..='\u{e007f}')
    };
    let found: Vec<char> = text.chars().filter(acts).collect();
    assert!(found.is_empty(), "{found:?} stand in {text:?}");
}
