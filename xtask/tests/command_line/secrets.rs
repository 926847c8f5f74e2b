//! No form of a secret on the console, wherever it comes from: a run, a target that is not there, a tap between a client and a
//! server.

use super::xtask;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rstest::rstest;
use serde_json::json;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use testing::{Said, Script, Server, ok, said};

/// Every encoding changes something of it, and most leave its middle as it is.
const SECRET: &str = "k3y&<>\"x'/+z~Zq7Wk2Vx9Jb4Ht1?";

/// The forms of the secret, by the bytes before it for base64.
fn forms() -> Vec<String> {
    let percent = |byte: u8| match byte {
        byte if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    };
    let html = SECRET.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
    let mut forms = vec![
        SECRET.to_owned(),
        SECRET.bytes().map(percent).collect(),
        serde_json::to_string(SECRET).unwrap().trim_matches('"').to_owned(),
        html.replace('\'', "&#39;"),
        SECRET.bytes().map(|byte| format!("{byte:02x}")).collect(),
    ];
    forms.extend(["", "u", "me"].map(|before| STANDARD.encode(format!("{before}:{SECRET}"))));
    forms
}

/// No eight letters of a form are left, one after the other, and what is there instead says so.
fn assert_redacted(said: &Said) {
    assert!(format!("{}{}", said.out, said.err).contains("[redacted"), "nothing of the secret was shown: {said:?}");
    assert_keeps(said);
}

/// No eight letters of a form are left, one after the other.
fn assert_keeps(said: &Said) {
    let text = format!("{}{}", said.out, said.err);
    for form in forms() {
        // What is around the secret decides the ends of its form.
        let letters: Vec<char> = form.chars().collect();
        let parts = letters[4..letters.len() - 4].windows(8).map(|part| part.iter().collect::<String>());
        let left: Vec<String> =
            parts.filter(|part| part.chars().all(char::is_alphanumeric) && text.contains(part)).collect();
        assert!(left.is_empty(), "{left:?} of {form}: {text}");
    }
}

/// Runs what knows the secret as a variable, as a CI server does.
fn said_to(command: &mut Command) -> Said {
    command.env("KEY", SECRET).env("GITHUB_ACTIONS", "true").stdin(Stdio::null());
    said(command)
}

/// A program that says all forms, on both streams, and fails.
fn talker() -> Script {
    let script = Script::new("cat \"${0%/*}/forms\"; cat \"${0%/*}/forms\" >&2; exit 1\n");
    fs::write(script.file("forms"), forms().join("\n") + "\n").unwrap();
    script
}

/// What `verify` says of a target with these lines, and what it says as it explores.
fn judged(target: &str) -> [Said; 2] {
    let talker = talker();
    let file = talker.file("target.toml");
    let name = if target.starts_with("name") { "" } else { "name = 'x'\n" };
    let target = target.replace("TALKER", &talker.file("script.sh").display().to_string());
    fs::write(&file, format!("secret = ['KEY']\n{name}{target}\n")).unwrap();
    let case = if target.contains("records") { "header" } else { "live" };
    [&["--case", case][..], &["-v", "--explore", "2"]].map(|more| {
        let said = said_to(xtask(&["verify", "--target"]).arg(&file).args(more));
        assert!(![Some(0), Some(5)].contains(&said.code), "{}{}", said.out, said.err);
        said
    })
}

#[rstest]
#[case::as_it_starts(
    "start = ['/bin/sh', 'TALKER', '{corpus}']\n[[endpoint]]\ncontract = 'recall'\nhttp = 'http://127.0.0.1:{port}'"
)]
#[case::as_it_is_seeded("seed = ['/bin/sh', 'TALKER']\n[[endpoint]]\ncontract = 'recall'\nhttp = 'http://127.0.0.1:1'")]
#[case::over_standard_streams(
    "seed = ['true']\n[[endpoint]]\ncontract = 'remnote'\nmcp = { command = ['/bin/sh', 'TALKER'] }"
)]
#[case::as_it_is_called("seed = ['true']\n[[endpoint]]\ncontract = 'records'\ncli = ['/bin/sh', 'TALKER']")]
fn a_program_that_says_it_and_fails(#[case] target: &str) {
    judged(target).iter().for_each(assert_redacted);
}

