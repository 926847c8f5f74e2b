//! Exploring as a person meets it: a fault is found, made small, saved, and found again by the command that is shown.

use super::xtask;
use insta::assert_snapshot;
use rstest::rstest;
use std::collections::BTreeSet;
use testing::{Script, said};

/// The reference, but for what an awk program makes of its lines.
fn damaged(awk: &str) -> Script {
    let program = testing::reference().unwrap().display();
    Script::new(&format!("'{program}' qipu \"$@\" >out && awk '{awk}' out\n"))
}

#[test]
fn a_fault_is_found_made_small_and_found_again() {
    let script = damaged("!/^E .* supports /");
    let command = script.line();
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().display().to_string();
    let explore =
        ["verify", "records", "--cli", &command, "--explore", "60", "--seed", "5", "--quiet", "--save", &folder];
    let first = said(&mut xtask(&explore));
    assert_eq!(first.code, Some(1), "{}{}", first.out, first.err);
    let found = first.out.split_once("explored 60 calls").unwrap().1;
    let shown = found.replace(&command, "PROGRAM").replace(&folder, "FOLDER");
    assert_snapshot!(shown);

    let repeat = found.lines().find_map(|line| line.trim().strip_prefix("repeat  cargo xtask ")).unwrap();
    let words = shlex::split(repeat).unwrap();
    let again = said(&mut xtask(&words.iter().map(String::as_str).collect::<Vec<_>>()));
    assert_eq!(again.code, Some(1), "{}{}", again.out, again.err);
    assert!(again.out.contains("VIOLATED records."), "{}", again.out);
}

#[rstest]
#[case::an_address(&["verify", "recall", "--http", "http://127.0.0.1:1", "--explore", "5"], "needs a `seed` command")]
#[case::a_running_server(&["verify", "memory", "--mcp", "http://127.0.0.1:1/mcp", "--explore", "5"], "needs a `seed` command")]
#[case::no_calls(&["verify", "--explore", "0"], "invalid value '0'")]
#[case::with_cases(&["verify", "--explore", "5", "--case", "live"], "cannot be used with")]
fn what_cannot_be_explored_is_refused(#[case] arguments: &[&str], #[case] due: &str) {
    let said = said(&mut xtask(arguments));
    assert_eq!(said.code, Some(2), "{}", said.err);
    assert!(said.err.contains(due), "{}", said.err);
}

/// The reference at the last revision of the contract of Rems, behind a shell that makes something else of each request.
fn behind(sed: &str) -> Script {
    let program = testing::reference().unwrap().display();
    Script::new(&format!(
        "while IFS= read -r line; do printf '%s\\n' \"$line\" | sed '{sed}'; done | '{program}' mcp --corpus \"$1\" --revision remnote@6"
    ))
}

#[rstest]
#[case::as_it_is("", 0)]
#[case::blind_to_an_argument_of_the_last_revision(r#"s/"parentRemId":"[^"]*",\{0,1\}//"#, 1)]
fn the_revision_is_recognised_and_asked_for_all_that_it_has(#[case] sed: &str, #[case] code: i32) {
    let script = behind(sed);
    let command = format!("{} {{corpus}}", script.line());
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().display().to_string();
    let words = ["verify", "remnote", "--mcp-stdio", &command, "--mcp-era", "modern", "-q", "--save", &folder];
    let said = said(xtask(&words).args(["--explore", "25", "--seed", "3"]));
    assert_eq!(said.code, Some(code), "{}{}", said.out, said.err);
    // It is in the first sentence where something is violated, else in one of its own. A sentence is broken to the width.
    let words = said.out.split_whitespace().collect::<Vec<_>>().join(" ");
    let revision = "remnote@6 (0.17, recognised: remnote_search_by_tag takes tagRemId, ";
    let (before, _) = words.split_once(revision).unwrap_or_else(|| panic!("no revision: {}", said.out));
    assert!(code == 0 || !before.contains(": "), "{}", said.out);
    let violated = said.out.lines().any(|line| line.trim_start().starts_with("VIOLATED remnote.scope"));
    assert_eq!(violated, code == 1, "{}", said.out);
    let repeat = format!("verify remnote --revision remnote@6 --mcp-stdio '{command}' --fixtures {folder}/seed-3/");
    assert_eq!(said.out.contains(&repeat), code == 1, "{repeat}: {}", said.out);
}

