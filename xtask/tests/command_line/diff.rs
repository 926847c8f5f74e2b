//! Changes of contracts in a repository of their own: what the command says, and how it ends.

use crate::xtask;
use insta::assert_snapshot;
use rstest::{fixture, rstest};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::{TempDir, tempdir};
use testing::{Said, copy, said};

const INPUT: &str = "schemas/memory/search.input.schema.json";

/// A repository that has the contracts of this one on its branch `main`, and stands on a branch `work`.
struct Repository {
    folder: TempDir,
}

#[fixture]
fn repository() -> Repository {
    let repository = Repository { folder: tempdir().unwrap() };
    let root = testing::root();
    for folder in ["schemas", "fixtures"] {
        copy(&root.join(folder), &repository.path().join(folder));
    }
    repository.git(&["init", "--quiet", "--initial-branch", "main"]);
    repository.commit("The contracts");
    repository.git(&["checkout", "--quiet", "-b", "work"]);
    repository
}

impl Repository {
    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn git(&self, words: &[&str]) -> String {
        let mut git = Command::new("git");
        git.current_dir(self.path()).args(["-c", "user.name=Somebody", "-c", "user.email=somebody@example.org"]);
        let said = said(git.args(words));
        assert_eq!(said.code, Some(0), "git {words:?}: {}", said.err);
        said.out.trim().to_owned()
    }

    fn commit(&self, message: &str) -> String {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "-m", message]);
        self.git(&["rev-parse", "HEAD"])
    }

    fn edit(&self, file: &str, change: impl FnOnce(&mut Value)) {
        let path = self.path().join(file);
        let mut value: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        change(&mut value);
        fs::write(path, format!("{value:#}\n")).unwrap();
    }

    /// Up to 25 entries.
    fn widen(&self) {
        self.edit(INPUT, |schema| schema["properties"]["top_ke"]["maximum"] = json!(25));
    }

    fn diff(&self, arguments: &[&str]) -> Said {
        said(xtask(&["diff"]).args(arguments).current_dir(self.path()))
    }
}

/// The commit in what is printed goes with the day; its place stays.
fn without_commits(text: &str) -> String {
    let commit = regex::Regex::new(r"\b[0-9a-f]{10}\b").unwrap();
    commit.replace_all(text, "<commit>").into_owned()
}

#[rstest]
fn nothing_changed(repository: Repository) {
    let said = repository.diff(&[]);
    assert_eq!((said.code, said.out.lines().last()), (Some(0), Some("Nothing changed.")), "{}", said.err);
}

#[rstest]
fn what_breaks_is_shown_and_fails(repository: Repository) {
    repository.widen();
    repository.edit(INPUT, |schema| schema["properties"]["query"]["description"] = json!("Words."));
    repository.commit("Wider");
    let said = repository.diff(&[]);
    assert_eq!(said.code, Some(1), "{}", said.err);
    assert_snapshot!(without_commits(&said.out));
}

#[rstest]
fn for_a_pull_request(repository: Repository) {
    repository.widen();
    repository.commit("Wider");
    let said = repository.diff(&["main", "--format", "markdown"]);
    assert_eq!(said.code, Some(1), "{}", said.err);
    assert_snapshot!(without_commits(&said.out));
}

/// Whom it breaks is the first thing on the page, and what shows it is a call.
#[rstest]
fn as_a_page(repository: Repository) {
    repository.widen();
    repository.edit(INPUT, |schema| schema["properties"]["query"]["description"] = json!("<script>alert(1)</script>"));
    repository.commit("Wider");
    let said = repository.diff(&["main", "--format", "html"]);
    assert_eq!(said.code, Some(1), "{}", said.err);
    let place = |text: &str| said.out.find(text).unwrap_or_else(|| panic!("no {text} in {}", said.out));
    assert_eq!(place("<!DOCTYPE html>"), 0);
    let opening = place("break implementations; none breaks clients.");
    let first = place("<details class=\"requirement\" open>");
    assert!(place("<h1>") < opening && opening < first, "{}", said.out);
    assert!(place("&quot;top_ke&quot;:11}</pre>") > first, "{}", said.out);
    assert!(!said.out.contains("<script>alert"), "{}", said.out);
    assert!(said.out.trim_end().ends_with("</html>"), "{}", said.out);
}

