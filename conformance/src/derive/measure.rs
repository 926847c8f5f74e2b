//! What the answers of a case took, and what a model reads in them.

use crate::model::{Channel, Measured, Place, Read};
use crate::path::exchanges;
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// Adds the answers of a case: the times of those that were accepted or refused, and the sizes and texts of accepted ones.
pub(crate) fn measure(measured: &mut Measured, place: &Place, case: &str, evidence: &Value) {
    for at in exchanges(evidence) {
        let (exchange, status) = (at.value, at.status());
        let Some(seconds) = exchange["elapsed"].as_f64().filter(|_| status != "failed") else { continue };
        let request = &exchange["request"];
        let Some(operation) = request["operation"].as_str() else { continue };
        let over = request.get("over").and_then(|over| Channel::deserialize(over).ok());
        let place = Place { contract: place.contract.clone(), transport: over.unwrap_or(place.transport) };
        measured.took(&place, operation, seconds);
        if let Some(bytes) = exchange["raw"]["bytes"].as_u64().filter(|_| status == "accepted") {
            let (bytes, name) = (usize::try_from(bytes).unwrap_or(usize::MAX), format!("{case} {}", at.pointer()));
            measured.accepted((&place, operation), &name, bytes, || read(exchange, bytes));
        }
    }
}

/// What a model reads in an accepted answer of so many bytes: printed lines, the tools of a list as clients hand them on, the text of a
/// tool's content, or else the body. JSON is written without spaces between its values.
fn read(exchange: &Value, bytes: usize) -> Read {
    let answer = &exchange["answer"];
    let result = &answer["result"];
    let texts = texts(result);
    let text = if let Some(lines) = exchange["lines"].as_array() {
        lines.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n")
    } else if answer["pages"].is_array() {
        handed_on(&answer["body"]["tools"]).to_string()
    } else if !texts.is_empty() {
        texts.join("\n")
    } else if result.is_object() {
        result.get("structuredContent").map_or_else(String::new, Value::to_string)
    } else if let Some(beginning) = answer["text"].as_str() {
        // Of a body that is not JSON, the beginning is kept.
        return Read { text: beginning.to_owned(), length: bytes.max(beginning.len()) };
    } else {
        answer["body"].to_string()
    };
    Read { length: text.len(), text }
}

/// The texts of a tool's content.
fn texts(result: &Value) -> Vec<&str> {
    let blocks = result["content"].as_array().into_iter().flatten();
    blocks.filter_map(|block| block["text"].as_str().or_else(|| block["resource"]["text"].as_str())).collect()
}

/// Tools as clients hand them to a model: the name, the description and the schema of the arguments of each.
fn handed_on(tools: &Value) -> Value {
    const PARTS: [&str; 3] = ["name", "description", "inputSchema"];
    let tools = tools.as_array().into_iter().flatten();
    let parts = |tool: &Value| -> Map<String, Value> {
        PARTS.iter().filter_map(|part| Some(((*part).to_owned(), tool.get(part)?.clone()))).collect()
    };
    json!(tools.map(parts).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::{measure, read};
    use crate::model::{Channel, ContractKey, Measured, Place, TransportKind};
    use rstest::rstest;
    use serde_json::{Value, json};

    #[rstest]
    #[case::printed(json!({ "lines": ["a", "b"], "answer": { "exit": 0 } }), "a\nb")]
    #[case::a_body(json!({ "answer": { "status": 200, "body": { "a": [1, 2] }, "text": null } }), r#"{"a":[1,2]}"#)]
    #[case::content(json!({ "answer": { "body": 1, "result": { "structuredContent": { "a": 1 },
        "content": [{ "type": "text", "text": "a" }, { "type": "resource", "resource": { "text": "b" } }] } } }), "a\nb")]
    #[case::structured_alone(json!({ "answer": { "body": 1, "result": { "structuredContent": { "a": 1 } } } }), r#"{"a":1}"#)]
    #[case::tools(json!({ "answer": { "pages": [], "body": { "tools": [
        { "name": "t", "title": "T", "inputSchema": {}, "outputSchema": { "type": "object" } }] } } }),
        r#"[{"name":"t","inputSchema":{}}]"#)]
    fn what_a_model_reads(#[case] exchange: Value, #[case] due: &str) {
        let text = read(&exchange, 1);
        assert_eq!((text.text.as_str(), text.length), (due, due.len()));
    }

    #[test]
    fn of_a_body_that_is_no_json_the_beginning_is_known() {
        let exchange = json!({ "answer": { "status": 200, "body": null, "text": "the beginning …" } });
        assert_eq!(read(&exchange, 4000).length, 4000);
    }

    #[test]
    fn failures_have_no_time_and_refusals_no_size() {
        let exchange = |status: &str| {
            json!({ "request": { "operation": "read", "with": {} }, "status": status, "elapsed": 0.5,
                    "answer": { "body": {} }, "raw": { "bytes": 2 } })
        };
        let mut measured = Measured::default();
        let place = Place { contract: ContractKey::new("m"), transport: Channel::new(TransportKind::Http, None) };
        let evidence = json!([[exchange("failed"), exchange("refused")], [exchange("accepted")]]);
        measure(&mut measured, &place, "a/case", &evidence);
        let numbers = measured.numbers(false);
        assert_eq!((numbers.len(), numbers[0].answers), (1, 2));
        assert_eq!(numbers[0].largest.map(|cost| (cost.bytes, cost.tokens)), Some((2, None)));
    }

    #[test]
    fn what_says_no_time_is_left_out() {
        let mut measured = Measured::default();
        let place = Place { contract: ContractKey::new("m"), transport: Channel::new(TransportKind::Http, None) };
        measure(
            &mut measured,
            &place,
            "a/case",
            &json!([[{ "request": { "operation": "read" }, "status": "accepted" }, null]]),
        );
        assert!(measured.numbers(true).is_empty());
    }
}
