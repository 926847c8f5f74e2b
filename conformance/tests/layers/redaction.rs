//! Where redaction happens: never between what is received and its judgement, and always between a judgement and what is kept.

use super::tree::Tree;
use std::collections::BTreeSet;

/// What a file calls to make a finding of a judgement, which is then kept with its evidence.
const MAKES_FINDINGS: &str = "finding";
/// What it calls to take secrets out of both.
const REDACTS_THEM: &str = "case";
/// They have what was redacted when it was written or kept.
const LATER: [&str; 2] = ["rejudge/", "report/"];

/// What is wrong: files that redact and are not `listed`, by their names or folders, and files that keep what they judged as it
/// was received.
pub(crate) fn found(tree: &Tree, listed: &[&str]) -> BTreeSet<String> {
    let is_listed = |file: &str| listed.iter().any(|one| file == *one || one.ends_with('/') && file.starts_with(one));
    let mut found = BTreeSet::new();
    for arrow in tree.arrows() {
        if arrow.to.starts_with("redact/") && !arrow.from.starts_with("redact/") && !is_listed(&arrow.from) {
            found.insert(format!("{} redacts what may not be judged yet", arrow.from));
        }
    }
    for module in tree.modules.values().filter(|module| !LATER.iter().any(|folder| module.file.starts_with(folder))) {
        let calls = |wanted: &str| module.methods.iter().any(|(name, _)| name == wanted);
        if calls(MAKES_FINDINGS) && !calls(REDACTS_THEM) {
            found.insert(format!("{} keeps what it judged, and redacts nothing of it", module.file));
        }
    }
    found
}
