//! Modern servers that let pass what they must refuse, or refuse it in another way.

use super::server::{OURS, Reply, decoded, modern, tried_at, tried_but};
use conformance::model::{Eras, Verdict};
use rstest::rstest;
use serde_json::{Value, json};
use testing::Request;

const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

/// A refusal by a code has another member, or lacks it.
#[rstest]
#[case::another_version_in_vain(-32022, "code", json!(-32602), &["mcp.other-version"])]
#[case::without_what_it_supports(-32022, "data", json!({ "requested": "1900-01-01" }), &["mcp.other-version"])]
#[case::supporting_nothing(-32022, "data", json!({ "requested": "1900-01-01", "supported": [] }), &["mcp.other-version"])]
#[case::without_what_was_requested(-32022, "data", json!({ "supported": [OURS] }), &["mcp.other-version"])]
#[case::supporting_what_it_refuses(-32022, "data", json!({ "requested": "1900-01-01", "supported": ["1900-01-01"] }), &["mcp.other-version"])]
#[case::without_a_field_of_meta(-32602, "code", json!(-32600), &["mcp.required-meta"])]
#[case::a_method_that_it_lacks(-32601, "code", json!(-32602), &["mcp.unknown-method"])]
#[case::a_code_that_is_reserved(-32601, "code", json!(-32050), &["mcp.error-codes", "mcp.unknown-method"])]
#[case::a_code_that_is_retired(-32601, "code", json!(-32002), &["mcp.error-codes", "mcp.unknown-method"])]
#[case::headers(-32020, "code", json!(-32600), &[
    "mcp-http.method-header", "mcp-http.name-header", "mcp-http.no-version-header", "mcp-http.version-header",
    "mcp.required-meta",
])]
fn a_refusal_that_says_something_else(
    #[case] code: i64,
    #[case] member: &'static str,
    #[case] value: Value,
    #[case] expected: &[&str],
) {
    let trial = tried_but(move |request, reply| {
        if reply.body["error"]["code"] == code && request.method() != "initialize" {
            reply.body["error"][member] = value.clone();
        }
    });
    assert_eq!(trial.violated(), expected, "{}", trial.everything_said());
    assert_eq!(trial.log.totals.exit_code, 1);
}

#[rstest]
#[case::another_version(-32022, "200 OK")]
#[case::without_a_field_of_meta(-32602, "422 Unprocessable Content")]
#[case::a_method_that_it_lacks(-32601, "200 OK")]
#[case::a_method_that_it_lacks_as_a_bad_request(-32601, "400 Bad Request")]
#[case::headers(-32020, "412 Precondition Failed")]
fn a_refusal_with_another_status(#[case] code: i64, #[case] status: &'static str) {
    let trial = tried_but(move |request, reply| {
        if reply.body["error"]["code"] == code && request.method() != "initialize" {
            reply.status = status;
        }
    });
    assert_eq!(trial.violated(), ["mcp-http.refusal-status"], "{}", trial.everything_said());
}

/// A tool that does not exist may be refused as an error of that tool, as some libraries do: that is against advice alone.
#[test]
fn an_unknown_tool_that_is_refused_by_a_result() {
    let trial = tried_but(|request, reply| {
        if request.message["params"]["name"] == "no-such-tool" {
            let content = json!([{ "type": "text", "text": "Unknown tool: no-such-tool" }]);
            let result = json!({ "resultType": "complete", "content": content, "isError": true });
            *reply = modern(request);
            reply.status = "200 OK";
            reply.body = json!({ "jsonrpc": "2.0", "id": request.message["id"], "result": result });
        }
    });
    assert_eq!(trial.violated(), ["mcp.unknown-tool"], "{}", trial.everything_said());
    assert_eq!(trial.log.totals.exit_code, 0);
}

/// The header of a version is compared with the body, or looked at first: either refusal is one.
#[test]
fn a_version_in_the_header_may_be_refused_as_unknown() {
    let trial = tried_but(|request, reply| {
        if request.header("mcp-protocol-version") == Some("1900-01-01") {
            let data = json!({ "supported": [OURS], "requested": "1900-01-01" });
            *reply = Reply::error(request, "400 Bad Request", -32022, data);
        }
    });
    assert_eq!((trial.violated(), trial.log.totals.exit_code), (Vec::new(), 0), "{}", trial.everything_said());
}

#[rstest]
#[case::the_version("version", &["mcp.other-version"])]
#[case::a_field_of_meta("capabilities", &["mcp.required-meta"])]
#[case::the_method("method", &["mcp.unknown-method"])]
#[case::the_header_of_the_version("mcp-protocol-version", &[
    "mcp-http.no-version-header", "mcp-http.version-header",
])]
#[case::the_header_of_the_method("mcp-method", &["mcp-http.method-header"])]
#[case::the_header_of_the_name("mcp-name", &["mcp-http.name-header"])]
fn what_a_server_overlooks(#[case] what: &'static str, #[case] expected: &[&str]) {
    let (trial, _) = tried_at(Eras::Auto, move |request| modern(&mended(request.clone(), what)).answer());
    assert_eq!(trial.violated(), expected, "{}", trial.everything_said());
    assert_eq!(trial.log.totals.exit_code, 1);
}

