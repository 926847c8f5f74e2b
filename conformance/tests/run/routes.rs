//! Where the cases of a contract with two transports run, and what a target lacks for them. Nothing is called.

use conformance::load::{Case, ContractSuite, Suite};
use conformance::targets::{Address, CorpusState, EndpointFile, Target, TargetFile};
use rstest::rstest;
use serde_json::{Value, json};
use std::collections::BTreeMap;

fn suite() -> Suite {
    Suite::load(testing::root()).unwrap()
}

fn case<'s>(contract: &'s ContractSuite, name: &str) -> &'s Case {
    contract.cases.iter().find(|case| case.name == name).unwrap()
}

/// A target of memory at these transports.
fn target(transports: &[&str], corpus: bool, memory: Option<&str>) -> Target {
    let address = |transport: &str| match transport {
        "http" => Address::Http("http://127.0.0.1:1".to_owned()),
        _ => Address::McpHttp("http://127.0.0.1:1/mcp".to_owned()),
    };
    let endpoint = |transport: &&str| EndpointFile {
        arguments: memory.map(|id| ("memoryId".to_owned(), json!(id))).into_iter().collect(),
        ..EndpointFile::new("memory", address(transport))
    };
    let endpoints = transports.iter().map(endpoint).collect();
    let corpus = corpus.then_some(CorpusState::Loaded);
    let file = TargetFile { name: "nobody".to_owned(), endpoints, corpus, ..TargetFile::default() };
    file.ready(&BTreeMap::new(), &|_| None).unwrap()
}

#[rstest]
#[case::any_case_everywhere("request/offered", &["http", "mcp"], &[0, 1])]
#[case::tools_where_there_are_some("tools/description", &["http", "mcp"], &[1])]
#[case::tools_nowhere("tools/description", &["http"], &[])]
#[case::one_that_compares_once("compare/answers", &["http", "mcp", "mcp"], &[0])]
#[case::one_that_compares_whatever_comes_first("compare/answers", &["mcp", "http"], &[0])]
#[case::one_that_names_a_transport_there_alone("request/refusal-status", &["mcp", "http"], &[1])]
#[case::one_that_names_a_transport_that_is_not_there("request/refusal-status", &["mcp"], &[])]
#[case::derived_from_a_body("derived/search/top_ke/type", &["http", "mcp"], &[0, 1])]
fn a_case_runs_at(#[case] name: &str, #[case] transports: &[&str], #[case] due: &[usize]) {
    let suite = suite();
    let contract = suite.contract("memory").unwrap();
    let target = target(transports, true, None);
    let runs = (0..transports.len()).filter(|at| target.runs_at(*at, case(contract, name), &contract.contract));
    assert_eq!(runs.collect::<Vec<_>>(), due);
}

#[test]
fn the_route_of_a_case_that_compares_leads_to_the_other_endpoint() {
    let suite = suite();
    let contract = suite.contract("memory").unwrap();
    let target = target(&["http", "mcp"], true, None);
    let route = target.route(0, case(contract, "compare/answers"), &contract.contract).unwrap();
    let kinds: Vec<_> = route.others.iter().map(|other| other.transport.kind().to_string()).collect();
    assert_eq!((route.home.transport.kind().to_string(), kinds), ("http".to_owned(), vec!["mcp-http".to_owned()]));
}

#[rstest]
#[case::data("answer/finds", false, Some("m-1"), "needs the corpus")]
#[case::an_id("request/offered", false, None, "needs a `memoryId` of the target's own: give it by --argument")]
#[case::the_other_endpoint("compare/answers", true, None, "compares with mcp")]
fn what_a_target_lacks_is_told(
    #[case] name: &str,
    #[case] corpus: bool,
    #[case] memory: Option<&str>,
    #[case] message: &str,
) {
    let suite = suite();
    let contract = suite.contract("memory").unwrap();
    let lacking = target(&["http"], corpus, memory).route(0, case(contract, name), &contract.contract).err();
    assert!(lacking.as_ref().unwrap().starts_with(message), "{lacking:?}");
}

#[rstest]
#[case::of_the_corpus(true, None, json!({ "memoryId": "orchard", "query": "apple" }))]
#[case::of_the_target(false, Some("m-1"), json!({ "memoryId": "m-1", "query": "apple" }))]
#[case::of_the_target_before_the_corpus(true, Some("m-1"), json!({ "memoryId": "m-1", "query": "apple" }))]
fn what_is_given(#[case] corpus: bool, #[case] memory: Option<&str>, #[case] due: serde_json::Value) {
    let suite = suite();
    let contract = suite.contract("memory").unwrap();
    let target = target(&["http"], corpus, memory);
    let route = target.route(0, case(contract, "request/offered"), &contract.contract).unwrap();
    assert_eq!(json!(route.given), due);
}

#[rstest]
#[case::a_command_line(json!({ "cli": ["qipu", "--quiet"] }), Address::Cli(vec!["qipu".to_owned(), "--quiet".to_owned()]))]
#[case::http(json!({ "http": "http://127.0.0.1:1" }), Address::Http("http://127.0.0.1:1".to_owned()))]
#[case::mcp(json!({ "mcp": { "url": "http://127.0.0.1:1/mcp" } }), Address::McpHttp("http://127.0.0.1:1/mcp".to_owned()))]
#[case::mcp_on_streams(json!({ "mcp": { "command": ["node"] } }), Address::McpStdio(vec!["node".to_owned()]))]
fn an_endpoint_is_written_as_it_is_read(#[case] mut keys: Value, #[case] address: Address) {
    keys["contract"] = json!("memory");
    let endpoint: EndpointFile = serde_json::from_value(keys.clone()).unwrap();
    assert_eq!(endpoint.address, address);
    assert_eq!(json!(endpoint), keys);
}

#[rstest]
#[case::none(json!({}))]
#[case::two(json!({ "http": "http://127.0.0.1:1", "cli": ["qipu"] }))]
fn an_endpoint_has_exactly_one_address(#[case] mut keys: Value) {
    keys["contract"] = json!("memory");
    let error = serde_json::from_value::<EndpointFile>(keys).unwrap_err();
    assert_eq!(error.to_string(), "the endpoint of memory has exactly one of `cli`, `http` and `mcp`");
}