#[rstest]
fn for_programs(repository: Repository) {
    repository.widen();
    repository.commit("Wider");
    let said = repository.diff(&["main", "work", "--format", "json"]);
    assert_eq!(said.code, Some(1), "{}", said.err);
    let json: Value = serde_json::from_str(&said.out).unwrap();
    let schema = fs::read_to_string(repository.path().join("schemas/suite/diff.schema.json")).unwrap();
    let schema: Value = serde_json::from_str(&schema).unwrap();
    jsonschema::validate(&schema, &json).unwrap();
    let change = &json["changes"][0];
    assert_eq!((&change["kind"], &change["implementations"]), (&json!("argument-range"), &json!("breaking")));
    assert_eq!(change["witness"]["document"]["top_ke"], json!(11));
}

/// What is approved stays so when other work comes between, and is approved once.
#[rstest]
fn approval_survives_other_work(repository: Repository) {
    repository.widen();
    repository.commit("Wider");
    let said = repository.diff(&["--format", "json"]);
    let json: Value = serde_json::from_str(&said.out).unwrap();
    let fingerprint = json["changes"][0]["fingerprint"].as_str().unwrap().to_owned();
    let list = format!("# Changes\n\n## Erratum of revision 1\n\n- `{fingerprint}` It always allowed 25 entries.\n");
    fs::write(repository.path().join("schemas/memory/changes.md"), list).unwrap();
    repository.commit("Approved");
    repository.git(&["checkout", "--quiet", "main"]);
    repository.edit("schemas/recall/contract.json", |contract| contract["title"] = json!("Search"));
    repository.commit("Other work");
    repository.git(&["checkout", "--quiet", "work"]);
    repository.git(&["rebase", "--quiet", "main"]);
    let said = repository.diff(&[]);
    assert_eq!(said.code, Some(0), "{}{}", said.out, said.err);
    assert!(said.out.contains(&format!("approved ({fingerprint}): It always allowed 25 entries.")), "{}", said.out);
}

#[rstest]
fn a_base_may_be_a_folder(repository: Repository) {
    repository.widen();
    let root = testing::root();
    let said = repository.diff(&[root.to_str().unwrap()]);
    assert_eq!(said.code, Some(1), "{}", said.err);
    assert!(said.out.contains("argument-range  search: top_ke"), "{}", said.out);
}

#[rstest]
fn what_is_not_committed_is_compared_on_demand(repository: Repository) {
    repository.widen();
    let refused = repository.diff(&[]);
    assert_eq!(refused.code, Some(2));
    let due = "have changes that are not committed (M schemas/memory/search.input.schema.json): commit them, or give \
               --uncommitted";
    assert!(refused.err.contains(due), "{}", refused.err);
    let said = repository.diff(&["HEAD", "--uncommitted"]);
    assert_eq!(said.code, Some(1), "{}", said.err);
}

#[rstest]
fn a_base_that_is_not_there(repository: Repository) {
    let said = repository.diff(&["v9"]);
    assert_eq!(said.code, Some(2));
    assert!(said.err.contains("`v9` is neither a folder nor a revision that git knows"), "{}", said.err);
}

#[rstest]
fn a_base_before_this_layout(repository: Repository) {
    repository.git(&["checkout", "--quiet", "--orphan", "old"]);
    repository.git(&["rm", "-r", "--quiet", "--cached", "."]);
    fs::write(repository.path().join("README"), "nothing yet").unwrap();
    repository.git(&["add", "README"]);
    repository.git(&["commit", "--quiet", "-m", "Before"]);
    let said = repository.diff(&["old", "work"]);
    assert_eq!(said.code, Some(2));
    assert!(said.err.contains("it is older than this layout"), "{}", said.err);
    let folder = tempdir().unwrap();
    let said = repository.diff(&[folder.path().to_str().unwrap(), "work"]);
    assert_eq!(said.code, Some(2));
    assert!(said.err.contains("holds no contracts"), "{}", said.err);
}

#[rstest]
#[case::no_schema(|schema: &mut Value| schema["type"] = json!("objekt"), "is not a JSON Schema")]
#[case::a_reference_to_nothing(|schema: &mut Value| schema["$ref"] = json!("gone.schema.json"), "does not compile")]
fn a_side_that_does_not_compile(
    repository: Repository,
    #[case] change: fn(&mut Value),
    #[case] due: &str,
    #[values(true, false)] is_base: bool,
) {
    repository.edit(INPUT, change);
    let broken = repository.commit("Broken");
    let said = if is_base { repository.diff(&[&broken, "main"]) } else { repository.diff(&["main"]) };
    assert_eq!(said.code, Some(2));
    assert!(said.err.contains(due) && said.err.contains(INPUT), "{}", said.err);
}