#[test]
fn a_pin_says_which_revision_is_explored() {
    let program = testing::reference().unwrap().display();
    let command = format!("'{program}' qipu --revision records@2");
    let words =
        ["verify", "records", "--cli", &command, "--revision", "records@2", "--explore", "10", "--seed", "1", "-q"];
    let home = tempfile::tempdir().unwrap();
    let said = said(xtask(&words).arg("--save").arg(home.path()));
    assert_eq!(said.code, Some(0), "{}{}", said.out, said.err);
    assert!(said.out.lines().any(|line| line == "records@2 (634f7eb, pinned) over cli"), "{}", said.out);
}

/// What is found at a server of one revision that is explored by another, or by its own.
#[rstest]
// One of ADR-017 refuses what ADR-020 allows, and its tool says so.
#[case::fewer_entries("memory", 1, 2, &[
    "memory.search-offered", "memory.tool-schema", "memory.tool-top-kc-range", "memory.tool-top-ke-range", "memory.top-kc-range",
    "memory.top-ke-range",
])]
// It brings more than ADR-017 allows only where it is asked for more, which ADR-017 does not.
#[case::more_entries("memory", 2, 1, &["memory.tool-schema", "memory.tool-top-kc-range", "memory.tool-top-ke-range"])]
// The mark of a record with a body stands behind its title in the first version alone.
#[case::other_formats("outline", 1, 2, &["outline.format-values", "outline.title-agrees"])]
#[case::other_formats_before("outline", 2, 1, &["outline.format-default", "outline.formats-taken"])]
#[case::outline_2("outline", 2, 2, &[])]
#[case::nodes_of_a_read_are_missing("remnote", 1, 2, &["remnote.read-modes"])]
#[case::remnote_2("remnote", 2, 2, &[])]
#[case::tags_are_missing("remnote", 2, 3, &["remnote.tags"])]
#[case::tags_are_more("remnote", 3, 2, &[])]
#[case::remnote_3("remnote", 3, 3, &[])]
#[case::tags_are_names("remnote", 3, 4, &["remnote.structured-node-tags-form", "remnote.tags", "remnote.tags-form"])]
#[case::tags_are_rems("remnote", 4, 3, &["remnote.structured-node-tags-form", "remnote.tags", "remnote.tags-form"])]
#[case::remnote_4("remnote", 4, 4, &[])]
#[case::other_names("remnote", 4, 5, &["remnote.read-optional", "remnote.search-optional", "remnote.tag-optional"])]
#[case::other_names_before("remnote", 5, 4, &["remnote.read-optional", "remnote.search-optional", "remnote.tag-optional"])]
#[case::remnote_5("remnote", 5, 5, &[])]
#[case::scopes_are_missing("remnote", 5, 6, &["remnote.scope"])]
#[case::scopes_are_more("remnote", 6, 5, &[])]
fn a_neighbour_is_found_to_differ_in_what_changed(
    #[case] contract: &str,
    #[case] speaks: u32,
    #[case] explored: u32,
    #[case] due: &[&str],
) {
    let (program, home) = (testing::reference().unwrap().display(), tempfile::tempdir().unwrap());
    let command = format!("'{program}' mcp --corpus {{corpus}} --revision {contract}@{speaks}");
    let key = format!("{contract}@{explored}");
    let place = ["--mcp-stdio", &command, "--mcp-era", "modern", "--revision", &key];
    let said = said(
        xtask(&["verify", contract, "-q", "--explore", "25", "--seed", "3"]).args(place).arg("--save").arg(home.path()),
    );
    assert_eq!(said.code, Some(i32::from(!due.is_empty())), "{}{}", said.out, said.err);
    let found = said.out.lines().filter_map(|line| line.strip_prefix("found ")).flat_map(|line| line.split(", "));
    assert_eq!(found.collect::<BTreeSet<_>>(), due.iter().copied().collect(), "{}", said.out);
}