#[rstest]
#[case::in_its_words(
    "seed = ['true']\n[[endpoint]]\ncontract = 'records'\ncli = ['no-such-program', '--with', '${KEY}']"
)]
#[case::in_its_name("name = 'of ${KEY}'\n[[endpoint]]\ncontract = 'recall'\nhttp = 'http://127.0.0.1:1/${KEY}'")]
#[case::in_an_address_that_is_none("[[endpoint]]\ncontract = 'recall'\nhttp = 'http://[${KEY}'")]
#[case::in_a_header("[[endpoint]]\ncontract = 'recall'\nhttp = 'http://127.0.0.1:1'\nheaders = { 'X Y' = '${KEY}' }")]
fn a_target_that_is_not_there(#[case] target: &str) {
    judged(target).iter().for_each(assert_keeps);
}

#[rstest]
#[case::an_address(&["--http", "http://me:SECRET@["])]
#[case::a_query(&["--http", "http://[?api_key=SECRET"])]
#[case::a_header_without_a_name(&["--http", "http://127.0.0.1:1", "--header", "Authorization; Bearer SECRET"])]
#[case::an_open_quote(&["--cli", "server --api-key SECRET 'open"])]
fn words_of_the_command_line_that_make_no_sense(#[case] words: &[&str]) {
    let words: Vec<String> = words.iter().map(|word| word.replace("SECRET", "Zq7Wk2Vx9Jb4Ht1Zq7Wk2")).collect();
    for command in ["verify", "init"] {
        let contract: &[&str] = if command == "verify" { &["recall"] } else { &[] };
        let said = said_to(xtask(&[command]).args(contract).args(&words));
        let text = format!("{}{}", said.out, said.err);
        assert!(said.code != Some(0) && !text.contains("Zq7Wk2Vx"), "{text}");
    }
}

#[rstest]
fn a_server_that_says_it(#[values("verify", "tap")] command: &str) {
    let body = json!({ "data": [{ "frame_id": forms().join(" "), "frame_url": forms() }], "you": forms() });
    // What is not JSON is reported by a tap, too.
    let end = if command == "tap" { "}" } else { "" };
    let server = Server::new(move |_| ok(format!("{body}{end}")));
    if command == "verify" {
        let header = ["--header", "X-Api-Key: ${KEY}", "--case", "live", "-v"];
        return assert_redacted(&said_to(xtask(&["verify", "recall", "--http", &server.address]).args(header)));
    }
    let tap = super::tap::Tap::before(&server.address, &["-v", "--contract", "recall"]);
    let query = "q=alpha&start_time=1&apikey=k3y%26%3C%3E%22x%27%2F%2Bz~Zq7Wk2Vx9Jb4Ht1%3F";
    let ask = format!(
        "GET /api/v1/search?{query} HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: {SECRET}\r\nConnection: close\r\n\r\n"
    );
    tap.raw(ask.as_bytes());
    let ended = tap.end();
    assert!(ended.out.contains("repeat: "), "{ended:?}");
    assert_redacted(&Said { code: ended.code, out: ended.out, err: ended.err });
}

#[test]
fn a_program_behind_a_tap_that_says_it() {
    let talker = talker();
    let with = json!({ "query": "q", "api_key": SECRET });
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "search_memories", "arguments": with } });
    let content = json!([{ "type": "text", "text": forms().join(" ") }]);
    let answer = json!({ "jsonrpc": "2.0", "id": 1, "result": { "content": content } });
    fs::write(talker.file("answer"), format!("{answer}\n")).unwrap();
    let script = format!("read line; cat '{0}/forms' >&2; cat '{0}/answer'", talker.file("").display());
    let mut command =
        xtask(&["tap", "-v", "--contract", "memory", "--", "/bin/sh", "-c", &script, "--api-key", SECRET]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    writeln!(input, "{call}").unwrap();
    let mut received = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut received).unwrap();
    assert_eq!(received.trim_end(), answer.to_string());
    drop(input);
    let output = child.wait_with_output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    // Its standard error passes unchanged: the client reads there what the server says.
    let of_tap: Vec<&str> = err.lines().filter(|line| !forms().iter().any(|form| line == form)).collect();
    assert_redacted(&Said { code: output.status.code(), out: String::new(), err: of_tap.join("\n") });
}

