//! What goldens and cases expect of a corpus, computed again from the corpus by a naive scan, so that none of it rests on the
//! reference alone. One module a contract.

#![expect(clippy::unwrap_used, reason = "what a test did not look for fails it where it stands")]

mod memory;
mod outline;
mod recall;
mod recall_corpus;
mod recall_frames;
mod records;
mod remnote;
mod remnote_later;
mod rems;
mod store;

use serde_json::Value;
use std::path::Path;
use testing::root;

fn json_file(file: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
}
