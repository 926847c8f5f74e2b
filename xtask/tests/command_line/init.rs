//! `init` before servers and programs of every kind: what it sees, what it writes, and what it leaves alone.

use super::xtask;
use rstest::rstest;
use serde_json::Value;
use std::fs;
use std::process::{Command, Stdio};
use tempfile::TempDir;
use testing::{Answer, Said, Script, Server, said, unused_address};

/// Somebody's repository.
struct Repository {
    folder: TempDir,
}

impl Repository {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("memories")).unwrap();
        Self { folder }
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = xtask(words);
        command.current_dir(self.folder.path().join("memories")).stdin(Stdio::null());
        command
    }

    fn says(&self, words: &[&str]) -> Said {
        said(&mut self.command(words))
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    fn write(&self, name: &str, text: &str) {
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        fs::write(self.path(name), text).unwrap();
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join("memories").join(name)
    }

    fn holds_nothing(&self) -> bool {
        fs::read_dir(self.path("")).unwrap().next().is_none()
    }
}

const TARGET: &str = "conformance.toml";
const WORKFLOW: &str = ".github/workflows/conformance.yml";

/// A server that sends the same to everybody.
fn server(answer: &'static [u8]) -> Server {
    Server::new(move |_| Answer::End(answer.to_vec()))
}

/// The command line of a reference that serves the corpora, on a port that is put in.
fn serving() -> String {
    let fixtures = testing::root().join("fixtures");
    let program = testing::reference().unwrap().display();
    format!("'{program}' serve --port {{port}} --corpus '{}'", fixtures.display())
}

#[test]
fn a_server_of_several_contracts() {
    let repository = Repository::new();
    let start = serving();
    let words = ["init", "http://127.0.0.1:{port}", "--start", &start, "--corpus-loaded", "--no-run"];
    let init = repository.says(&words);
    assert_eq!((init.code, init.err.as_str()), (Some(0), ""));
    let without_port = |text: &str| {
        let words = text.split_inclusive([' ', '\n', '/']).map(|word| match word.starts_with("127.0.0.1:") {
            true => format!(
                "127.0.0.1:PORT{}",
                word.trim_start_matches(|one: char| one.is_ascii_digit() || ".:".contains(one))
            ),
            false => word.to_owned(),
        });
        words.collect::<String>()
    };
    let out = without_port(&init.out);
    // The reference speaks every contract, and a snapshot holds two of them: another contract changes none.
    let is_listed = |line: &&str| line.contains(", as in ") || line.starts_with("It speaks ");
    let (listed, said): (Vec<&str>, Vec<&str>) = out.lines().partition(is_listed);
    insta::assert_snapshot!("what_is_said_of_a_server", said.join("\n"));
    let listed = listed.join("\n");
    for line in [
        "  POST /v0/search: 200, application/json, as in memory\n",
        "  GET /api/v1/search: 200, application/json, as in recall\n",
        "  MCP at http://127.0.0.1:PORT/mcp (modern): the tools ",
        " search_memories, ",
        "\nIt speaks ",
        " memory@1 (ADR-017, assumed) (HTTP), recall (HTTP), ",
        " memory@1 (ADR-017, recognised: search_memories says 10 entries and 3 contexts) (MCP over HTTP), ",
    ] {
        assert!(listed.contains(line), "{line:?} in {listed}");
    }
    let target = repository.read(TARGET);
    let program = testing::reference().unwrap().display().to_string();
    let target = target.replace(&program, "REFERENCE").replace(&testing::root().display().to_string(), "ROOT");
    let is_shown = |part: &&str| {
        !part.contains("[[endpoint]]")
            || ["memory", "recall"].iter().any(|name| part.contains(&format!("= \"{name}\"")))
    };
    let shown: Vec<&str> = target.split("\n\n").filter(is_shown).collect();
    insta::assert_snapshot!("the_target_file_of_a_server", shown.join("\n\n"));
    insta::assert_snapshot!("the_workflow", repository.read(WORKFLOW));

    let verified = repository.says(&["verify", "--target", TARGET, "--case", "params/", "-q"]);
    assert_eq!(verified.code, Some(0), "{}{}", verified.out, verified.err);
}

