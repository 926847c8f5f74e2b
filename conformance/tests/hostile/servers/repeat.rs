//! The command that repeats a request: what is pasted into a shell sends the same.

use super::{FRAMES, target, tried_file};
use crate::trial::PATIENT;
use conformance::report::repeat;
use serde_json::{Value, json};
use std::process::Command;
use testing::{Server, ok};

#[test]
fn a_search_is_repeated_by_curl() {
    let server = Server::new(|_| ok(r#"{"data":[{"frame_url":"/a b/it's?$HOME=`id`&c"}]}"#));
    let mut file = target(&server.address);
    file.endpoints[0].headers.insert("X-Odd".to_owned(), "it's $HOME \"quoted\"".to_owned());
    file.timeout = Some(PATIENT);
    let trial = tried_file(&file, FRAMES);
    let plain = |command: Option<String>| command.unwrap().replace(&server.address, "http://127.0.0.1:3000");
    insta::assert_snapshot!(plain(repeat::command(trial.exchange(0))), @r#"curl -sS -i --globoff -H "X-Odd: it's "'$HOME "quoted"' 'http://127.0.0.1:3000/api/v1/search?start_time=1&limit=20'"#);
    insta::assert_snapshot!(plain(repeat::command(trial.exchange(1))), @r#"curl -sS -i --globoff -H "X-Odd: it's "'$HOME "quoted"' "http://127.0.0.1:3000/a%20b/it's?"'$HOME=`id`&c'"#);
}

#[test]
fn a_request_with_a_body_is_repeated_by_curl() {
    let sent =
        json!({ "method": "POST", "url": "http://127.0.0.1:3000/a", "headers": {}, "body": { "q": "it's\n'$(id)'" } });
    insta::assert_snapshot!(repeat::command(&exchange(sent)).unwrap(), @r#"curl -sS -i --globoff -X POST -H 'content-type: application/json' --data-raw "{\"q\":\"it's\\n'"'$(id)'"'\"}" http://127.0.0.1:3000/a"#);
}

#[test]
fn a_shell_reads_every_word_as_it_was_sent() {
    let odd = "it's `id` $(id) $HOME \"x\" \\ ! * ~ # ; & | < >\n\ttab \u{e9}";
    let sent =
        json!({ "method": "PO'ST", "url": format!("http://127.0.0.1/{odd}"), "headers": { "X": odd }, "body": odd });
    let command = repeat::command(&exchange(sent)).unwrap();
    let script = format!("curl() {{ printf '%s\\0' \"$@\"; }}; {command}");
    let output = Command::new("bash").args(["-c", &script]).output().unwrap();
    let words: Vec<String> = String::from_utf8(output.stdout).unwrap().split('\0').map(str::to_owned).collect();
    for word in ["PO'ST", &format!("X: {odd}"), &Value::from(odd).to_string(), &format!("http://127.0.0.1/{odd}")] {
        assert!(words.iter().any(|read| read == word), "{word:?} is not among {words:?}");
    }
}

#[test]
fn what_was_never_sent_cannot_be_repeated() {
    assert_eq!(repeat::command(&exchange(Value::Null)), None);
    assert_eq!(repeat::command(&Value::Null), None);
}

fn exchange(sent: Value) -> Value {
    json!({ "request": { "operation": "search", "with": {}, "sent": sent } })
}
