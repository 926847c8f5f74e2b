//! A command that repeats a request, to be pasted into a shell.

use super::inert;
use serde_json::Value;

/// The command for an exchange, or nothing when it does not say how it was sent.
pub fn command(exchange: &Value) -> Option<String> {
    let sent = &exchange["request"]["sent"];
    if let Some(url) = sent["url"].as_str() {
        return Some(curl(sent, url));
    }
    let argv: Vec<&str> = sent["argv"].as_array()?.iter().filter_map(Value::as_str).collect();
    let program = argv.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ");
    let folder = sent["folder"].as_str().unwrap_or_default();
    let enter = match folder {
        "" => String::new(),
        folder => format!(" && cd {}", quoted(folder)),
    };
    Some(match sent["corpus"].as_str() {
        Some(corpus) => {
            let corpus = quoted(&format!("{}/.", corpus.trim_end_matches('/')));
            format!("(cd \"$(mktemp -d)\" && cp -R {corpus} .{enter} && {program})")
        }
        None => program,
    })
}

/// A request by `curl`. Secrets in headers are redacted and have to be put in again.
fn curl(sent: &Value, url: &str) -> String {
    let mut command = "curl -sS -i --globoff".to_owned();
    if let Some(method) = sent["method"].as_str().filter(|method| *method != "GET") {
        command.push_str(&format!(" -X {}", quoted(method)));
    }
    for (name, value) in sent["headers"].as_object().into_iter().flatten() {
        command.push_str(&format!(" -H {}", quoted(&format!("{name}: {}", value.as_str().unwrap_or_default()))));
    }
    if !sent["body"].is_null() {
        let body = quoted(&sent["body"].to_string());
        command.push_str(&format!(" -H 'content-type: application/json' --data-raw {body}"));
    }
    format!("{command} {}", quoted(url))
}

/// A word as a shell reads it; a word that no shell can take is shown inert.
fn quoted(word: &str) -> String {
    shlex::try_quote(word).map_or_else(|_| inert::line(word), |quoted| quoted.into_owned())
}