#[test]
fn a_secret_that_is_too_short_is_named_and_not_shown() {
    let server = Server::new(|_| ok("{\"data\":[]}"));
    let mut command = xtask(&["verify", "recall", "--http", &server.address, "--case", "live/newest"]);
    let said = said(command.args(["--header", "X-Api-Key: ${SHORT}"]).env("SHORT", "q9z8w"));
    assert!(said.err.contains("fewer than 6 characters"), "{}", said.err);
    assert!(!said.err.contains("q9z8w"), "{}", said.err);
}

/// What a generator makes, as an operator's secret is.
const TOKEN: &str = "Qz8vTokAbC9dEf";

/// Runs a command that writes every report, and returns all that it says and writes.
fn everything(command: &mut Command) -> String {
    let folder = tempfile::tempdir().unwrap();
    for format in ["log", "html", "json", "junit", "markdown", "ctrf"] {
        command.arg(format!("--{format}")).arg(folder.path().join(format));
    }
    let said = said(command.env("FOO", TOKEN).env("TOKEN", TOKEN).stdin(Stdio::null()));
    let written = fs::read_dir(folder.path()).unwrap().map(|one| fs::read_to_string(one.unwrap().path()).unwrap());
    let written: Vec<String> = written.collect();
    assert_eq!(written.len(), 6, "{}", said.err);
    format!("{}{}{}", said.out, said.err, written.concat())
}

#[rstest]
fn a_token_is_shown_nowhere(
    #[values(
        &["--http", "http://TOKEN@HOST"], &["--http", "http://TOKEN:@HOST"], &["--http", "http://me:TOKEN@HOST"],
        &["--http", "http://HOST/#access_token=TOKEN"],
        &["--http", "http://HOST?code=TOKEN"], &["--http", "http://HOST?sid=TOKEN"], &["--http", "http://HOST?jwt=TOKEN"],
        &["--http", "http://HOST?psk=TOKEN"], &["--http", "http://HOST?passcode=TOKEN"],
        &["--http", "http://HOST", "--header", "X-Functions-Key: TOKEN"],
        &["--http", "http://HOST", "--header", "X-Sid: TOKEN"],
        &["--http", "http://HOST", "--header", "X-Access-Code: TOKEN"],
        &["--http", "http://HOST", "--header", "X-Client-Cert: TOKEN"],
        &["--http", "http://HOST", "--header", "X-Foo: ${TOKEN}"],
        &["--http", "http://HOST", "--header", "X-Foo: ${FOO}", "--secret", "FOO"]
    )]
    words: &[&str],
) {
    let server = Server::new(|asked| ok(json!({ "data": [{ "frame_id": asked.target() }] }).to_string()));
    let host = server.address.trim_start_matches("http://");
    let filled = |word: &&str| match word.contains("${") || word.starts_with("--") {
        true => (*word).to_owned(),
        false => word.replace("TOKEN", TOKEN).replace("HOST", host),
    };
    let words: Vec<String> = words.iter().map(filled).collect();
    let text = everything(xtask(&["verify", "recall", "--case", "live/newest", "-v"]).args(&words));
    assert!(!text.contains(TOKEN) && text.contains("[redacted: "), "{words:?}: {text}");
}

#[test]
fn an_ordinary_header_is_shown() {
    let server = Server::new(|_| ok("{\"data\":[]}"));
    let mut command = xtask(&["verify", "recall", "--http", &server.address, "--case", "live/newest"]);
    let text = everything(command.args(["--header", "Idempotency-Key: Qz8vTokAbC9dEf", "--header", "X-Foo: ${FOO}"]));
    assert!(text.contains(TOKEN) && !text.contains("[redacted: "), "{text}");
}

