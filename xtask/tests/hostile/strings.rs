//! Targets whose every text tries to get out of the reports: of a terminal, XML, HTML, Markdown, JSON and lines.

use crate::bystander::{assert_nobody_else_was_asked, response};
use crate::mcp;
use crate::reports::MARK;
use crate::run::{Due, PATIENT, advises, is_not_there, verify, violates};
use libtest_mimic::Trial;
use serde_json::json;
use testing::{Answer, Request, Script, Server, answer, ok};

/// Every row by its name.
pub(crate) fn trials() -> Vec<Trial> {
    let error = || json!({ MARK: nasty(), "error": nasty(), "message": nasty() }).to_string();
    let results = || {
        let mut item = json!({ "frame_id": 1, "timestamp": 1_700_000_000, "focused": nasty(), nasty(): nasty() });
        for field in ["app_name", "window_name", "browser_url", "ocr_snippet", "frame_url"] {
            item[field] = nasty().into();
        }
        let mut other = item.clone();
        other["frame_id"] = json!(2);
        other["frame_url"] = format!("{}2", nasty()).into();
        json!({ "data": [item, other], nasty(): nasty() }).to_string()
    };
    vec![
        http("results", "live/newest", advises("recall.item-types"), move |_| ok(results())),
        http("a_refusal", "params/offered", violates("recall.search-offered"), move |_| {
            answer("404 Not Found", "content-type: application/json\r\n", error())
        }),
        http("a_text", "params/offered", violates("http.json"), |_| ok(nasty())),
        http("a_key_twice_and_no_results", "params/offered", violates("recall.item-frame-id"), |_| {
            let key = json!(nasty()).to_string();
            ok(format!("{{{key}:1,{key}:2,\"data\":[{key}]}}"))
        }),
        http("headers", "params/offered", violates("recall.search-offered"), |_| {
            // What a header may hold.
            let odd: Vec<u8> = nasty().bytes().filter(|byte| !byte.is_ascii_control()).collect();
            Answer::End([b"HTTP/1.1 404 ", &odd[..], b"\r\nx: ", &odd, b"\r\nconnection: close\r\n\r\n"].concat())
        }),
        tools("a_result", violates("mcp.structured-valid"), |request| match request.method() {
            "tools/call" => {
                let fields = json!({ "entries": [{ nasty(): nasty() }], "contexts": nasty(), "count": nasty(), nasty(): nasty() });
                let result = json!({ "content": [{ "type": "text", "text": nasty() }], "structuredContent": fields });
                response(request, &result)
            }
            "tools/list" => {
                let count = json!({ "type": "integer", "description": nasty() });
                let output =
                    json!({ "type": "object", "title": nasty(), "properties": { "count": count, nasty(): {} } });
                let mut tools = mcp::tools(&output);
                tools["tools"][0]["description"] = nasty().into();
                let other = json!({ "name": nasty(), "inputSchema": { "type": nasty() } });
                tools["tools"].as_array_mut().unwrap().push(other);
                response(request, &tools)
            }
            "initialize" => response(
                request,
                &json!({ "protocolVersion": nasty(), "capabilities": { nasty(): nasty() },
                                                       "serverInfo": { "name": nasty(), "version": nasty() } }),
            ),
            _ => mcp::good(request),
        }),
        tools("an_error", violates("mcp.answers"), |request| match request.method() {
            "tools/call" => {
                let error = json!({ "code": nasty(), "message": nasty(), "data": nasty() });
                ok(json!({ "jsonrpc": nasty(), "id": nasty(), "error": error }).to_string())
            }
            _ => mcp::good(request),
        }),
        tools("noise", violates("mcp.no-noise"), |request| match request.method() {
            "tools/call" => ok(json!([nasty(), { "method": nasty() }, { nasty(): nasty() }]).to_string()),
            _ => mcp::good(request),
        }),
        tools("a_beginning", is_not_there("brings no result"), |request| match request.method() {
            "initialize" => {
                ok(json!({ "jsonrpc": "2.0", "id": 1, "error": { "code": 1, "message": nasty() } }).to_string())
            }
            _ => mcp::good(request),
        }),
        command_line("output", violates("records.header-first"), "cat \"$FOLDER/nasty\""),
        command_line(
            "a_header",
            violates("records.header-mode"),
            "printf 'H records=1 truncated=false mode='; cat \"$FOLDER/nasty\"",
        ),
        command_line("errors", violates("records.context-offered"), "cat \"$FOLDER/nasty\" >&2; exit 1"),
    ]
}

/// A text with everything that acts somewhere.
fn nasty() -> String {
    let acts = "\0\u{1}\u{7}\u{8}\u{b}\u{7f}\u{1b}[2J\u{1b}]0;owned\u{7}\u{9b}31m\u{85}\r\n\t\u{61c}\u{200e}\u{202e}\u{2066}\
                \u{2028}\u{feff}\u{fffe}\u{ffff}\u{e0041}\u{ad}\u{34f}\u{115f}\u{17b4}\u{180b}\u{200c}\u{2800}\u{3164}\u{fe0f}\u{ffa0}\u{e0100}";
    let markup = "</script></pre></testcase>]]><![CDATA[<img src=x onerror=alert(1)>\" onload='x' <!-- &lt;&#0; \
                  <script>alert(1)</script> javascript:alert(1)";
    let markdown = "`|` ``` [x](http://h0stile.example) ![x](y) www.h0stile.example $x$ **x** ~~x~~ </details> @all\n# x\n\
                    ```\n| a |\n|---|\n- [ ] x\n> [!NOTE]\n[^1]: x\n::error::x";
    let commands = "::add-mask::x \u{a0}::stop-commands::x ##[set-output name=a]x ##vso[task.complete]x";
    format!("{MARK}{acts} {markup} {markdown} {commands} {{}} \\ %0A, exit 0\n, exit 0")
}

fn http(name: &str, case: &'static str, due: Due, given: impl Fn(&Request) -> Answer + Send + Sync + 'static) -> Trial {
    Trial::test(format!("strings::http_{name}"), move || {
        let server = Server::new(given);
        let run = verify(&["recall", "--http", &server.address, "--case", case, "--timeout", PATIENT]);
        run.assert_is(due);
        run.reports.assert_marked();
        assert_nobody_else_was_asked();
        Ok(())
    })
}

fn tools(name: &str, due: Due, given: impl Fn(&Request) -> Answer + Send + Sync + 'static) -> Trial {
    Trial::test(format!("strings::mcp_{name}"), move || {
        let server = Server::new(given);
        let address = format!("{}/mcp", server.address);
        let run = verify(&[&["memory", "--mcp", &address, "--timeout", PATIENT], &mcp::SEARCH[..]].concat());
        run.assert_is(due);
        run.reports.assert_marked();
        Ok(())
    })
}

fn command_line(name: &str, due: Due, script: &'static str) -> Trial {
    Trial::test(format!("strings::cli_{name}"), move || {
        let script = Script::new(script);
        std::fs::write(script.file("nasty"), nasty()).unwrap();
        let command = script.line();
        let run = verify(&["records", "--cli", &command, "--case", "header/context", "--timeout", PATIENT]);
        run.assert_is(due);
        run.reports.assert_marked();
        Ok(())
    })
}
