//! Servers of tools at an address: a good one, of which a row replaces what it wants to be bad.

use crate::bystander::{assert_nobody_else_was_asked, begun, bystander, response};
use crate::run::{CONFORMS, Due, PATIENT, SOON, advises, is_not_there, leaves_untold, verify, violates};
use libtest_mimic::Trial;
use serde_json::{Value, json};
use testing::{Answer, McpScript, Request, Server, answer, head, ok, redirect};

/// A case of one search, and what it needs.
pub(crate) const SEARCH: [&str; 6] =
    ["--case", "request/offered", "--argument", "memoryId=m-1", "--argument", "query=a"];
/// We do not follow it, so what it leads to is not known.
const NOT_TOLD: Due = leaves_untold("memory.search-offered");
/// It is more than we read, so nothing is known of it.
const TOO_LARGE: Due = leaves_untold("memory.search-offered");
const NO_ANSWER: Due = violates("mcp.answers");
const EVENTS: &str = "content-type: text/event-stream";
const JSON: &str = "content-type: application/json";

/// Every row by its name, the seconds that a call may take, what the run comes to, and what is not as in a good server.
pub(crate) fn trials() -> Vec<Trial> {
    vec![
        row("good", PATIENT, CONFORMS, |_| None),
        row(
            "hangs_in_the_beginning",
            SOON,
            is_not_there("no answer within 1 s"),
            when("initialize", |_| Answer::Hang(head(JSON))),
        ),
        row(
            "closed_in_the_beginning",
            PATIENT,
            is_not_there("brings a result"),
            when("initialize", |_| Answer::End(head(JSON))),
        ),
        row(
            "a_page_in_the_beginning",
            PATIENT,
            is_not_there("404"),
            when("initialize", |_| answer("404 Not Found", "", "<h1>404</h1>")),
        ),
        row("hangs_before_the_headers", SOON, NO_ANSWER, calls(|_| Answer::Hang(Vec::new()))),
        row("hangs_after_the_headers", SOON, NO_ANSWER, calls(|_| Answer::Hang(head(JSON)))),
        row("a_body_without_end", PATIENT, TOO_LARGE, calls(|_| Answer::Flood(head(JSON), vec![b'['; 1 << 16]))),
        row(
            "ten_gigabytes",
            PATIENT,
            TOO_LARGE,
            calls(|_| Answer::Flood(head(&format!("{JSON}\r\ncontent-length: 10000000000")), vec![b' '; 1 << 16])),
        ),
        row(
            "closed_in_the_body",
            PATIENT,
            NO_ANSWER,
            calls(|_| Answer::End(begun(&format!("{JSON}\r\ncontent-length: 99"), "{}"))),
        ),
        row("events_that_hang", SOON, NO_ANSWER, calls(|_| Answer::Hang(begun(EVENTS, ": wait\n\n")))),
        row("events_that_drip", SOON, NO_ANSWER, calls(|_| Answer::Drip(begun(EVENTS, "data: "), b'x'))),
        row(
            "events_without_end",
            PATIENT,
            TOO_LARGE,
            calls(|_| Answer::Flood(head(EVENTS), b"data: x\n\n".repeat(999))),
        ),
        row("comments_without_end", PATIENT, TOO_LARGE, calls(|_| Answer::Flood(head(EVENTS), b":\n\n".repeat(999)))),
        row(
            "questions_without_end",
            SOON,
            NO_ANSWER,
            calls(|_| {
                Answer::Flood(head(EVENTS), b"data: {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n\n".repeat(99))
            }),
        ),
        row(
            "an_event_without_end",
            PATIENT,
            TOO_LARGE,
            calls(|_| Answer::Flood(begun(EVENTS, "data: "), vec![b'x'; 1 << 16])),
        ),
        row(
            "events_taken_up_again_without_end",
            PATIENT,
            NO_ANSWER,
            calls(|_| Answer::End(begun(EVENTS, "id: 1\nretry: 0\ndata:\n\n"))),
        ),
        row("a_redirect_to_another_host", PATIENT, NOT_TOLD, calls(|_| redirect(&format!("{}/", bystander())))),
        row(
            "another_type_of_content",
            PATIENT,
            violates("mcp-http.content-type"),
            calls(|asked| plain(&found(asked).to_string())),
        ),
        row("ten_thousand_arrays", PATIENT, TOO_LARGE, calls(|_| ok("[".repeat(10_000) + &"]".repeat(10_000)))),
        row("four_million_values", PATIENT, TOO_LARGE, calls(|_| ok(format!("[{}0]", "0,".repeat(4_000_000))))),
        row("not_a_number", PATIENT, NO_ANSWER, calls(|asked| spoilt(asked, "NaN"))),
        row("a_key_twice", PATIENT, advises("mcp.no-duplicate-keys"), calls(|asked| spoilt(asked, r#"{"a":1,"a":1}"#))),
        row("half_a_surrogate_pair", PATIENT, CONFORMS, calls(|asked| spoilt(asked, r#""\ud800""#))),
        row(
            "cookies_and_a_session",
            PATIENT,
            CONFORMS,
            calls(|asked| {
                answer(
                    "200 OK",
                    &format!("{JSON}\r\nset-cookie: a=b\r\nmcp-session-id: {}\r\n", "s".repeat(9999)),
                    found(asked).to_string(),
                )
            }),
        ),
        row(
            "a_schema_elsewhere",
            PATIENT,
            violates("mcp.structured-valid"),
            schema(|_| json!({ "type": "object", "$ref": format!("{}/s.json", bystander()) })),
        ),
        row(
            "a_schema_in_a_file",
            PATIENT,
            violates("mcp.structured-valid"),
            schema(|_| json!({ "type": "object", "$ref": "file:///etc/passwd" })),
        ),
        row(
            "a_catastrophic_pattern",
            PATIENT,
            leaves_untold("mcp.structured-valid"),
            schema(
                |_| json!({ "type": "object", "properties": { "latestContext": { "pattern": "^(?=(a|b|ab)*\\1c)(a|ab|b)*(a|b)*(ab|a|b)*\\1c" } } }),
            ),
        ),
        row(
            "a_schema_that_never_ends",
            PATIENT,
            violates("mcp.structured-valid"),
            schema(|_| json!({ "type": "object", "$ref": "#" })),
        ),
        row("tools_without_end", PATIENT, violates("mcp.tools-end"), when("tools/list", endless)),
        row(
            "very_large_tools_without_end",
            PATIENT,
            CONFORMS,
            when("tools/list", |asked| {
                let mut page = tools(&json!({ "type": "object" }));
                page["nextCursor"] = asked.message["id"].to_string().into();
                page["more"] = "x".repeat(1 << 20).into();
                response(asked, &page)
            }),
        ),
    ]
}

fn row(
    name: &str,
    timeout: &'static str,
    due: Due,
    given: impl Fn(&Request) -> Option<Answer> + Send + Sync + 'static,
) -> Trial {
    Trial::test(format!("mcp::{name}"), move || {
        let server = Server::new(move |request| given(request).unwrap_or_else(|| good(request)));
        let address = format!("{}/mcp", server.address);
        let times = ["--timeout", timeout, "--total-timeout", total(timeout)];
        let run = verify(&[&["memory", "--mcp", &address], &SEARCH[..], &times].concat());
        run.assert_is(due);
        assert_nobody_else_was_asked();
        let cookies = server.requests();
        let cookies = cookies.iter().filter_map(|request| request.header("cookie"));
        assert!(cookies.into_iter().all(|cookie| cookie == "a=b"), "a cookie is what this server set");
        Ok(())
    })
}

/// The seconds of the whole run.
fn total(timeout: &str) -> &str {
    if timeout == SOON { "8" } else { PATIENT }
}

/// What a good server answers.
pub(crate) fn good(request: &Request) -> Answer {
    match request.method() {
        "initialize" => response(request, &initialize()),
        "tools/list" => response(request, &tools(&json!({ "type": "object" }))),
        "tools/call" => ok(found(request).to_string()),
        "ping" => response(request, &json!({})),
        "GET" | "DELETE" => answer("405 Method Not Allowed", "", ""),
        _ => answer("202 Accepted", "", ""),
    }
}

/// The same on standard streams.
pub(crate) fn script() -> McpScript {
    McpScript { initialize: initialize(), tools: tools(&json!({ "type": "object" })), found: result() }
}

/// What a good server says of itself.
fn initialize() -> Value {
    json!({ "protocolVersion": "2025-11-25", "capabilities": { "tools": {} },
            "serverInfo": { "name": "good", "version": "1" } })
}

/// The tool, with this schema of what they answer.
pub(crate) fn tools(output: &Value) -> Value {
    json!({ "tools": [{ "name": "search_memories", "inputSchema": { "type": "object" }, "outputSchema": output }] })
}

/// The response to a search.
fn found(request: &Request) -> Value {
    json!({ "jsonrpc": "2.0", "id": request.message["id"], "result": result() })
}

/// The result of a search that finds nothing.
pub(crate) fn result() -> Value {
    let body = json!({ "entries": [], "count": 0, "latestContext": "ab".repeat(20), "latestContextTimestamp": null,
                       "contexts": [] });
    json!({ "content": [{ "type": "text", "text": body.to_string() }], "structuredContent": body })
}

/// The same response with a field of this text in its result.
fn spoilt(request: &Request, json: &str) -> Answer {
    ok(found(request).to_string().replacen("\"result\":{", &format!("\"result\":{{\"_meta\":{{\"x\":{json}}},"), 1))
}

/// A body that does not say what it is.
fn plain(body: &str) -> Answer {
    answer("200 OK", "content-type: text/plain\r\n", body)
}

/// Answers requests of one method.
fn when(method: &'static str, answer: impl Fn(&Request) -> Answer) -> impl Fn(&Request) -> Option<Answer> {
    move |request| (request.method() == method).then(|| answer(request))
}

/// Answers calls of tools.
fn calls(answer: impl Fn(&Request) -> Answer) -> impl Fn(&Request) -> Option<Answer> {
    when("tools/call", answer)
}

/// Advertises a schema.
fn schema(output: impl Fn(&Request) -> Value) -> impl Fn(&Request) -> Option<Answer> {
    when("tools/list", move |request| response(request, &tools(&output(request))))
}

/// Pages of tools, each with another cursor.
fn endless(request: &Request) -> Answer {
    let mut page = tools(&json!({ "type": "object" }));
    page["nextCursor"] = request.message["id"].to_string().into();
    response(request, &page)
}