#[rstest]
#[case("FOO_THAT_IS_NOT_SET")]
#[case("${FOO}")]
fn a_secret_is_named_and_never_given(#[case] word: &str) {
    for command in [&["verify", "recall", "--http", "http://127.0.0.1:1"][..], &["init", "http://127.0.0.1:1"]] {
        let said = said(xtask(command).args(["--secret", word]).env("FOO", TOKEN));
        assert_eq!(said.code, Some(2), "{}", said.err);
        assert!(said.err.contains("takes the name of a variable") && !said.err.contains(word), "{}", said.err);
    }
}

#[rstest]
#[case("OPENAI_KEY = 'SECRET'")]
#[case("RAILS_MASTER_KEY = 'SECRET'")]
#[case("GH_PAT = 'SECRET'")]
#[case("MYSQL_DSN = 'u:SECRET@tcp(h)/db'")]
#[case("DATABASE_URL = 'postgres://u:SECRET@h/db'")]
#[case("CONNECTION = 'Server=h;Password=SECRET;Timeout=3'")]
fn a_variable_of_a_program_is_shown_nowhere(#[case] variable: &str) {
    let script = Script::new("env; echo 'H records=0 truncated=false'\n");
    let file = script.file("target.toml");
    let line = format!("['/bin/sh', '{}']", script.file("script.sh").display());
    let env = variable.replace("SECRET", TOKEN);
    let target = format!("name = 'x'\nenv = {{ {env} }}\n[[endpoint]]\ncontract = 'records'\ncli = {line}\n");
    fs::write(&file, target).unwrap();
    let text = everything(xtask(&["verify", "--case", "header", "--target"]).arg(&file));
    assert!(!text.contains(TOKEN) && text.contains("[redacted: "), "{text}");
}

#[test]
fn a_tap_shows_no_secret_that_an_answer_tells() {
    let script = Script::new("read line; cat \"${0%/*}/answer\"\n");
    let inner = json!({ "password": "Pw1Qz8vTokAbC9dEf", "h": [{ "name": "Authorization", "value": "Bearer Pw2Qz8vTokAbC9dEf" }] });
    let content = json!([
        { "type": "text", "text": inner.to_string() },
        { "type": "text", "text": "token: Pw3Qz8vTokAbC9dEf, https://u:Pw4Qz8vTokAbC9dEf@h/ and https://h/?api_key=Pw5Qz8vTokAbC9dEf" },
    ]);
    let structured = json!({ "token": ["Pw6Qz8vTokAbC9dEf"], "secret": { "value": "Pw7Qz8vTokAbC9dEf" },
        "pwd": "Pw8Qz8vTokAbC9dEf", "session": "Pw9Qz8vTokAbC9dEf", "url": "https://h/?sig=PwAQz8vTokAbC9dEf" });
    let result = json!({ "content": content, "structuredContent": structured });
    fs::write(script.file("answer"), format!("{}\n", json!({ "jsonrpc": "2.0", "id": 1, "result": result }))).unwrap();
    let (log, page) = (script.file("log"), script.file("page"));
    let mut command = xtask(&["tap", "-v", "--contract", "memory", "--log"]);
    command.arg(&log).arg("--html").arg(&page).args(["--", "/bin/sh"]).arg(script.file("script.sh"));
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let with = json!({ "name": "search_memories", "arguments": { "query": "q" } });
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": with });
    writeln!(child.stdin.take().unwrap(), "{call}").unwrap();
    let output = child.wait_with_output().unwrap();
    let written = [&log, &page].map(|file| fs::read_to_string(file).unwrap()).concat();
    let text = String::from_utf8(output.stderr).unwrap() + &written;
    assert!(!text.contains("Qz8vTok") && text.matches("[redacted: ").count() > 10, "{text}");
}
