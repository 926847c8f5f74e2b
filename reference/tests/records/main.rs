//! What the decisions say of the reference alone, tried on the real program over small stores.
//!
//! What any program must do is a case of the suite and not repeated here.

#![expect(clippy::unwrap_used, reason = "what a test did not look for fails it where it stands")]

mod broken;
mod budget;
mod dump;
mod lines;
mod modes;
mod summaries;

use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// A store in a folder of its own.
struct Store {
    folder: TempDir,
}

/// How a call ended.
struct Call {
    accepted: bool,
    out: String,
    err: String,
}

impl Store {
    /// A store without notes.
    fn empty() -> Store {
        let store = Store { folder: TempDir::new().unwrap() };
        store.file("config.toml", "version = 1\n");
        store
    }

    /// The store that most tests ask: a chain with a double link, a map, a note that nothing leads to.
    fn sample() -> Store {
        let store = Store::empty();
        store.note(
            "qp-a1b2",
            "title: Zettelkasten note types\ntype: permanent\ncreated: 2026-01-03T08:00:00Z\n\
             tags: [zettelkasten, qipu]\nsummary: Kinds of notes\nlinks:\n- {type: supports, id: qp-3e7a}\n\
             - {type: related, id: qp-f14c}\n- {type: related, id: qp-gone}\n\
             sources:\n- {url: 'https://example.com/a', title: 'Say \"a\"', accessed: '2026-01-02'}",
            "Some [[qp-f14c|words]], `[[qp-lone]]`.\n\n```\n[[qp-lone]]\n```\n",
        );
        store.note(
            "qp-3e7a",
            "title: 'Paper: X'\ntype: literature\ncreated: 2026-01-02T09:00:00+02:00\ntags: [paper]",
            "Key claim.\n\n![figure](../attachments/figure one.png)\n",
        );
        store.note("qp-f14c", "title: Far\ncreated: 2026-01-02T07:00:00Z", "See [[qp-moc1]].\n");
        store.note("qp-lone", "title: Lone\ncreated: 2026-01-01T00:00:00Z", "");
        store.file(
            "mocs/qp-moc1.md",
            "---\nid: qp-moc1\ntitle: Map\ntype: moc\ncreated: 2026-01-04T00:00:00Z\n---\n\nBack to [[qp-a1b2]].\n",
        );
        store.file("attachments/figure.png", "\u{89}PNG\n");
        store.file("attachments/sub/empty.bin", "");
        store.file("attachments/.gitkeep", "");
        store
    }

    /// Adds a note with the given keys of front matter besides its id.
    fn note(&self, id: &str, front: &str, body: &str) {
        self.file(&format!("notes/{id}.md"), &format!("---\nid: {id}\n{front}\n---\n\n{body}"));
    }

    /// Adds a file to the store's folder.
    fn file(&self, path: &str, text: &str) {
        let path = self.folder.path().join(".qipu").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Calls the program from the folder that holds the store; arguments are parted by spaces.
    fn call(&self, arguments: &str) -> Call {
        call(self.folder.path(), arguments)
    }

    /// The answer in records form to a call that is accepted.
    fn records(&self, arguments: &str) -> String {
        let call = self.call(&format!("--format records {arguments}"));
        assert!(call.accepted, "{arguments}: {}", call.err);
        call.out
    }
}

fn call(folder: &Path, arguments: &str) -> Call {
    let output = Command::new(env!("CARGO_BIN_EXE_reference"))
        .arg("qipu")
        .args(arguments.split_whitespace())
        .current_dir(folder)
        .output()
        .unwrap();
    let call = Call {
        accepted: output.status.success(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    };
    assert!(!call.err.contains("panicked"), "{}", call.err);
    call
}
