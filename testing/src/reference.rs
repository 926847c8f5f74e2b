//! The reference as a program, built when a test first asks for it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

/// The up-to-date program, in the build folder of the running test.
///
/// # Errors
///
/// What to do if it does not compile.
pub fn reference() -> Result<&'static Path, &'static str> {
    static PROGRAM: LazyLock<Option<PathBuf>> = LazyLock::new(build);
    PROGRAM.as_deref().ok_or("the reference does not build; run `cargo build --package reference`")
}

fn build() -> Option<PathBuf> {
    let test = std::env::current_exe().unwrap();
    let profile = test.ancestors().nth(2).unwrap();
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| env!("CARGO").into());
    let mut command = Command::new(cargo);
    command.args(["build", "--quiet", "--package", "reference", "--target-dir"]).arg(profile.parent().unwrap());
    if profile.ends_with("release") {
        command.arg("--release");
    }
    let status = command.current_dir(crate::root()).status().unwrap();
    status.success().then(|| profile.join(format!("reference{}", std::env::consts::EXE_SUFFIX)))
}
