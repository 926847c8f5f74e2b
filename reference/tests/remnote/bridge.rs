//! The reference as the bridge of a server, which is played by the tests.

use crate::corpus::{folder, garden};
use crate::support::{Running, ended, over, program};
use rstest::rstest;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::net::{TcpListener, TcpStream};
use std::process::{ChildStderr, Stdio};
use std::time::Duration;
use tempfile::TempDir;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::{Message, WebSocket, accept};

/// How long a message may take before a test gives up.
const PATIENCE: Duration = Duration::from_secs(20);

#[test]
fn it_introduces_itself_and_answers() {
    let mut server = Server::start(&[]);
    let mut bridge = server.accept();
    assert_eq!(bridge.receive(), json!({ "type": "hello", "version": "0.6.0" }));
    let found = bridge.ask(json!({ "action": "search", "payload": { "query": "appl" } }));
    assert_eq!(found["results"].as_array().unwrap().len(), 2);
    assert_eq!(found["results"][0]["headline"], "Apple :: a fruit");
    let found = bridge.ask(json!({ "action": "search_by_tag", "payload": { "tag": "#fruit", "limit": 1 } }));
    assert_eq!(found["results"][0]["remId"], "garden");
    let read = bridge.ask(json!({ "action": "read_note", "payload": { "remId": "garden", "depth": 1 } }));
    assert_eq!(read["content"], "- Apple :: a fruit\n- plant Apple in March\n");
    let status = bridge.ask(json!({ "action": "get_status", "payload": {} }));
    assert_eq!(
        status,
        json!({
            "connected": true, "pluginVersion": "0.6.0", "acceptWriteOperations": false, "acceptReplaceOperation": false
        })
    );
    assert_eq!(bridge.ask(json!({ "action": "get_status" })), status, "a payload may be left out");
}

#[rstest]
#[case::action(json!({ "action": "create_note", "payload": {} }), "there is no action \"create_note\"")]
#[case::no_action(json!({ "payload": {} }), "action must be a string")]
#[case::action_type(json!({ "action": 1, "payload": {} }), "action must be a string")]
#[case::payload(json!({ "action": "search", "payload": ["x"] }), "payload must be an object")]
#[case::argument(json!({ "action": "search", "payload": { "query": 1 } }), "query must be a string, got 1")]
#[case::range(json!({ "action": "search", "payload": { "query": "", "limit": 0 } }),
    "limit must be an integer from 1 to 150, got 0")]
#[case::id(json!({ "action": "read_note", "payload": { "remId": "pear" } }),
    "remId must be the id of a Rem; no Rem has the id \"pear\"")]
fn what_cannot_be_answered_gets_an_error(#[case] mut request: Value, #[case] error: &str) {
    let mut server = Server::start(&[]);
    let mut bridge = server.accept();
    bridge.receive();
    for id in [json!("one"), json!(2)] {
        request["id"] = id.clone();
        bridge.send(&request.to_string());
        assert_eq!(bridge.receive(), json!({ "id": id, "error": error }));
    }
}

#[test]
fn what_asks_nothing_is_ignored() {
    let mut server = Server::start(&[]);
    let mut bridge = server.accept();
    bridge.receive();
    for odd in [
        "no JSON",
        "[1]",
        "{}",
        "{\"action\":\"get_status\"}",
        "{\"id\":1,\"result\":{}}",
        "{\"id\":1,\"error\":\"x\"}",
        "{\"type\":\"pong\"}",
        "{\"type\":\"news\",\"id\":1,\"action\":\"get_status\"}",
    ] {
        bridge.send(odd);
    }
    bridge.socket.send(Message::binary(vec![1, 2, 3])).unwrap();
    bridge.send(&json!({ "type": "ping" }).to_string());
    assert_eq!(bridge.receive(), json!({ "type": "pong" }), "the first answer is that to the ping");
    // A newer server may send more than the document knows.
    let more = json!({ "query": "garden", "ancestorDepth": 3, "includeContent": "none" });
    assert_eq!(bridge.ask(json!({ "action": "search", "payload": more }))["results"][0]["remId"], "garden");
}

