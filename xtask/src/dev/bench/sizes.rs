//! The reference with corpora of several sizes: how long until it answers, and how long a search takes.

use super::measured::{Measured, middle, shown};
use crate::shared::workspace;
use anyhow::{Context, Result, ensure};
use chrono::DateTime;
use conformance::derive::derive;
use conformance::load::Suite;
use conformance::model::{Contract, Request};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::Instant;

const WORDS: [&str; 24] = [
    "anchor", "basket", "candle", "desert", "engine", "feather", "garden", "harbor", "island", "journey", "kitchen",
    "lantern", "market", "needle", "orange", "picture", "rocket", "saddle", "ticket", "tunnel", "velvet", "wagon",
    "window", "winter",
];
/// So many documents have a word of their own, then they begin again.
const MARKS: usize = 500;
/// Seconds that a call may take: a corpus of a million is larger than any of a case.
const PATIENCE: u64 = 120;

/// A corpus of any size, and a search of it: `fixtures/<contract>/bench.json`.
#[derive(Deserialize)]
struct Corpus {
    /// How many calls the cases of the contract made at one endpoint when that was looked at last.
    calls: usize,
    /// What it has many of.
    things: String,
    /// Its file below the contract's corpus. One with `{number}` is a file of each thing.
    file: String,
    /// One of the things, a text as it is and anything else as JSON. `{number}` counts them from 1, `{time}` is a second of its own and
    /// `{date}` the same as RFC 3339, `{words}` are words of its own, and `{parent}` is the number of another one with up to eight below
    /// it; a text with `{parent}` is null in the first.
    line: Value,
    /// Files that are there beside it, with their lines.
    #[serde(default)]
    beside: BTreeMap<String, Vec<Value>>,
    call: String,
    /// The arguments of a search for `{word}`, or of a question for the thing of a `{number}` that has the word.
    with: Map<String, Value>,
}

/// A thousand, a hundred thousand and a million, up to the largest.
pub(super) fn measure(largest: usize, times: usize) -> Result<Vec<Measured>> {
    let mut sizes: Vec<usize> = [1_000, 100_000, 1_000_000].into_iter().filter(|size| *size <= largest).collect();
    if sizes.last() != Some(&largest) {
        sizes.push(largest);
    }
    let suite = workspace::suite()?;
    let mut lines = Vec::new();
    for contract in suite.contracts.iter().map(|contract| &contract.contract) {
        let Some(corpus) = Corpus::read(&contract.name)? else { continue };
        for size in &sizes {
            lines.push(corpus.measure(contract, &suite, *size, times)?);
        }
    }
    Ok(lines)
}

/// How many calls the cases of a contract made when that was looked at last, if it was.
pub(super) fn calls(contract: &str) -> Result<Option<usize>> {
    Ok(Corpus::read(contract)?.map(|corpus| corpus.calls))
}

impl Corpus {
    /// That of a contract, which a new one does not have.
    fn read(contract: &str) -> Result<Option<Self>> {
        let file = workspace::root()?.join("fixtures").join(contract).join("bench.json");
        let Ok(text) = fs::read_to_string(&file) else { return Ok(None) };
        serde_json::from_str(&text).map(Some).with_context(|| file.display().to_string())
    }