/// A request as if one thing about it were as it should be.
fn mended(mut request: Request, what: &str) -> Request {
    if request.message["id"].is_null() || request.method() == "initialize" {
        return request;
    }
    let method = request.method().to_owned();
    let name = request.message["params"]["name"].as_str().unwrap_or_default().to_owned();
    match what {
        "version" if request.header("mcp-protocol-version") == Some("1900-01-01") => {
            let is_its_version = request.message["params"]["_meta"][VERSION] == "1900-01-01";
            if is_its_version {
                request.message["params"]["_meta"][VERSION] = json!(OURS);
                set(&mut request, "mcp-protocol-version", OURS);
            }
        }
        "capabilities" => request.message["params"]["_meta"][CAPABILITIES] = json!({}),
        "method" if method == "no/such" => {
            request.message["method"] = json!("tools/call");
            set(&mut request, "mcp-method", "tools/call");
            set(&mut request, "mcp-name", &name);
        }
        "mcp-protocol-version" => {
            let version = request.message["params"]["_meta"][VERSION].as_str().unwrap_or_default().to_owned();
            set(&mut request, what, &version);
        }
        "mcp-method" => set(&mut request, what, &method),
        "mcp-name" if method == "tools/call" => set(&mut request, what, &name),
        _ => {}
    }
    request
}

/// Sets a header.
fn set(request: &mut Request, name: &str, value: &str) {
    let is_it = |line: &String| line.split_once(':').is_some_and(|(known, _)| known.eq_ignore_ascii_case(name));
    request.head.retain(|line| !is_it(line));
    request.head.push(format!("{name}: {value}"));
}

#[test]
fn a_name_that_is_compared_in_its_encoded_form() {
    let trial = tried_but(|request, reply| {
        if request.header("mcp-name").is_some_and(|name| name.starts_with("=?base64?")) {
            *reply = Reply::error(request, "400 Bad Request", -32020, Value::Null);
        }
    });
    assert_eq!(trial.violated(), ["mcp-http.encoded-name"]);
}

/// Where an argument is mirrored, a server refuses the call without its header.
#[rstest]
#[case::looked_at(true, &[])]
#[case::overlooked(false, &["mcp-http.argument-header", "mcp-http.other-argument-header"])]
fn the_header_of_an_argument(#[case] is_looked_at: bool, #[case] expected: &[&str]) {
    let trial = tried_but(move |request, reply| {
        let argument = &request.message["params"]["arguments"]["query"];
        if reply.status == "200 OK" && request.method() == "tools/list" {
            reply.body["result"]["tools"][0]["inputSchema"]["properties"]["query"] =
                json!({ "type": "string", "x-mcp-header": "Query" });
        }
        if is_looked_at
            && reply.status == "200 OK"
            && request.header("mcp-param-query").map(decoded).as_deref() != argument.as_str()
        {
            *reply = Reply::error(request, "400 Bad Request", -32020, Value::Null);
        }
    });
    assert_eq!(trial.violated(), expected, "{}", trial.everything_said());
    let verdict = trial.verdict_in("protocol/no-argument-header/find", "mcp-http.argument-header");
    assert_eq!(verdict, if is_looked_at { Verdict::Pass } else { Verdict::Fail });
}

/// Each header is looked at, not one of them.
#[rstest]
#[case::both(&["query", "where"], &[])]
#[case::one(&["query"], &["mcp-http.argument-header", "mcp-http.other-argument-header"])]
#[case::the_other(&["where"], &["mcp-http.argument-header", "mcp-http.other-argument-header"])]
fn each_header_of_an_argument(#[case] looked_at: &'static [&'static str], #[case] expected: &[&str]) {
    let trial = tried_but(move |request, reply| {
        if reply.status == "200 OK" && request.method() == "tools/list" {
            let properties = &mut reply.body["result"]["tools"][0]["inputSchema"]["properties"];
            properties["query"] = json!({ "type": "string", "x-mcp-header": "query" });
            properties["where"] = json!({ "enum": ["here", "there"], "x-mcp-header": "where" });
        }
        for name in looked_at {
            let argument = &request.message["params"]["arguments"][name];
            let header = request.header(&format!("mcp-param-{name}")).map(decoded);
            if reply.status == "200 OK" && header.as_deref() != argument.as_str() {
                *reply = Reply::error(request, "400 Bad Request", -32020, Value::Null);
            }
        }
    });
    assert_eq!(trial.violated(), expected, "{}", trial.everything_said());
}

/// A server that speaks modern versions alone takes no request for a legacy one.
#[rstest]
#[case::no_version(VERSION)]
#[case::no_meta("")]
fn a_request_without_what_is_required(#[case] lacks: &'static str) {
    let (trial, _) = tried_at(Eras::Auto, move |request| {
        let meta = &request.message["params"]["_meta"];
        let is_lacking = if lacks.is_empty() { meta.is_null() } else { meta.is_object() && meta[lacks].is_null() };
        if !is_lacking || request.header("mcp-method").is_none() {
            return modern(request).answer();
        }
        let mut mended = request.clone();
        mended.message["params"]["_meta"][VERSION] = json!(OURS);
        mended.message["params"]["_meta"][CAPABILITIES] = json!({});
        modern(&mended).answer()
    });
    assert_eq!(trial.violated(), ["mcp.required-meta"], "{}", trial.everything_said());
}

/// A refusal without a message of JSON-RPC is one, by its status, and does not say why.
#[test]
fn refusals_by_the_status_alone() {
    let trial = tried_but(|request, reply| {
        if reply.status == "400 Bad Request" && request.method() != "initialize" {
            *reply = Reply::nothing("400 Bad Request");
        }
    });
    let expected = [
        "mcp-http.method-header",
        "mcp-http.name-header",
        "mcp-http.no-version-header",
        "mcp-http.version-header",
        "mcp.other-version",
        "mcp.required-meta",
        "mcp.unknown-tool",
    ];
    assert_eq!(trial.violated(), expected, "{}", trial.everything_said());
}