/// What the reference answered, judged by both revisions: entries have a new obligation, which their answers violate.
#[rstest]
fn evidence_tells_who_breaks(repository: Repository) {
    let log: PathBuf = repository.path().join("run.ndjson");
    let ran = said(xtask(&["verify", "memory", "--case", "answer", "-q", "--log"]).arg(&log));
    assert!(matches!(ran.code, Some(0)), "{}{}", ran.out, ran.err);
    repository.edit("schemas/memory/contract.json", |contract| {
        let due = json!({ "id": "memory.count-even", "level": "must", "origin": "stated",
                          "section": "Response Structure (Always Same)", "text": "`count` is even." });
        contract["requirements"].as_array_mut().unwrap().push(due);
    });
    repository.edit("fixtures/memory/always.json", |always| {
        let check = json!({ "of": ["search"], "check": { "requirement": "memory.count-even", "select": "@.answer.body.count",
            "schema": { "multipleOf": 2 }, "broken_by": [{ "about": "one too many", "also": ["memory.count-entries"],
                "patch": [{ "op": "replace", "path": "/answer/body/count", "value": 3 }] }] } });
        always["checks"].as_array_mut().unwrap().push(check);
    });
    repository.git(&["add", "schemas", "fixtures"]);
    repository.git(&["commit", "--quiet", "-m", "Even"]);
    let said = repository.diff(&["--evidence", "*.ndjson"]);
    assert_eq!(said.code, Some(1), "{}", said.err);
    // Sentences are broken to the width.
    let out = said.out.split_whitespace().collect::<Vec<_>>().join(" ");
    let due = "reference: memory.count-even over http, mcp-stdio (legacy), mcp-stdio (modern), mcp-http (legacy), mcp-http (modern) is \
               violated now";
    assert!(out.contains(due), "{}", said.out);
    let said = repository.diff(&["--evidence", "none/*.ndjson"]);
    assert_eq!(said.code, Some(2));
    assert!(said.err.contains("no file is called none/*.ndjson"), "{}", said.err);
}

/// Neither git nor a checkout is asked: what the program carries has the revisions.
#[test]
fn two_revisions_are_compared_without_git() {
    let nowhere = tempdir().unwrap();
    let said = said(xtask(&["diff", "memory@1", "memory@2"]).current_dir(nowhere.path()).env("PATH", nowhere.path()));
    assert_eq!(said.code, Some(0), "{}{}", said.out, said.err);
    assert_snapshot!(said.out);
}

/// What two servers answered, each of one revision: whom the later document breaks, and whom it suits. Both logs have the same target, so
/// their files tell them apart.
#[test]
fn evidence_tells_whom_a_later_revision_breaks() {
    let folder = tempdir().unwrap();
    for revision in ["memory@1", "memory@2"] {
        let words =
            ["verify", "memory", "--revision", revision, "--case", "tools/", "--case", "request/beyond", "-q", "--log"];
        let ran = said(xtask(&words).arg(folder.path().join(format!("{revision}.ndjson"))));
        assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    }
    let said = said(xtask(&["diff", "memory@1", "memory@2", "--evidence", "*.ndjson"]).current_dir(folder.path()));
    assert_eq!(said.code, Some(0), "{}{}", said.out, said.err);
    // Sentences are broken to the width.
    let out = said.out.split_whitespace().collect::<Vec<_>>().join(" ");
    let everywhere = "mcp-stdio (legacy), mcp-stdio (modern), mcp-http (legacy), mcp-http (modern)";
    for due in [
        format!("reference (memory@1.ndjson): memory.tool-top-ke-range over {everywhere} is violated now"),
        format!(
            "reference (memory@2.ndjson): memory.tool-top-ke-range over {everywhere} was violated and is not any more"
        ),
        format!("over http, {everywhere} cannot be told without a new run: memory.most-contexts, memory.most-entries"),
    ] {
        assert!(out.contains(&due), "{due}: {}", said.out);
    }
    assert_eq!(out.matches("cannot be told").count(), 1, "{}", said.out);
}

/// What the page about changes shows is what the program prints: line by line, but for lines that end with `…`.
#[rstest]
fn the_page_about_changes_shows_what_is_printed(repository: Repository) {
    let page = fs::read_to_string(testing::root().join("docs/changes.md")).unwrap();
    let shown = |command: &str| -> Vec<String> {
        let mut lines = page.lines().skip_while(|line| line.trim() != format!("$ cargo xtask {command}")).skip(1);
        let lines =
            lines.by_ref().take_while(|line| line.is_empty() || line.starts_with("    ") && !line.contains("    $ "));
        lines.map(|line| line.trim().to_owned()).filter(|line| !line.is_empty() && line != "…").collect()
    };
    let holds = |said: &Said, shown: &[String]| {
        assert!(!shown.is_empty());
        let mut printed = said.out.lines().map(str::trim);
        for line in shown {
            let is_it =
                |one: &str| line.strip_suffix('…').map_or(one == line, |start| one.starts_with(start.trim_end()));
            assert!(printed.any(is_it), "not printed, or not there: {line}\n{}", said.out);
        }
    };
    let approved = repository.diff(&["memory@1", "memory@2"]);
    holds(&approved, &shown("diff memory@1 memory@2 | tail -1"));
    let changes = repository.path().join("schemas/memory/changes.md");
    let text = fs::read_to_string(&changes).unwrap();
    fs::write(&changes, text.split("## Revision 2").next().unwrap()).unwrap();
    holds(&repository.diff(&["memory@1", "memory@2"]), &shown("diff memory@1 memory@2"));
}

