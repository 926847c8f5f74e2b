//! `cargo xtask dev tokens`: what outlines cost compared with the same answers as JSON, beside the document's estimates.

use crate::shared::output::Format;
use crate::shared::print::say;
use crate::shared::program::REFERENCE;
use crate::shared::workspace;
use anyhow::{Context, Result, bail};
use conformance::derive::derive;
use conformance::load::Suite;
use conformance::model::{Request, Status};
use conformance::text::tokens::count;
use conformance::transport::{Limits, Mcp, McpProgram, Session, Transport};
use serde_json::{Map, Value, json};
use std::fs;
use std::path::Path;

pub(crate) const EXAMPLES: &str = "\
Examples:
  cargo xtask dev tokens                  the document's table, measured
  cargo xtask dev tokens --format json    the same for programs

Counted with the o200k_base vocabulary. The example is the document's own text; the other rows are what the reference
answers over records as long as the document assumes, in fixtures/outline/tokens.json.";

/// How to print.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

/// One answer in its four forms.
struct Texts {
    name: &'static str,
    records: usize,
    full: Value,
    outline: String,
    minimal: String,
    /// What the document expects of JSON and of the outline, in tokens.
    claim: (usize, usize),
}

/// Measures and prints; returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8> {
    let suite = workspace::suite()?;
    let file = workspace::root()?.join("fixtures/outline/tokens.json");
    let text = fs::read_to_string(&file).with_context(|| format!("{} cannot be read", file.display()))?;
    let data: Value = serde_json::from_str(&text).with_context(|| format!("{} is not JSON", file.display()))?;
    let mut rows = vec![row(&example(&data["example"]))?];
    for texts in scenarios(&suite, &words(&data))? {
        rows.push(row(&texts)?);
    }
    let assumed = assumed(&data)?;
    match arguments.format {
        Format::Json => say!("{:#}", json!({ "vocabulary": "o200k_base", "rows": rows, "assumed": assumed })),
        Format::Human => print(&rows, &assumed),
    }
    Ok(0)
}

/// The titles and summaries that records are made of.
fn words(data: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    data["texts"].as_array().into_iter().flatten().map(|pair| (text(&pair[0]), text(&pair[1]))).collect()
}

