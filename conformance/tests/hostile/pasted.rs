//! Commands that repeat a call, pasted into a shell: what arrives is what was sent, byte for byte, and nothing in it runs.

use conformance::report::repeat;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;
use testing::{Server, assert_inert, ok};

/// A folder with a program that records its arguments, and the file that words try to make.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        let record = "{ printf '%s\\0' \"$@\"; printf '%s' \"$PWD\"; } >\"$OUT\"\n";
        fs::write(place.file("record.sh"), record).unwrap();
        place
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// What a shell may read in another way, what a terminal or a runner obeys, and what does not show.
    fn words(&self) -> Vec<String> {
        let ran = self.file("ran").display().to_string();
        let touches = [
            format!("$(touch {ran})"),
            format!("`touch {ran}`"),
            format!("'; touch {ran}; '"),
            format!("\\'; touch {ran}; \\'"),
            format!("\" ; touch {ran} ; \""),
            format!("\n touch {ran} \n"),
            format!("& touch {ran} #"),
        ];
        // Alone, and beside what needs another way of quoting.
        let acting =
            touches.iter().flat_map(|touch| [touch.clone(), format!("\u{1b}{touch}"), format!("{touch}\u{ad}'\\")]);
        let plain = [
            "",
            " ",
            "~",
            "*",
            "-n",
            "--",
            "it's",
            "\\",
            "\\x27",
            "a\\",
            "$HOME",
            "!!",
            "!x",
            "^a^b",
            "{a,b}",
            "#",
            "=a",
            "a=b",
            "\u{e9}",
            "👩\u{200d}🌾",
            "\t",
            "\r\n",
            "\n",
            "\u{b}",
            "\u{1b}[2J",
            "\u{7f}",
            "\u{9b}31m",
            "\u{ad}",
            "\u{34f}",
            "\u{115f}",
            "\u{17b4}",
            "\u{180b}",
            "\u{200c}",
            "\u{202e}x",
            "\u{2800}",
            "\u{3164}",
            "\u{ffa0}",
            "\u{fe0f}",
            "\u{e0100}",
            "\u{e0041}",
            "\u{feff}",
            "\u{fffe}",
            "\u{10ffff}",
            "::error file=a::b",
            " ::stop-commands::x",
            "a ::add-mask::b",
            "##[set-output name=a]x",
            "a##vso[task.complete]",
            "'::error::'\\",
        ];
        acting.chain(plain.map(str::to_owned)).collect()
    }

    /// Runs the command of what was sent: by bash, and by a shell that knows no `$'…'`. It waits for nothing.
    fn pasted(&self, sent: &Value) -> String {
        let command = repeat::command(&json!({ "request": { "sent": sent } })).unwrap();
        assert_inert(&command);
        assert!(!command.contains('\n'), "{command}");
        let out = |shell: &str| {
            let file = self.file("out");
            let _ = fs::remove_file(&file);
            let script = format!("sleep() {{ :; }}; {command}");
            let said: Output = Command::new(shell)
                .args(["-c", &script])
                .env("OUT", &file)
                .current_dir(self.0.path())
                .output()
                .unwrap();
            assert!(!self.file("ran").exists(), "{shell} runs what a word says: {command}");
            (fs::read_to_string(file).unwrap_or_default(), said)
        };
        out("sh");
        let (text, said) = out("bash");
        assert!(said.status.success(), "{command}: {said:?}");
        text
    }

    /// What the recording program gets as its arguments, and its folder.
    fn arguments(&self, words: &[String], corpus: Option<&Path>, folder: &str) -> (Vec<String>, String) {
        let program = ["/bin/sh".to_owned(), self.file("record.sh").display().to_string()];
        let argv: Vec<&String> = program.iter().chain(words).collect();
        let text = self.pasted(&json!({ "argv": argv, "folder": folder, "corpus": corpus }));
        let (words, folder) = text.rsplit_once('\0').unwrap();
        (words.split('\0').map(str::to_owned).collect(), folder.to_owned())
    }
}

#[test]
fn arguments_arrive_as_they_were() {
    let place = Place::new();
    let words = place.words();
    assert_eq!(place.arguments(&words, None, "").0, words);
}

