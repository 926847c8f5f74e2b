//! A command that repeats a request, to be pasted into a shell.

use super::variables::Sent;
use crate::model::Era;
use crate::text::shell::HoldsNul;
use serde_json::{Map, Value, json};

/// The command for an exchange, behind a comment for each secret that has to be set first; nothing when the exchange does not say
/// how it was sent.
pub fn lines(exchange: &Value) -> Vec<String> {
    let shell = Sent::of(exchange);
    let Some(command) = composed(&shell) else { return Vec::new() };
    let mut lines = shell.notes(&command);
    lines.push(command);
    lines
}

/// The command for an exchange, or nothing when it does not say how it was sent. Where no command can repeat it, a comment says so.
pub fn command(exchange: &Value) -> Option<String> {
    composed(&Sent::of(exchange))
}

fn composed(shell: &Sent<'_>) -> Option<String> {
    let sent = &*shell.value;
    // A report without content names the case instead.
    if let Some(words) = sent["again"].as_str() {
        return Some(format!("cargo xtask {words}  # and the target"));
    }
    let command = match (sent["message"].is_object(), sent["url"].as_str()) {
        (true, _) => mcp(sent, shell),
        (false, Some(url)) => curl(sent, url, shell),
        (false, None) => program(sent, sent["argv"].as_array()?, shell),
    };
    Some(command.unwrap_or_else(|nul| format!("# it cannot be repeated: {nul}")))
}

/// A program in a fresh copy of its corpus, where it has one.
fn program(sent: &Value, argv: &[Value], shell: &Sent<'_>) -> Result<String, HoldsNul> {
    let (program, enter) = (format!("{}{}", environment(sent, shell)?, words(argv, shell)?), enter(sent, shell)?);
    Ok(match sent["corpus"].as_str() {
        Some(corpus) => {
            let corpus = shell.word(&format!("{}/.", corpus.trim_end_matches('/')))?;
            format!("(cd \"$(mktemp -d)\" && cp -R {corpus} . && {enter}{program})")
        }
        None => program,
    })
}

fn words(words: &[Value], shell: &Sent<'_>) -> Result<String, HoldsNul> {
    let words = words.iter().filter_map(Value::as_str).map(|word| shell.word(word)).collect::<Result<Vec<_>, _>>()?;
    Ok(words.join(" "))
}

/// What sets the variables that a program was given beside ours.
fn environment(sent: &Value, shell: &Sent<'_>) -> Result<String, HoldsNul> {
    let given = sent["environment"].as_object().into_iter().flatten();
    let pairs = given.map(|(name, value)| shell.word(&format!("{name}={}", value.as_str().unwrap_or_default())));
    let pairs = pairs.collect::<Result<Vec<_>, _>>()?;
    Ok(if pairs.is_empty() { String::new() } else { format!("env {} ", pairs.join(" ")) })
}

/// What goes into the folder of a program. A name alone could be an option, or be looked for elsewhere.
fn enter(sent: &Value, shell: &Sent<'_>) -> Result<String, HoldsNul> {
    Ok(match sent["folder"].as_str() {
        None | Some("") => String::new(),
        Some(folder) if folder.starts_with('/') => format!("cd {} && ", shell.word(folder)?),
        Some(folder) => format!("cd {} && ", shell.word(&format!("./{folder}"))?),
    })
}

/// The header that says which revision was agreed on.
const REVISION: &str = "mcp-protocol-version";

/// What every conversation with a legacy MCP server begins with, in this revision. A modern one needs nothing.
fn hello(revision: &str) -> [Value; 2] {
    let client = json!({ "name": "repeat", "version": "1" });
    let params = json!({ "protocolVersion": revision, "capabilities": {}, "clientInfo": client });
    [
        json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params }),
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
    ]
}

/// A call of an MCP server: in a session, where it has some; its input stays open while it answers.
fn mcp(sent: &Value, shell: &Sent<'_>) -> Result<String, HoldsNul> {
    let headers = sent["headers"].as_object().cloned().unwrap_or_default();
    let (agreed, others): (Map<_, _>, Map<_, _>) =
        headers.clone().into_iter().partition(|(name, _)| name.eq_ignore_ascii_case(REVISION));
    let revision = agreed.values().find_map(Value::as_str).unwrap_or(Era::Legacy.revision());
    let [initialize, initialized] = hello(revision);
    let message = &sent["message"];
    if let Some(url) = sent["url"].as_str() {
        let json = "-H 'accept: application/json, text/event-stream'";
        let post_with = |headers: &Map<String, Value>, body: &Value, more: &str| {
            let sent = json!({ "method": "POST", "headers": headers, "body": body });
            Ok(curl(&sent, url, shell)?.replacen("curl -sS -i", &format!("curl -sS {json}{more}"), 1))
        };
        let post = |body: &Value, more: &str| post_with(&headers, body, more);
        return match sent["session"].as_bool() {
            Some(true) => Ok(format!(
                "S=$({} | sed -n 's/^mcp-session-id: *//Ip' | tr -d '\\r') && {} && {}",
                // Nothing is agreed on before.
                post_with(&others, &initialize, " -D - -o /dev/null")?,
                post(&initialized, " -H \"mcp-session-id: $S\"")?,
                post(message, " -i -H \"mcp-session-id: $S\"")?,
            )),
            _ => post(message, " -i"),
        };
    }
    let (enter, environment) = (enter(sent, shell)?, environment(sent, shell)?);
    let program = words(sent["command"].as_array().map_or(&[], Vec::as_slice), shell)?;
    let hello = if Era::Modern.is_of(sent) { Vec::new() } else { vec![&initialize, &initialized] };
    let lines: Vec<Value> = hello.into_iter().chain([message]).map(|line| line.to_string().into()).collect();
    // Two brackets at its begin could be arithmetic, and bash changes a byte when it reads them again.
    Ok(format!("({enter}{{ printf '%s\\n' {}; sleep 3; }} | {environment}{program})", words(&lines, shell)?))
}

/// A request by `curl`.
fn curl(sent: &Value, url: &str, shell: &Sent<'_>) -> Result<String, HoldsNul> {
    let mut command = "curl -sS -i --globoff".to_owned();
    let path = url.split(['?', '#']).next().unwrap_or_default();
    if path.contains("/.") {
        command.push_str(" --path-as-is");
    }
    if let Some(method) = sent["method"].as_str().filter(|method| *method != "GET") {
        command.push_str(&format!(" -X {}", shell.word(method)?));
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
        command.push_str(&format!(" -H {}", shell.word(&header)?));
    }
    if has_body {
        let body = shell.word(&sent["body"].to_string())?;
        command.push_str(&format!(" -H 'content-type: application/json' --data-raw {body}"));
    }
    Ok(format!("{command} {}", shell.word(url)?))
}
