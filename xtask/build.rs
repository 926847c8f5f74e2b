//! Lists the data for the program that carries it: the contracts, the probes, how the reference is started, and the documentation.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The files that are carried, from the root of the checkout.
const DATA: [&str; 5] = ["schemas", "fixtures", "reference/target.toml", "docs", "README.md"];

fn main() -> Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    // The runner of a checkout reads the data from disk, so it is not built again when a case changes.
    if env::var_os("CARGO_FEATURE_STANDALONE").is_none() {
        return Ok(());
    }
    let root = PathBuf::from(variable("CARGO_MANIFEST_DIR")?).join("..").canonicalize()?;
    let mut files = BTreeMap::new();
    for name in DATA {
        println!("cargo::rerun-if-changed={}", root.join(name).display());
        list(&root.join(name), name, &mut files)?;
    }
    let mut hasher = DefaultHasher::new();
    let mut listed = String::new();
    for (name, path) in &files {
        (name, fs::read(path)?).hash(&mut hasher);
        writeln!(listed, "    ({name:?}, include_bytes!({path:?})),").map_err(Error::other)?;
    }
    let text = format!("xtask::Carried {{ fingerprint: \"{:016x}\", files: &[\n{listed}] }}\n", hasher.finish());
    fs::write(Path::new(&variable("OUT_DIR")?).join("carried.rs"), text)
}

/// Adds every file of a folder, or the one file, by its path from the root, with `/` everywhere.
fn list(path: &Path, name: &str, files: &mut BTreeMap<String, String>) -> Result<()> {
    if !path.is_dir() {
        files.insert(name.to_owned(), text(path.as_os_str())?);
        return Ok(());
    }
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        list(&entry.path(), &format!("{name}/{}", text(&entry.file_name())?), files)?;
    }
    Ok(())
}

fn text(name: &std::ffi::OsStr) -> Result<String> {
    let strange = || Error::new(ErrorKind::InvalidData, format!("{} is no Unicode name", name.display()));
    name.to_str().map(str::to_owned).ok_or_else(strange)
}

fn variable(name: &str) -> Result<String> {
    env::var(name).map_err(|error| Error::new(ErrorKind::NotFound, format!("{name}: {error}")))
}