#[test]
fn any_argument_arrives_as_it_was() {
    let place = Place::new();
    let odd = "(::[a-z]|##|\\[|[a-z'\"$`\\\\\u{1b}\n\t !:#]|[^\u{0}]){0,12}";
    let words = proptest::collection::vec(odd, 1..40);
    let mut runner = TestRunner::new(Config { cases: 24, failure_persistence: None, ..Config::default() });
    runner
        .run(&words, |words| {
            prop_assert_eq!(place.arguments(&words, None, "").0, words);
            Ok(())
        })
        .unwrap();
}

#[test]
fn a_program_runs_in_its_folder_of_a_copy_of_its_corpus() {
    let place = Place::new();
    let corpus = place.file("it's a\u{1b}corpus");
    for name in ["-", "-n", "it's", "a b", "\u{ad}", "::error::x", "$HOME"] {
        fs::create_dir_all(corpus.join(name)).unwrap();
        fs::write(corpus.join(name).join("note"), "").unwrap();
        let (_, folder) = place.arguments(&["x".to_owned()], Some(&corpus), name);
        assert!(folder.ends_with(&format!("/{name}")) && Path::new(&folder).join("note").is_file(), "{folder}");
        assert!(!Path::new(&folder).starts_with(place.0.path()), "it runs in the corpus itself: {folder}");
        fs::remove_dir_all(Path::new(&folder).parent().unwrap()).unwrap();
    }
}

#[test]
fn a_message_on_standard_input_arrives_as_it_was() {
    let place = Place::new();
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "words": place.words() } });
    let command = ["/bin/sh", "-c", "cat >\"$OUT\""];
    let folder = place.file("a \u{1b} folder");
    fs::create_dir(&folder).unwrap();
    for folder in [Value::Null, json!(folder)] {
        let text = place.pasted(&json!({ "command": command, "folder": folder, "message": message }));
        assert_eq!(text.lines().nth(2), Some(message.to_string().as_str()));
    }
}

#[test]
fn a_request_arrives_as_it_was() {
    if Command::new("curl").arg("--version").output().is_err() {
        // The command is for people who have it; its words are tested all the same.
        return;
    }
    let place = Place::new();
    let server = Server::new(|_| ok("{}"));
    // No header can hold the controls, and a blank at either end is none of its value.
    let can_be_sent = |word: &String| {
        word.trim_matches([' ', '\t']) == word && !word.chars().any(|one| one != '\t' && (one < ' ' || one == '\u{7f}'))
    };
    let words = place.words();
    let mut headers: serde_json::Map<String, Value> = (0..)
        .zip(words.iter().filter(|word| can_be_sent(word)))
        .map(|(at, word)| (format!("X-Word-{at}"), json!(word)))
        .collect();
    headers.insert("X-Blank".to_owned(), json!(" "));
    headers.insert("Content-Type".to_owned(), json!("text/plain"));
    let path = "/a/%2e%2e/./b;'!$(x)*~[1]{2}?q=a%20b&'::error::'&##[a]=1&%";
    let body = json!({ "words": words });
    let url = format!("{}{path}", server.address);
    place.pasted(&json!({ "method": "POST", "url": url, "headers": headers, "body": body }));
    let heard = server.requests().pop().unwrap();
    let target = path.split('#').next().unwrap();
    assert_eq!(heard.head[0], format!("POST {target} HTTP/1.1"));
    assert_eq!(String::from_utf8(heard.body.clone()).unwrap(), body.to_string());
    for (name, value) in headers.iter().filter(|(name, _)| *name != "Content-Type") {
        let blank = value.as_str().unwrap().trim().is_empty();
        let line = if blank { format!("{name}:") } else { format!("{name}: {}", value.as_str().unwrap()) };
        assert!(heard.has(&line), "{line:?} is not among {:#?}", heard.head);
    }
    let kinds = heard.head.iter().filter(|line| line.to_lowercase().starts_with("content-type:"));
    assert_eq!(kinds.collect::<Vec<_>>(), ["content-type: application/json"]);
}

