//! A command that repeats a request, to be pasted into a shell.

use crate::text::inert;
use serde_json::{Value, json};

/// The command for an exchange, or nothing when it does not say how it was sent.
pub fn command(exchange: &Value) -> Option<String> {
    let sent = &exchange["request"]["sent"];
    if sent["message"].is_object() {
        return Some(mcp(sent));
    }
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

/// What every conversation with an MCP server begins with.
fn hello() -> [Value; 2] {
    let client = json!({ "name": "repeat", "version": "1" });
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client });
    [
        json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params }),
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
    ]
}

/// A call of an MCP server: in a session, where it has some; its input stays open while it answers.
fn mcp(sent: &Value) -> String {
    let [initialize, initialized] = hello();
    let message = &sent["message"];
    if let Some(url) = sent["url"].as_str() {
        let json = "-H 'accept: application/json, text/event-stream'";
        let post = |body: &Value, more: &str| {
            let sent = json!({ "method": "POST", "headers": sent["headers"], "body": body });
            curl(&sent, url).replacen("curl -sS -i", &format!("curl -sS {json}{more}"), 1)
        };
        return match sent["session"].as_bool() {
            Some(true) => format!(
                "S=$({} | sed -n 's/^mcp-session-id: *//Ip' | tr -d '\\r') && {} && {}",
                post(&initialize, " -D - -o /dev/null"),
                post(&initialized, " -H \"mcp-session-id: $S\""),
                post(message, " -i -H \"mcp-session-id: $S\""),
            ),
            _ => post(message, " -i"),
        };
    }
    let words: Vec<&str> = sent["command"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let program = words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ");
    let lines = [&initialize, &initialized, message].map(|line| quoted(&line.to_string())).join(" ");
    let enter = match sent["folder"].as_str() {
        None | Some("") => String::new(),
        Some(folder) => format!("cd {} && ", quoted(folder)),
    };
    format!("({enter}(printf '%s\\n' {lines}; sleep 3) | {program})")
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