#[rstest]
#[case::two_contracts(&["memory@1", "recall@1"], "memory@1 and recall@1 are two contracts")]
#[case::backwards(&["memory@2", "memory@1"], "memory@1 does not come after memory@2; name the earlier revision first")]
#[case::one_alone(&["memory@1"], "two revisions of a contract are compared with each other, as in")]
#[case::never(&["memory@1", "memory@7"], "memory has no revision 7; it has memory@1 (ADR-017), memory@2 (ADR-020)")]
fn revisions_that_cannot_be_compared(#[case] arguments: &[&str], #[case] due: &str) {
    let said = said(xtask(&["diff"]).args(arguments));
    assert_eq!(said.code, Some(2), "{}", said.out);
    assert!(said.err.contains(due), "{}", said.err);
}

/// A base of the days when a contract had a number of its own, and one revision.
#[rstest]
fn a_base_before_there_were_revisions(repository: Repository) {
    let base = tempdir().unwrap();
    for folder in ["schemas", "fixtures"] {
        copy(&repository.path().join(folder), &base.path().join(folder));
    }
    let memory = base.path().join("schemas/memory");
    fs::remove_file(memory.join("revisions.json")).unwrap();
    for file in ["search.input.2.schema.json", "search.output.2.schema.json"] {
        fs::remove_file(memory.join(file)).unwrap();
    }
    let contract = fs::read_to_string(memory.join("contract.json")).unwrap();
    fs::write(memory.join("contract.json"), contract.replacen("\"title\"", "\"revision\": 4, \"title\"", 1)).unwrap();
    let said = repository.diff(&[base.path().to_str().unwrap(), "--format", "json"]);
    assert_eq!(said.code, Some(0), "{}{}", said.out, said.err);
    let json: Value = serde_json::from_str(&said.out).unwrap();
    let changes = json["changes"].as_array().unwrap();
    assert!(changes.iter().any(|one| one["kind"] == "revision-added" && one["subject"] == "memory@2"), "{}", said.out);
    let is_step = |one: &Value| one["revisions"] == json!([{ "before": 1, "now": 2 }]);
    assert!(changes.iter().all(is_step), "the first revision is what it was: {}", said.out);
}

/// A later document calls the argument of a tool otherwise; the cases go on to call it as before.
#[rstest]
fn a_name_on_the_wire_is_one_change(repository: Repository) {
    let renamed = json!({ "revision": 2, "name": "0.15", "signs": [],
        "operations": { "search-by-tag": { "mcp": { "rename": { "tag": "tagRemId" } } } } });
    let folder = repository.path().join("schemas/remnote");
    for file in fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
        // What the revisions have that are gone here.
        if file.to_str().unwrap().trim_end_matches(".schema.json").ends_with(|last: char| last.is_ascii_digit()) {
            fs::remove_file(file).unwrap();
        }
    }
    repository.edit("schemas/remnote/revisions.json", |file| {
        let revisions = file["revisions"].as_array_mut().unwrap();
        revisions.truncate(1);
        revisions.push(renamed);
    });
    let said = repository.diff(&["remnote@1", "remnote@2", "--format", "json"]);
    assert_eq!(said.code, Some(1), "{}{}", said.out, said.err);
    let json: Value = serde_json::from_str(&said.out).unwrap();
    // Sentences of later revisions come too.
    let is_of_call = |one: &&Value| one["subject"].as_str().unwrap().starts_with("search-by-tag: ");
    let changes: Vec<&Value> = json["changes"].as_array().unwrap().iter().filter(is_of_call).collect();
    let [one] = changes.as_slice() else { panic!("one change: {}", said.out) };
    assert_eq!(
        (&one["kind"], &one["subject"]),
        (&json!("binding-argument"), &json!("search-by-tag: mcp argument tag"))
    );
    assert_eq!((&one["was"], &one["now"]), (&json!("tag"), &json!("tagRemId")));
}
