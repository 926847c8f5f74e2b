//! The reference as a program, built when it is first asked for.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

/// The program, fresh, in the folder that this test was built in.
pub(crate) fn program() -> &'static Path {
    static PROGRAM: LazyLock<PathBuf> = LazyLock::new(build);
    &PROGRAM
}

fn build() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let profile = test.ancestors().nth(2).unwrap();
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| env!("CARGO").into());
    let mut command = Command::new(cargo);
    command.args(["build", "--quiet", "--package", "reference", "--target-dir"]).arg(profile.parent().unwrap());
    if profile.ends_with("release") {
        command.arg("--release");
    }
    let status = command.current_dir(env!("CARGO_MANIFEST_DIR")).status().unwrap();
    assert!(status.success(), "the reference does not build; run `cargo build --package reference`");
    profile.join(format!("reference{}", std::env::consts::EXE_SUFFIX))
}
