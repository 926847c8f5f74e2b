//! What is written and shown of a run holds no form of a secret, wherever a server puts it and wherever it is cut.

use super::{SEARCH, target};
use crate::trial::{SUITE, Trial, on_a_terminal};
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use conformance::report::FORMATS;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use rstest::rstest;
use serde_json::{Value, json};
use testing::{Answer, Server, answer, ok};

/// Every encoding changes something of it, and most leave its middle as it is.
const SECRET: &str = "k3y&<é>\"x'/+z~Zq7Wk2Vx9Jb4Ht1 Ω?";

#[rstest]
fn no_report_holds_a_form_of_a_secret(
    #[values("plain", "percent", "form", "base64", "url-safe", "json", "html", "hex", "HEX")] form: &str,
) {
    let forms: Vec<String> = (0..3).map(|before| encoded(form, &format!("{}{SECRET}~", &"u:v"[..before]))).collect();
    for answer in answers(&forms) {
        assert_is_kept_secret(answer, &forms, 8);
    }
}

#[rstest]
fn no_report_holds_a_part_of_a_secret_where_it_is_cut(#[values(40, 60, 80, 100, 120, 200, 300, 400, 4096)] cut: usize) {
    let forms = [SECRET.to_owned()];
    let text = |before: usize| format!("{}{SECRET}{}", "-".repeat(cut - before), "-".repeat(600));
    for before in [8, 16, 24] {
        assert_is_kept_secret(ok(text(before)), &forms, 6);
        assert_is_kept_secret(ok(json!({ "data": text(before) }).to_string()), &forms, 6);
        assert_is_kept_secret(answer("404 Not Found", "", json!({ "error": text(before) }).to_string()), &forms, 6);
    }
}

/// Answers that hold these in a text, in values, as keys, in a refusal, in what is not JSON, and in a header.
fn answers(forms: &[String]) -> Vec<Answer> {
    let text = forms.join(" | ");
    let items: Vec<Value> = forms.iter().map(|form| json!({ "frame_id": form, "frame_url": form, form: 1 })).collect();
    vec![
        ok(json!({ "data": items, "you": text, text.clone(): 1 }).to_string()),
        ok(json!({ "data": { "a": text } }).to_string()),
        answer("404 Not Found", "", json!({ "error": text }).to_string()),
        ok(format!("<p>{text}</p>")),
        answer("500 Internal Server Error", &format!("x-echo: {}\r\n", text.replace(['\r', '\n'], " ")), text),
    ]
}

fn encoded(form: &str, text: &str) -> String {
    match form {
        "plain" => text.to_owned(),
        "percent" => utf8_percent_encode(text, NON_ALPHANUMERIC).to_string(),
        "form" => utf8_percent_encode(text, NON_ALPHANUMERIC).to_string().replace("%20", "+"),
        "base64" => STANDARD.encode(text),
        "url-safe" => URL_SAFE_NO_PAD.encode(text),
        "json" => Value::from(text).to_string(),
        "html" => text
            .replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('>', "&gt;")
            .replace('"', "&quot;")
            .replace('\'', "&#39;"),
        "hex" => text.bytes().map(|byte| format!("{byte:02x}")).collect(),
        _ => text.bytes().map(|byte| format!("{byte:02X}")).collect(),
    }
}

/// No report of a run against a server that answers this holds so many characters of a form, one after the other.
fn assert_is_kept_secret(answer: Answer, forms: &[String], most: usize) {
    let server = Server::new(move |_| answer.clone());
    let mut file = target(&server.address);
    file.secret = vec!["KEY".to_owned()];
    let trial = Trial::with(&SUITE, &file, SEARCH, &|name| (name == "KEY").then(|| SECRET.to_owned()));
    let mut reports: Vec<(&str, String)> =
        [false, true].map(|verbose| ("terminal", on_a_terminal(&trial.log, verbose))).to_vec();
    for format in &FORMATS {
        let mut written = Vec::new();
        format.write(&trial.log, &mut written).unwrap();
        reports.push((format.name, String::from_utf8(written).unwrap()));
    }
    for (name, report) in reports {
        for form in forms {
            // What is around the secret decides the ends of its form, and a report escapes what is no letter.
            let characters: Vec<char> = form.chars().collect();
            let inner = &characters[4..characters.len() - 4];
            let left = inner.windows(most).map(|part| part.iter().collect::<String>());
            let left: Vec<String> =
                left.filter(|part| part.chars().all(char::is_alphanumeric) && report.contains(part)).collect();
            assert!(left.is_empty(), "{name} holds {left:?} of {form}: {report}");
        }
    }
}