/// The document's own example.
fn example(data: &Value) -> Texts {
    let lines: Vec<&str> = data["outline"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let outline = lines.join("\n");
    let records = data["json"]["results"].as_array().map_or(0, Vec::len);
    let minimal = headers(&outline);
    Texts { name: "example of three records", records, full: data["json"].clone(), outline, minimal, claim: (180, 65) }
}

/// The header lines of an outline.
fn headers(outline: &str) -> String {
    outline.lines().filter(|line| line.trim_start().starts_with('[')).map(|line| format!("{line}\n")).collect()
}

/// The four scenarios of the document, asked of the reference.
fn scenarios(suite: &Suite, words: &[(String, String)]) -> Result<Vec<Texts>> {
    if words.len() < 30 {
        bail!("fixtures/outline/tokens.json has {} texts, and thirty are needed", words.len());
    }
    let overview = ask(suite, &overview(words), |answers| {
        let forms = answers.forms("project-overview", "project-overview-full", &[])?;
        Ok(forms.into_texts("project overview", 18, (900, 450)))
    })?;
    let search = ask(suite, &flat(&words[..20]), |answers| {
        let forms = answers.forms("search-records", "search-records-full", &[("query", "library")])?;
        Ok(forms.into_texts("large search result", 20, (1000, 500)))
    })?;
    let deep = ask(suite, &levels(&words[..30], 3, 3), |answers| {
        Ok(answers.forms("list-records", "list-records-full", &[])?.into_texts(
            "deep tree, three levels",
            30,
            (1500, 600),
        ))
    })?;
    let bundle = ask(suite, &levels(&words[..19], 1, 3), |answers| {
        let bundle = answers.ask("activate", &[("id", "R001")])?;
        let outline = bundle["grandchildren"].as_str().unwrap_or_default().to_owned();
        let all = answers.ask("list-records-full", &[("format", "full")])?;
        let is_shown = |one: &&Value| outline.contains(&format!("[{}]", one["id"].as_str().unwrap_or_default()));
        let full: Vec<&Value> = all["results"].as_array().into_iter().flatten().filter(is_shown).collect();
        let (full, minimal) = (json!({ "grandchildren": full }), headers(&outline));
        Ok(Texts { name: "grandchildren of a bundle", records: 15, full, outline, minimal, claim: (750, 375) })
    })?;
    Ok(vec![overview, search, deep, bundle])
}

/// Three roots that are done, ten open records below them, and five for later.
fn overview(words: &[(String, String)]) -> Vec<Value> {
    let state = |at: usize| match at {
        0..3 => "RESOLVED",
        3..13 => "OPEN",
        _ => "LATER",
    };
    let parent = |at: usize| (at >= 3).then(|| id(at % 3));
    (0..18).map(|at| record(at, &words[at], state(at), parent(at))).collect()
}

fn flat(words: &[(String, String)]) -> Vec<Value> {
    words.iter().enumerate().map(|(at, words)| record(at, words, "OPEN", None)).collect()
}

/// Roots, their children, and all other records below the children.
fn levels(words: &[(String, String)], roots: usize, children: usize) -> Vec<Value> {
    let parent = |at: usize| match at {
        _ if at < roots => None,
        _ if at < roots + children * roots => Some(id((at - roots) % roots)),
        _ => Some(id(roots + at % (children * roots))),
    };
    words.iter().enumerate().map(|(at, words)| record(at, words, "OPEN", parent(at))).collect()
}

fn id(at: usize) -> String {
    format!("R{:03}", at + 1)
}

fn record(at: usize, (title, summary): &(String, String), state: &str, parent: Option<String>) -> Value {
    json!({ "id": id(at), "type": "question", "title": title, "summary": summary, "state": state, "parent_id": parent })
}

/// The reference over some records.
struct Answers<'s> {
    suite: &'s Suite,
    session: Box<dyn Session>,
    runtime: tokio::runtime::Runtime,
}

/// One answer as JSON and as two outlines.
struct Forms {
    full: Value,
    outline: String,
    minimal: String,
}

impl Forms {
    fn into_texts(self, name: &'static str, records: usize, claim: (usize, usize)) -> Texts {
        Texts { name, records, full: self.full, outline: self.outline, minimal: self.minimal, claim }
    }
}

/// Starts the reference over records, asks, and ends it.
fn ask(suite: &Suite, records: &[Value], question: impl FnOnce(&Answers<'_>) -> Result<Texts>) -> Result<Texts> {
    let folder = tempfile::tempdir().context("there is no room for records to measure")?;
    let lines: String = records.iter().map(|record| format!("{record}\n")).collect();
    let corpus = folder.path().join("outline/corpus");
    fs::create_dir_all(&corpus)
        .and_then(|()| fs::write(corpus.join("records.ndjson"), lines))
        .context("the records cannot be written")?;
    let transport = reference(folder.path())?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let answers = Answers { suite, session: transport.open(None)?, runtime };
    let texts = question(&answers);
    answers.runtime.block_on(transport.close());
    texts
}

fn reference(corpus: &Path) -> Result<Mcp> {
    let command = [&workspace::ourselves()?, REFERENCE, "mcp", "--corpus", &corpus.display().to_string()];
    let command = command.map(str::to_owned);
    let program = McpProgram { command: &command, environment: <_>::default(), folder: None };
    Ok(Mcp::program(program, Limits::default())?)
}

impl Answers<'_> {
    fn forms(&self, text: &str, full: &str, with: &[(&str, &str)]) -> Result<Forms> {
        let as_text = |format| -> Result<String> {
            let answer = self.ask(text, &[with, &[("format", format)]].concat())?;
            Ok(answer.as_str().unwrap_or_default().to_owned())
        };
        let full = self.ask(full, &[with, &[("format", "full")]].concat())?;
        Ok(Forms { full, outline: as_text("compact")?, minimal: as_text("minimal")? })
    }

    /// A text answer as a string, a JSON answer as JSON.
    fn ask(&self, operation: &str, with: &[(&str, &str)]) -> Result<Value> {
        let contract = self.suite.contract("outline").context("there is no contract outline")?;
        let known = contract.contract.operations.get(operation).context("the contract has no such operation")?;
        let with: Map<String, Value> = with.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect();
        let reply = self.runtime.block_on(self.session.call(known, &with))?;
        let reply = derive(Request::default(), &reply, known, None);
        if reply.status != Status::Accepted {
            bail!("the reference does not answer {operation}: {}", reply.answer);
        }
        Ok(reply.lines.map_or_else(|| reply.answer["body"].clone(), |lines| lines.join("\n").into()))
    }
}