#[test]
fn an_mcp_server_on_standard_streams() {
    let repository = Repository::new();
    let program = testing::reference().unwrap().display().to_string();
    let corpus = testing::root().join("fixtures").display().to_string();
    let init = repository.says(&["init", "--no-run", "--", &program, "mcp", "--corpus", &corpus]);
    assert_eq!(init.code, Some(0), "{}{}", init.out, init.err);
    assert!(init.out.contains("outline@1 (first version, recognised: "), "{}", init.out);
    assert!(repository.read(TARGET).contains(&format!("mcp = {{ command = [\"{program}\", \"mcp\", ")));
}

/// A server that finds nothing, whatever is asked, and refuses nothing.
fn empty() -> Server {
    server(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 11\r\nconnection: close\r\n\r\n{\"data\":[]}")
}

#[test]
fn failures_are_known_once_they_have_a_reason() {
    let (repository, server) = (Repository::new(), empty());
    let init =
        repository.says(&["init", &server.address, "--contract", "recall", "--write-known-failures", "--ci", "none"]);
    assert_eq!(init.code, Some(0), "{}{}", init.out, init.err);
    let target = repository.read(TARGET);
    let known = target.find("\n# What the run of ").map(|at| &target[at..]).unwrap();
    let day = known.split("the run of ").nth(1).unwrap()[..10].to_owned();
    insta::assert_snapshot!("known_failures_without_a_reason", known.replace(&day, "DAY"));
    assert!(init.out.contains("known failures needs its reason: conformance.toml is refused"), "{}", init.out);

    let refused = repository.says(&["verify", "--target", TARGET]);
    assert_eq!((refused.code, refused.out.as_str()), (Some(2), ""));
    assert!(refused.err.contains("has no reason: say"), "{}", refused.err);

    repository.write(TARGET, &target.replace("reason = \"\"", "reason = \"tracked in our #12\""));
    // A server that finds nothing is not a success, even where nothing is held against it.
    let verified = repository.says(&["verify", "--target", TARGET, "-q"]);
    assert_eq!(verified.code, Some(3), "{}{}", verified.out, verified.err);
    assert!(!verified.out.contains("VIOLATED") && verified.out.contains("no answer holds an item"), "{}", verified.out);
}

#[test]
fn one_reason_for_all_failures() {
    let (repository, server) = (Repository::new(), empty());
    let reason = "tracked in \"our\" #12";
    let words = ["init", &server.address, "--contract", "recall", "--write-known-failures", "--reason", reason];
    assert_eq!(repository.says(&words).code, Some(0));
    let verified = repository.says(&["verify", "--target", TARGET, "-v"]);
    assert_eq!(verified.code, Some(3), "{}{}", verified.out, verified.err);
    assert!(!verified.out.contains("VIOLATED"), "{}", verified.out);
    assert!(verified.out.contains(reason), "{}", verified.out);
}

/// What `init` says of a target, without the target's name, the list of contracts and the calls of each, which another contract
/// makes longer. Calls that saw the same are one line.
fn spoken_of(out: &str, target: &str, name: &str) -> String {
    let out = out.replace(target, name).replace(&testing::contracts().join(", "), "CONTRACTS");
    let mut lines: Vec<String> = out.lines().map(without_call).collect();
    lines.dedup();
    lines.join("\n")
}

/// A line without the method and the path of a call.
fn without_call(line: &str) -> String {
    match line.split_once(": ").filter(|(call, _)| call.starts_with("  GET /") || call.starts_with("  POST /")) {
        Some((_, seen)) => format!("  METHOD PATH: {seen}"),
        None => line.to_owned(),
    }
}

#[rstest]
#[case::another_server(
    "not_found",
    b"HTTP/1.1 404 Not Found\r\ncontent-type: text/html\r\ncontent-length: 9\r\nconnection: close\r\n\r\nNot Found"
)]
#[case::one_answer_to_everything("everything", b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 11\r\nconnection: close\r\n\r\n{\"ok\":true}")]
#[case::a_page_for_everything(
    "page",
    b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 7\r\nconnection: close\r\n\r\n<html/>"
)]
#[case::a_server_that_breaks("breaks", b"HTTP/1.1 500 Oh\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")]
#[case::an_endless_header("garbage", b"SSH-2.0-OpenSSH_9.6 \x1b[31mred\r\n\r\n\r\n")]
fn a_server_that_speaks_none_of_them(#[case] name: &str, #[case] answer: &'static [u8]) {
    let (repository, server) = (Repository::new(), server(answer));
    let init = repository.says(&["init", &server.address]);
    assert_eq!((init.code, init.err.as_str()), (Some(5), ""), "{}", init.out);
    insta::assert_snapshot!(format!("none_of_them_{name}"), spoken_of(&init.out, &server.address, "ADDRESS"));
    assert!(repository.holds_nothing());
}