    /// The reference with this many things.
    fn measure(&self, contract: &Contract, suite: &Suite, size: usize, times: usize) -> Result<Measured> {
        let folder = tempfile::tempdir().context("no folder can be made for a corpus")?;
        let corpus = folder.path().join(&contract.name).join("corpus");
        self.write(&corpus, size).with_context(|| format!("{size} {} cannot be written", self.things))?;
        let operation = contract.operations.get(&self.call).context("no such operation")?;
        let mut file = workspace::reference_file(suite)?;
        file.endpoints.retain(|endpoint| endpoint.contract.name() == contract.name);
        file.endpoints.truncate(1);
        let mut places = workspace::reference_program()?;
        places.insert("corpus".to_owned(), folder.path().display().to_string());
        file.timeout = Some(PATIENCE);
        let mut target = file.ready(&places, &|name| std::env::var(name).ok())?;
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        runtime.block_on(async {
            let started = Instant::now();
            let server = target.start().await?;
            let ready = started.elapsed();
            let transport = &target.endpoints[0].transport;
            let session = transport.open(transport.kind().brings_corpus().then_some(&*corpus))?;
            let mut seconds = Vec::new();
            for group in 0..times * 3 {
                let word = mark(group);
                let number = if group == 0 { MARKS } else { group }.to_string();
                let places = [("{word}", &*word), ("{number}", &number)];
                let with = self.with.iter().map(|(name, value)| (name.clone(), filled(value, &places)));
                let reply = session.call(operation, &with.collect()).await?;
                let reply = derive(Request::default(), &reply, operation, None);
                let in_a_line = |lines: &Vec<String>| lines.iter().any(|line| line.contains(&word));
                let found = reply.answer.to_string().contains(&word) || reply.lines.as_ref().is_some_and(in_a_line);
                ensure!(found, "a search of {size} {} for {word} finds nothing: {:?}", self.things, reply.raw);
                seconds.push(reply.elapsed);
            }
            drop(session);
            target.stop(server).await;
            let value = format!(
                "{size} {}: answers after {}, a search {}",
                self.things,
                shown(ready.as_secs_f64()),
                shown(middle(seconds))
            );
            Ok(Measured::new(format!("sizes: {}", contract.name), value))
        })
    }

    /// Writes the things into a folder, the same each time.
    fn write(&self, folder: &Path, size: usize) -> Result<()> {
        let path = folder.join(&self.file);
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        for (file, lines) in &self.beside {
            let lines: Vec<String> = lines.iter().map(|line| format!("{line}\n")).collect();
            fs::write(folder.join(file), lines.concat())?;
        }
        let mut together = match self.file.contains("{number}") {
            true => None,
            false => Some(BufWriter::new(File::create(path)?)),
        };
        let mut random = fastrand::Rng::with_seed(7);
        for number in 1..=size {
            let words: Vec<&str> = (0..20).map(|_| WORDS[random.usize(..WORDS.len())]).collect();
            let words = format!("{} {}", words.join(" "), mark(number));
            let parent = if number > 1 { ((number - 2) / 8 + 1).to_string() } else { String::new() };
            let time = 1_700_000_000 + number as i64;
            let date = DateTime::from_timestamp(time, 0).unwrap_or_default().to_rfc3339();
            let (number, time) = (number.to_string(), time.to_string());
            let places = [
                ("{number}", &*number),
                ("{time}", &time),
                ("{date}", &date),
                ("{words}", &words),
                ("{parent}", &parent),
            ];
            let thing = match filled(&self.line, &places) {
                Value::String(text) => text,
                line => line.to_string(),
            };
            match &mut together {
                Some(file) => writeln!(file, "{thing}")?,
                None => fs::write(folder.join(self.file.replace("{number}", &number)), thing)?,
            }
        }
        Ok(together.map_or(Ok(()), |mut file| file.flush())?)
    }
}

/// A value with its places filled in. A text that is a single place becomes a number if it can, and null if the value is empty.
fn filled(value: &Value, places: &[(&str, &str)]) -> Value {
    match value {
        Value::Array(values) => values.iter().map(|value| filled(value, places)).collect(),
        Value::Object(fields) => {
            Value::Object(fields.iter().map(|(name, value)| (name.clone(), filled(value, places))).collect())
        }
        Value::String(text) => match places.iter().find(|(place, _)| text.contains(place)) {
            Some((_, "")) => Value::Null,
            Some((place, with)) if place == text => {
                with.parse::<u64>().map_or_else(|_| Value::from(*with), Value::from)
            }
            _ => Value::from(places.iter().fold(text.clone(), |text, (place, with)| text.replace(place, with))),
        },
        other => other.clone(),
    }
}

/// A word that one document in five hundred has.
fn mark(number: usize) -> String {
    format!("mark{:03}", number % MARKS)
}
