//! A command that repeats a request, to be pasted into a shell.

use crate::text::shell::{HoldsNul, word};
use serde_json::{Value, json};

/// The command for an exchange, or nothing when it does not say how it was sent. Where no command can repeat it, a comment says so.
pub fn command(exchange: &Value) -> Option<String> {
    let command = composed(&exchange["request"]["sent"])?;
    Some(command.unwrap_or_else(|nul| format!("# it cannot be repeated: {nul}")))
}

fn composed(sent: &Value) -> Option<Result<String, HoldsNul>> {
    if sent["message"].is_object() {
        return Some(mcp(sent));
    }
    if let Some(url) = sent["url"].as_str() {
        return Some(curl(sent, url));
    }
    let argv = sent["argv"].as_array()?;
    Some(program(sent, argv))
}

/// A program in a fresh copy of its corpus, where it has one.
fn program(sent: &Value, argv: &[Value]) -> Result<String, HoldsNul> {
    let (program, enter) = (words(argv)?, enter(sent)?);
    Ok(match sent["corpus"].as_str() {
        Some(corpus) => {
            let corpus = word(format!("{}/.", corpus.trim_end_matches('/')))?;
            format!("(cd \"$(mktemp -d)\" && cp -R {corpus} . && {enter}{program})")
        }
        None => program,
    })
}

fn words(words: &[Value]) -> Result<String, HoldsNul> {
    let words = words.iter().filter_map(Value::as_str).map(word).collect::<Result<Vec<_>, _>>()?;
    Ok(words.join(" "))
}

/// What goes into the folder of a program. A name alone could be an option, or be looked for elsewhere.
fn enter(sent: &Value) -> Result<String, HoldsNul> {
    Ok(match sent["folder"].as_str() {
        None | Some("") => String::new(),
        Some(folder) if folder.starts_with('/') => format!("cd {} && ", word(folder)?),
        Some(folder) => format!("cd {} && ", word(format!("./{folder}"))?),
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
fn mcp(sent: &Value) -> Result<String, HoldsNul> {
    let [initialize, initialized] = hello();
    let message = &sent["message"];
    if let Some(url) = sent["url"].as_str() {
        let json = "-H 'accept: application/json, text/event-stream'";
        let post = |body: &Value, more: &str| {
            let sent = json!({ "method": "POST", "headers": sent["headers"], "body": body });
            Ok(curl(&sent, url)?.replacen("curl -sS -i", &format!("curl -sS {json}{more}"), 1))
        };
        return match sent["session"].as_bool() {
            Some(true) => Ok(format!(
                "S=$({} | sed -n 's/^mcp-session-id: *//Ip' | tr -d '\\r') && {} && {}",
                post(&initialize, " -D - -o /dev/null")?,
                post(&initialized, " -H \"mcp-session-id: $S\"")?,
                post(message, " -i -H \"mcp-session-id: $S\"")?,
            )),
            _ => post(message, " -i"),
        };
    }
    let (enter, program) = (enter(sent)?, words(sent["command"].as_array().map_or(&[], Vec::as_slice))?);
    let lines = [&initialize, &initialized, message].map(|line| Value::from(line.to_string()));
    // Two brackets at its begin could be arithmetic, and bash changes a byte when it reads them again.
    Ok(format!("({enter}{{ printf '%s\\n' {}; sleep 3; }} | {program})", words(&lines)?))
}

/// A request by `curl`. Secrets in headers are redacted and have to be put in again.
fn curl(sent: &Value, url: &str) -> Result<String, HoldsNul> {
    let mut command = "curl -sS -i --globoff".to_owned();
    let path = url.split(['?', '#']).next().unwrap_or_default();
    if path.contains("/.") {
        command.push_str(" --path-as-is");
    }
    if let Some(method) = sent["method"].as_str().filter(|method| *method != "GET") {
        command.push_str(&format!(" -X {}", word(method)?));
    }
    let has_body = !sent["body"].is_null();
    for (name, value) in sent["headers"].as_object().into_iter().flatten() {
        // The body is JSON, whatever a header says that every request has.
        if has_body && name.eq_ignore_ascii_case("content-type") {
            continue;
        }
        let header = match value.as_str().unwrap_or_default() {
            // What curl takes for an empty header; with a colon it would send none.
            blank if blank.trim().is_empty() => format!("{name};"),
            value => format!("{name}: {value}"),
        };
        command.push_str(&format!(" -H {}", word(header)?));
    }
    if has_body {
        let body = word(sent["body"].to_string())?;
        command.push_str(&format!(" -H 'content-type: application/json' --data-raw {body}"));
    }
    Ok(format!("{command} {}", word(url)?))
}
