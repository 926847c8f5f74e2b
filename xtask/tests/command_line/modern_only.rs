//! The reference behind a proxy that speaks modern versions of MCP alone: it is judged as the reference is.

use crate::serving::Serving;
use crate::xtask;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::TcpStream;
use testing::{Answer, Request, Server, answer};

const MODERN: &str = "2026-07-28";
/// What only a server is asked that speaks no earlier version.
const ALONE: [&str; 2] = ["mcp-http.no-version-header", "mcp.refused-initialize"];

/// Passes modern requests on, and takes the other versions out of what the server says of itself.
fn passed_on(request: &Request, upstream: &str) -> Answer {
    let json = "content-type: application/json\r\n";
    if request.message.is_null() {
        return answer("405 Method Not Allowed", "", "");
    }
    if request.header("mcp-protocol-version").is_none() {
        let error = json!({ "code": -32020, "message": "`MCP-Protocol-Version` is missing", "data": { "supported": [MODERN] } });
        let body = json!({ "jsonrpc": "2.0", "id": request.message["id"], "error": error });
        return answer("400 Bad Request", json, body.to_string());
    }
    let (head, body) = asked(request, upstream);
    let mut message: Value = serde_json::from_str(body.trim_start().trim_start_matches("data: ")).unwrap_or_default();
    let lists = ["/result/supportedVersions", "/error/data/supported"];
    let status = head.lines().next().unwrap().split_once(' ').unwrap().1.to_owned();
    match lists.iter().find(|list| message.pointer(list).is_some()) {
        Some(list) => {
            *message.pointer_mut(list).unwrap() = json!([MODERN]);
            answer(&status, json, message.to_string())
        }
        None => Answer::End(format!("{head}\r\n\r\n{body}").into_bytes()),
    }
}

/// The head and the body that the server answers. HTTP/1.0 has no chunks, and ends with the connection.
fn asked(request: &Request, upstream: &str) -> (String, String) {
    let host = upstream.strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    let is_kept = |line: &&String| {
        let name = line.split(':').next().unwrap_or_default().to_ascii_lowercase();
        !["host", "connection", "content-length", "transfer-encoding"].contains(&name.as_str())
    };
    let headers: String = request.head.iter().skip(1).filter(is_kept).map(|line| format!("{line}\r\n")).collect();
    let length = request.body.len();
    let head =
        format!("POST {} HTTP/1.0\r\nhost: {host}\r\ncontent-length: {length}\r\n{headers}\r\n", request.target());
    stream.write_all(&[head.as_bytes(), &request.body].concat()).unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    (head.to_owned(), body.to_owned())
}

/// The outcome of each requirement.
fn outcomes(address: &str, era: &str) -> BTreeMap<String, String> {
    let report = tempfile::NamedTempFile::new().unwrap();
    let path = report.path().to_str().unwrap();
    let address = format!("{address}/mcp");
    let arguments = ["verify", "memory", "--mcp", &address, "--mcp-era", era, "--corpus-loaded", "--json", path];
    let run = xtask(&arguments).output().unwrap();
    assert!(run.status.success(), "{}{}", String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    let report: Value = serde_json::from_slice(&std::fs::read(report.path()).unwrap()).unwrap();
    let text = |row: &Value, name: &str| row[name].as_str().unwrap().to_owned();
    let rows = report["requirements"].as_array().unwrap().iter();
    rows.map(|row| (text(row, "requirement"), text(row, "outcome"))).collect()
}

#[test]
fn a_proxy_that_speaks_modern_versions_alone_gets_the_same_verdicts() {
    let reference = Serving::start(&[]);
    let upstream = reference.1.clone();
    let proxy = Server::new(move |request| passed_on(request, &upstream));
    let (mut expected, mut received) = (outcomes(&reference.1, "modern"), outcomes(&proxy.address, "auto"));
    for id in ALONE {
        assert_eq!(received.remove(id).as_deref(), Some("verified"), "{id}");
        expected.remove(id);
    }
    assert_eq!(received, expected);
}
