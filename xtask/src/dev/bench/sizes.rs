//! The reference with corpora of several sizes: how long until it answers, and how long a search takes.

use super::measured::{Measured, middle, shown};
use crate::shared::workspace;
use anyhow::{Context, Result, ensure};
use conformance::derive::derive;
use conformance::load::Suite;
use conformance::model::{Contract, Request};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::Instant;

const WORDS: [&str; 24] = [
    "anchor", "basket", "candle", "desert", "engine", "feather", "garden", "harbor", "island", "journey", "kitchen",
    "lantern", "market", "needle", "orange", "picture", "rocket", "saddle", "ticket", "tunnel", "velvet", "wagon",
    "window", "winter",
];
/// Seconds that a call may take: a corpus of a million is larger than any of a case.
const PATIENCE: u64 = 120;

/// A corpus of any size, and a search of it: `fixtures/<contract>/bench.json`.
#[derive(Deserialize)]
struct Corpus {
    /// What it has many of.
    things: String,
    /// Its file below the contract's corpus.
    file: String,
    /// One of the things. `{number}` counts them from 1, `{time}` is a second of its own, `{words}` are words of its own, and
    /// `{parent}` is the number of another one with up to eight below it; a text with `{parent}` is null in the first.
    line: Value,
    call: String,
    /// The arguments of a search for `{word}`.
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
        let file = workspace::root()?.join("fixtures").join(&contract.name).join("bench.json");
        let Ok(text) = fs::read_to_string(&file) else { continue };
        let corpus: Corpus = serde_json::from_str(&text).with_context(|| file.display().to_string())?;
        for size in &sizes {
            lines.push(corpus.measure(contract, &suite, *size, times)?);
        }
    }
    Ok(lines)
}

impl Corpus {
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
            let session = target.endpoints[0].transport.open(None)?;
            let mut seconds = Vec::new();
            for group in 0..times * 3 {
                let word = mark(group);
                let with = self.with.iter().map(|(name, value)| (name.clone(), filled(value, &[("{word}", &word)])));
                let reply = session.call(operation, &with.collect()).await?;
                let reply = derive(Request::default(), &reply, operation, None);
                let found = reply.answer.to_string().contains(&word);
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
        fs::create_dir_all(folder)?;
        let mut to = BufWriter::new(File::create(folder.join(&self.file))?);
        let mut random = fastrand::Rng::with_seed(7);
        for number in 1..=size {
            let words: Vec<&str> = (0..20).map(|_| WORDS[random.usize(..WORDS.len())]).collect();
            let words = format!("{} {}", words.join(" "), mark(number));
            let parent = if number > 1 { ((number - 2) / 8 + 1).to_string() } else { String::new() };
            let (number, time) = (number.to_string(), (1_700_000_000 + number).to_string());
            let places = [("{number}", &*number), ("{time}", &time), ("{words}", &words), ("{parent}", &parent)];
            writeln!(to, "{}", filled(&self.line, &places))?;
        }
        Ok(to.flush()?)
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
            Some((place, with)) => Value::from(text.replace(place, with)),
            None => value.clone(),
        },
        other => other.clone(),
    }
}

/// A word that one document in five hundred has.
fn mark(number: usize) -> String {
    format!("mark{:03}", number % 500)
}