/// A server of other people's tools. The second has the name of one of ours, and other arguments.
const OTHER_TOOLS: &str = r#"
while read -r line; do
    id=${line#*\"id\":}; id=${id%%[,\}]*}
    case $line in
    *'"initialize"'*) result='{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"}}' ;;
    *'"tools/list"'*) result='{"tools":[
        {"name":"read_file","inputSchema":{"type":"object","properties":{"path":{"type":"string"}}}},
        {"name":"search_memories","inputSchema":{"type":"object","properties":{"needle":{"type":"string"}}}}]}' ;;
    *) continue ;;
    esac
    printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$(printf %s "$result" | tr -d '\n')"
done
"#;

#[test]
fn tools_of_none_of_them() {
    let (repository, program) = (Repository::new(), Script::new(OTHER_TOOLS));
    let path = program.file("script.sh").display().to_string();
    let init = repository.says(&["init", "--", "/bin/sh", &path]);
    assert_eq!((init.code, init.err.as_str()), (Some(5), ""), "{}", init.out);
    insta::assert_snapshot!("none_of_them_tools", spoken_of(&init.out, &path, "PROGRAM"));
    let named = repository.says(&["init", "--contract", "memory", "--no-run", "--", "/bin/sh", &path]);
    assert_eq!(named.code, Some(0), "{}{}", named.out, named.err);
    assert!(repository.read(TARGET).contains("contract = \"memory\""));
}

#[test]
fn tools_of_a_later_revision_alone() {
    // Of the arguments that the first revision knows, there is none.
    let mine = r#"{"name":"remnote_search_by_tag","inputSchema":{"type":"object","properties":{"tagRemId":{"type":"string"}}}},
        {"name":"remnote_read_note","inputSchema":{"type":"object","properties":{"contentMode":{"type":"string"}}}}]}'"#;
    let at = OTHER_TOOLS.find(r#"{"name":"read_file""#).unwrap();
    let rest = OTHER_TOOLS[at..].split_once("]}'").unwrap().1;
    let (repository, program) = (Repository::new(), Script::new(&format!("{}{mine}{rest}", &OTHER_TOOLS[..at])));
    let path = program.file("script.sh").display().to_string();
    let init = repository.says(&["init", "--no-run", "--", "/bin/sh", &path]);
    assert_eq!((init.code, init.err.as_str()), (Some(0), ""), "{}", init.out);
    let signs = "remnote_search_by_tag takes tagRemId, remnote_read_note takes contentMode";
    assert!(
        init.out.contains(&format!("\nIt speaks remnote@5 (0.16, recognised: {signs}) (MCP on standard streams)")),
        "{}",
        init.out
    );
    let target = repository.read(TARGET);
    assert!(target.contains(&format!("contract = \"remnote\"\nrevision = 5     # 0.16: {signs}\n")), "{target}");
}

#[rstest]
#[case::a_program_that_says_nothing(&["--", "/bin/cat"])]
#[case::a_program_that_fails(&["--", "/bin/false"])]
#[case::a_program_that_lists(&["--", "/bin/ls"])]
fn a_program_that_speaks_none_of_them(#[case] words: &[&str]) {
    let repository = Repository::new();
    let init = repository.says(&[&["init", "--timeout", "5"], words].concat());
    assert_eq!((init.code, init.err.as_str()), (Some(5), ""), "{}", init.out);
    let none = format!("That speaks none of the contracts {}.", testing::contracts().join(", "));
    assert!(init.out.contains(&none), "{}", init.out);
    assert!(repository.holds_nothing());
}

#[rstest]
#[case::nobody_listens(unused_address(), &[], "nothing answers at http://127.0.0.1:")]
#[case::no_such_program("--".to_owned(), &["no-such-program"], "the program `no-such-program` cannot be started")]
#[case::a_start_that_ends("http://127.0.0.1:{port}".to_owned(), &["--start", "/bin/false"], "it ended with exit status: 1")]
fn a_target_that_is_not_there(#[case] address: String, #[case] words: &[&str], #[case] why: &str) {
    assert_not_there(&address, words, why);
}