#[test]
fn it_comes_back_and_takes_over_the_version_of_the_server() {
    let mut server = Server::start(&["--hello", "0.7.1"]);
    let mut bridge = server.accept();
    assert_eq!(bridge.receive()["version"], "0.7.1");
    bridge.send(&json!({ "type": "companion_info", "kind": "mcp-server", "version": "0.14.2" }).to_string());
    let reason = CloseFrame { code: CloseCode::Policy, reason: "another release".into() };
    bridge.socket.close(Some(reason)).unwrap();
    let mut bridge = server.accept();
    assert_eq!(bridge.receive(), json!({ "type": "hello", "version": "0.14.2" }));
    // This time the server is just gone.
    drop(bridge);
    let mut bridge = server.accept();
    assert_eq!(bridge.receive()["version"], "0.14.2");
    assert_eq!(bridge.ask(json!({ "action": "get_status", "payload": {} }))["pluginVersion"], "0.14.2");
    let (said, _) = server.stop("-TERM");
    let of = |start: &str| said.iter().filter(|line| line.starts_with(start)).count();
    assert_eq!((of("reference bridge: connected to"), of("reference bridge: disconnected from")), (3, 2), "{said:?}");
    assert!(said.iter().any(|line| line.contains("another release")), "{said:?}");
}

#[test]
fn it_waits_for_a_server_that_is_not_there_yet() {
    let place = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = place.local_addr().unwrap();
    drop(place);
    let mut server = Server::to(&format!("ws://{address}"), None);
    let line = server.line();
    assert!(line.starts_with("reference bridge: not connected to") && line.contains("trying again in"), "{line}");
    server.listener = Some(TcpListener::bind(address).unwrap());
    assert_eq!(server.accept().receive()["type"], "hello");
}

#[cfg(unix)]
#[rstest]
#[case::terminated("-TERM")]
#[case::interrupted("-INT")]
fn a_signal_stops_it_cleanly(#[case] signal: &str) {
    let mut server = Server::start(&[]);
    let mut bridge = server.accept();
    bridge.receive();
    let (_, code) = server.stop(signal);
    assert_eq!(code, Some(0));
    assert!(bridge.socket.read().is_ok_and(|message| message.is_close()), "it says goodbye");
    // Also while it waits for a server.
    let mut server = Server::to("ws://127.0.0.1:9", None);
    server.line();
    assert_eq!(server.stop(signal).1, Some(0));
}

#[rstest]
#[case("wss://127.0.0.1:3002")]
#[case("http://127.0.0.1:3002")]
#[case("127.0.0.1:3002")]
#[case("ws://")]
fn what_is_no_place_of_a_server_is_refused_at_once(#[case] url: &str) {
    let output = ended(&["bridge", "--connect", url]);
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2) && message.contains("ws://127.0.0.1:3002"), "{message}");
}

/// The server's side, and the bridge that was started for it.
struct Server {
    listener: Option<TcpListener>,
    process: Running,
    said: BufReader<ChildStderr>,
    _corpus: TempDir,
}

impl Server {
    fn start(arguments: &[&str]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("ws://{}", listener.local_addr().unwrap());
        Self::to_with(&url, Some(listener), arguments)
    }

    fn to(url: &str, listener: Option<TcpListener>) -> Self {
        Self::to_with(url, listener, &[])
    }

    fn to_with(url: &str, listener: Option<TcpListener>, arguments: &[&str]) -> Self {
        let corpus = folder(&garden(), &json!({}));
        let mut command = program(&["bridge", "--connect", url]);
        let mut process = command.args(over(&corpus)).args(arguments).stderr(Stdio::piped()).spawn().unwrap();
        let said = BufReader::new(process.stderr.take().unwrap());
        Self { listener, process: Running(process), said, _corpus: corpus }
    }

    fn accept(&mut self) -> Bridge {
        let (connection, _) = self.listener.as_ref().unwrap().accept().unwrap();
        connection.set_read_timeout(Some(PATIENCE)).unwrap();
        Bridge { socket: accept(connection).unwrap() }
    }

    /// The next line that the bridge says to whoever looks on.
    fn line(&mut self) -> String {
        let mut line = String::new();
        self.said.read_line(&mut line).unwrap();
        line
    }

    /// Sends a signal, and returns what the bridge said and how it ended.
    fn stop(&mut self, signal: &str) -> (Vec<String>, Option<i32>) {
        self.process.signal(signal);
        let said = (&mut self.said).lines().map(Result::unwrap).collect();
        (said, self.process.code())
    }
}

/// A connected bridge, seen from the server.
struct Bridge {
    socket: WebSocket<TcpStream>,
}

impl Bridge {
    fn send(&mut self, text: &str) {
        self.socket.send(Message::text(text)).unwrap();
    }

    fn receive(&mut self) -> Value {
        loop {
            if let Message::Text(text) = self.socket.read().unwrap() {
                return serde_json::from_str(&text).unwrap();
            }
        }
    }

    /// Sends a request and returns its result.
    fn ask(&mut self, mut request: Value) -> Value {
        request["id"] = json!("7f1c");
        self.send(&request.to_string());
        let answer = self.receive();
        let members: Vec<_> = answer.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!((members.as_slice(), &answer["id"]), (["id", "result"].as_slice(), &json!("7f1c")), "{answer}");
        answer["result"].clone()
    }
}
