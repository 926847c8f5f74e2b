//! The reference over our corpora, as its target file has it.

use conformance::load::Suite;
use conformance::targets::{Target, TargetError, TargetFile};
use std::collections::BTreeMap;
use std::path::Path;

/// The reference by its program, ready to be started.
pub(crate) fn ready(suite: &Suite, program: &Path) -> Result<Target, TargetError> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let file = TargetFile::read(&root.join("reference/target.toml"), suite)?;
    let places = [("reference", program.to_owned()), ("corpus", root.join("fixtures"))];
    let places = places.map(|(name, path)| (name.to_owned(), path.display().to_string()));
    file.ready(&BTreeMap::from(places), &|name| std::env::var(name).ok())
}