#[rstest]
#[case::no_tls(b"HTTP/1.1 200 OK\r\n\r\n", "https", "nothing answers at https://127.0.0.1:")]
#[case::a_token_is_wanted(
    b"HTTP/1.1 401 No\r\ncontent-length: 0\r\nconnection: close\r\n\r\n",
    "http",
    "it wants a token"
)]
fn a_server_that_nobody_can_speak_to(#[case] answer: &'static [u8], #[case] scheme: &str, #[case] why: &str) {
    let server = server(answer);
    assert_not_there(&server.address.replace("http", scheme), &[], why);
}

fn assert_not_there(address: &str, words: &[&str], why: &str) {
    let repository = Repository::new();
    let init = repository.says(&[&["init", address], words].concat());
    assert_eq!(init.code, Some(4), "{}{}", init.out, init.err);
    assert!(init.err.starts_with("error: ") && init.err.contains(why) && init.err.lines().count() == 1, "{}", init.err);
    assert!(repository.holds_nothing());
}

#[test]
fn a_server_that_never_answers_is_not_waited_for() {
    let server = Server::new(|_| Answer::Hang(Vec::new()));
    let repository = Repository::new();
    let init = repository.says(&["init", &server.address, "--timeout", "1"]);
    assert_eq!((init.code, init.err.as_str()), (Some(5), ""), "{}", init.out);
    insta::assert_snapshot!("none_of_them_silent", spoken_of(&init.out, &server.address, "ADDRESS"));
}

#[rstest]
#[case::target(TARGET)]
#[case::workflow(WORKFLOW)]
fn what_is_there_is_left_alone(#[case] name: &str) {
    let repository = Repository::new();
    repository.write(name, "mine");
    let program = testing::reference().unwrap().display().to_string();
    let words = ["init", "--ci", "github", "--no-run", "--", &program, "qipu"];
    let init = repository.says(&words);
    let due = format!("error: {name} is there already; --force writes over it\n");
    assert_eq!((init.code, init.out.as_str(), init.err), (Some(2), "", due));
    assert_eq!(repository.read(name), "mine");
    assert_eq!(repository.says(&[&["init", "--force"], &words[1..]].concat()).code, Some(0));
    assert_ne!(repository.read(name), "mine");
}

#[test]
fn somebody_has_to_be_there_to_be_asked() {
    let init = Repository::new().says(&["init"]);
    assert_eq!((init.code, init.out.as_str()), (Some(2), ""));
    assert!(init.err.starts_with("error: give an address or `-- COMMAND`"), "{}", init.err);
}

#[rstest]
#[case::github(&["--ci", "github", "--repository", "https://github.com/o/r"], WORKFLOW, "uses: o/r@main")]
#[case::elsewhere(&["--ci", "github", "--repository", "https://git.test/o/r"], WORKFLOW, "--git https://git.test/o/r --root")]
#[case::gitlab(&["--ci", "gitlab", "--repository", "https://git.test/o/r"], ".gitlab-ci.yml", "CONTRACTS: https://git.test/o/r")]
fn the_file_of_a_ci_is_one(#[case] words: &[&str], #[case] file: &str, #[case] holds: &str) {
    let repository = Repository::new();
    let program = testing::reference().unwrap().display().to_string();
    let init = repository.says(&[&["init", "--no-run"], words, &["--", &program, "qipu"]].concat());
    assert_eq!(init.code, Some(0), "{}{}", init.out, init.err);
    assert!(!init.out.contains("Put the address"), "{}", init.out);
    let text = repository.read(file);
    assert!(text.contains(holds), "{text}");
    let yaml: Value = serde_saphyr::from_str(&text).unwrap();
    let steps = yaml.pointer("/jobs/conformance/steps").or(yaml.pointer("/conformance/script")).unwrap();
    assert!(steps.as_array().unwrap().len() >= 2, "{text}");
}

#[test]
fn a_file_of_gitlab_that_is_there_includes_ours() {
    let repository = Repository::new();
    repository.write(".gitlab-ci.yml", "mine: {}");
    let program = testing::reference().unwrap().display().to_string();
    let init = repository.says(&["init", "--no-run", "--", &program, "qipu"]);
    assert_eq!(init.code, Some(0), "{}{}", init.out, init.err);
    assert!(init.out.contains("Add to .gitlab-ci.yml: include: { local: conformance.gitlab-ci.yml }"), "{}", init.out);
    assert_eq!(repository.read(".gitlab-ci.yml"), "mine: {}");
}