#[test]
fn what_no_command_can_pass_is_said() {
    let place = Place::new();
    let word = format!("\0$(touch {})", place.file("ran").display());
    let message = json!({ "jsonrpc": "2.0", "method": word });
    for sent in [
        json!({ "argv": ["true", word], "folder": "", "corpus": null }),
        json!({ "argv": ["true"], "folder": word, "corpus": "/" }),
        json!({ "argv": ["true"], "folder": "", "corpus": word }),
        json!({ "command": [word], "folder": null, "message": message }),
        json!({ "command": ["true"], "folder": word, "message": message }),
        json!({ "url": word, "method": "GET" }),
        json!({ "url": "http://127.0.0.1", "method": word }),
        json!({ "url": "http://127.0.0.1", "headers": { "X": word } }),
        json!({ "url": word, "headers": {}, "session": true, "message": message }),
    ] {
        let command = repeat::command(&json!({ "request": { "sent": sent } })).unwrap();
        assert_eq!(command, "# it cannot be repeated: no command can pass a NUL byte to a program");
        place.pasted(&sent);
    }
}

/// What was taken out of a request before it was written.
const TAKEN: &str = "[redacted: TOKEN]";
/// A secret that a shell could read in another way, and a header can hold.
const SECRET: &str = "it's $HOME `id` \"q\" \\ $(id)";

/// Runs the lines that repeat an exchange, where the secret is set.
fn with_the_secret(place: &Place, exchange: &Value, shell: &str) {
    let lines = repeat::lines(exchange);
    let [note, command] = &lines[..] else { panic!("a note and a command are expected: {lines:?}") };
    assert_eq!(note, "# set TOKEN first: the secret, which is not written here");
    let mut shell = Command::new(shell);
    // It waits for nothing.
    let script = format!("sleep() {{ :; }}\n{}", lines.join("\n"));
    shell.args(["-c", &script]).env("OUT", place.file("out")).env("TOKEN", SECRET).stdin(Stdio::null());
    let said = shell.current_dir(place.0.path()).output().unwrap();
    assert!(said.status.success(), "{command}: {said:?}");
}

#[test]
fn a_secret_among_arguments_is_a_variable() {
    let place = Place::new();
    let like_one = "[redacted: OTHER]";
    let beside = format!("X='{TAKEN}';{TAKEN}!");
    let argv = json!(["/bin/sh", place.file("record.sh"), "--key", TAKEN, beside, like_one]);
    let marks = json!({ "/request/sent/argv/3": [TAKEN], "/request/sent/argv/4": [TAKEN] });
    let sent = json!({ "argv": argv, "folder": "", "corpus": null });
    for shell in ["sh", "bash"] {
        with_the_secret(&place, &json!({ "request": { "sent": sent }, "redacted": marks }), shell);
        let text = fs::read_to_string(place.file("out")).unwrap();
        let words: Vec<&str> = text.rsplit_once('\0').unwrap().0.split('\0').collect();
        assert_eq!(words, ["--key", SECRET, &format!("X='{SECRET}';{SECRET}!"), like_one]);
    }
}

#[test]
fn variables_of_a_program_arrive_as_they_were() {
    let place = Place::new();
    let print = "printf '%s\\0%s' \"$WORD\" \"$KEY\" >\"$OUT\"; cat >/dev/null";
    let argv = json!(["/bin/sh", "-c", print]);
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    for word in place.words() {
        let environment = json!({ "WORD": word, "KEY": TAKEN });
        for sent in [
            json!({ "argv": argv, "folder": "", "corpus": null, "environment": environment }),
            json!({ "command": argv, "folder": null, "message": message, "environment": environment }),
        ] {
            let marks = json!({ "/request/sent/environment/KEY": [TAKEN] });
            with_the_secret(&place, &json!({ "request": { "sent": sent }, "redacted": marks }), "bash");
            assert_eq!(fs::read_to_string(place.file("out")).unwrap(), format!("{word}\0{SECRET}"));
        }
    }
}

#[test]
fn a_secret_in_a_header_is_a_variable() {
    if Command::new("curl").arg("--version").output().is_err() {
        return;
    }
    let (place, server) = (Place::new(), Server::new(|_| ok("{}")));
    let headers = json!({ "Authorization": format!("Bearer {TAKEN}"), "X-Plain": TAKEN });
    let sent = json!({ "method": "GET", "url": server.address, "headers": headers, "body": null });
    let marks = json!({ "/request/sent/headers/Authorization": [TAKEN] });
    with_the_secret(&place, &json!({ "request": { "sent": sent }, "redacted": marks }), "sh");
    let heard = server.requests().pop().unwrap();
    assert_eq!(heard.header("authorization"), Some(format!("Bearer {SECRET}").as_str()));
    assert_eq!(heard.header("x-plain"), Some(TAKEN), "what only looks like one is data");
}