/// The counts of one answer.
fn row(texts: &Texts) -> Result<Value> {
    let counted = |text: &str| count(text).context("the answer cannot be counted");
    let (pretty, bare) = (counted(&format!("{:#}", texts.full))?, counted(&texts.full.to_string())?);
    let (outline, minimal) = (counted(&texts.outline)?, counted(&texts.minimal)?);
    let (json, text) = texts.claim;
    Ok(json!({
        "name": texts.name, "records": texts.records,
        "json_indented": pretty, "json_bare": bare, "outline": outline, "minimal": minimal,
        "saved_of_indented": saved(pretty, outline), "saved_of_bare": saved(bare, outline),
        "document": { "json": json, "outline": text, "saved": saved(json, text) },
    }))
}

/// How much less the second is than the first, in whole per cent.
fn saved(of: usize, now: usize) -> i64 {
    let (of, now) = (of as f64, now as f64);
    ((1.0 - now / of) * 100.0).round() as i64
}

/// The averages that the document assumes, of the texts that are measured.
fn assumed(data: &Value) -> Result<Value> {
    let words = words(data);
    let average = |part: fn(&(String, String)) -> &String| -> Result<f64> {
        let counts: Option<Vec<usize>> = words.iter().map(|pair| count(part(pair))).collect();
        let sum: usize = counts.context("a text cannot be counted")?.into_iter().sum();
        Ok((sum as f64 / words.len() as f64 * 10.0).round() / 10.0)
    };
    let (title, summary) = (average(|pair| &pair.0)?, average(|pair| &pair.1)?);
    Ok(json!({ "title": { "measured": title, "document": 5 }, "summary": { "measured": summary, "document": 15 } }))
}

fn print(rows: &[Value], assumed: &Value) {
    say!("Tokens by the o200k_base vocabulary, and what the document expects:");
    say!("");
    say!(
        "{:28}  {:>7}  {:>8}  {:>8}  {:>7}  {:>7}  {:>14}  document",
        "",
        "records",
        "indented",
        "bare",
        "outline",
        "minimal",
        "saved of"
    );
    say!(
        "{:28}  {:>7}  {:>8}  {:>8}  {:>7}  {:>7}  {:>14}  JSON, outline, saved",
        "",
        "",
        "JSON",
        "JSON",
        "",
        "",
        "indented, bare"
    );
    for row in rows {
        let cell = |key: &str| row[key].to_string();
        let saved = format!("{} %, {} %", row["saved_of_indented"], row["saved_of_bare"]);
        let claim = &row["document"];
        let claim = format!("{}, {}, {} %", claim["json"], claim["outline"], claim["saved"]);
        say!(
            "{:28}  {:>7}  {:>8}  {:>8}  {:>7}  {:>7}  {:>14}  {claim}",
            row["name"].as_str().unwrap_or_default(),
            cell("records"),
            cell("json_indented"),
            cell("json_bare"),
            cell("outline"),
            cell("minimal"),
            saved,
        );
    }
    say!("");
    say!(
        "Average title: {} tokens (document: 5); average summary: {} (document: 15).",
        assumed["title"]["measured"],
        assumed["summary"]["measured"]
    );
}
