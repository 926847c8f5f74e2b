//! The reference with corpora of several sizes: how long until it answers, and how long a search takes.

use super::measured::{Measured, middle, shown};
use crate::shared::workspace;
use anyhow::{Context, Result, ensure};
use conformance::load::Suite;
use serde_json::{Map, Value, json};
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::Instant;

const WORDS: [&str; 24] = [
    "anchor", "basket", "candle", "desert", "engine", "feather", "garden", "harbor", "island", "journey", "kitchen",
    "lantern", "market", "needle", "orange", "picture", "rocket", "saddle", "ticket", "tunnel", "velvet", "wagon",
    "window", "winter",
];
/// Seconds that a call may take: a million of anything is more than any case has.
const PATIENCE: u64 = 120;

/// A corpus of as many things as wanted, and what is asked of it.
struct Corpus {
    contract: &'static str,
    /// What it has many of.
    things: &'static str,
    /// Its file below the contract's corpus.
    file: &'static str,
    /// A line of it, with words in it.
    line: fn(usize, &str) -> Value,
    operation: &'static str,
    /// The arguments of a search for a word.
    with: fn(&str) -> Value,
}

const CORPORA: [Corpus; 3] = [
    Corpus {
        contract: "recall",
        things: "frames",
        file: "frames.ndjson",
        line: |number, words| {
            json!({ "frame_id": number + 1, "timestamp": 1_700_000_000 + number, "app_name": "Plainapp",
                "window_name": "Plain page", "browser_url": null, "focused": true, "ocr_text": words })
        },
        operation: "search",
        with: |word| json!({ "q": word, "start_time": 0, "limit": 10 }),
    },
    Corpus {
        contract: "remnote",
        things: "notes",
        file: "rems.ndjson",
        line: |number, words| json!({ "id": format!("r{number}"), "text": [words] }),
        operation: "search",
        with: |word| json!({ "query": word, "limit": 10 }),
    },
    Corpus {
        contract: "outline",
        things: "records",
        file: "records.ndjson",
        line: |number, words| {
            // Eight below each, as far as they reach.
            let parent = (number > 0).then(|| format!("R{}", (number - 1) / 8));
            json!({ "id": format!("R{number}"), "type": "question", "state": "OPEN", "parent_id": parent,
                "title": format!("Record {number}"), "summary": words })
        },
        operation: "search-records",
        with: |word| json!({ "query": word }),
    },
];

/// A thousand, a hundred thousand and a million, up to the largest.
pub(super) fn measure(largest: usize, times: usize) -> Result<Vec<Measured>> {
    let mut sizes: Vec<usize> = [1_000, 100_000, 1_000_000].into_iter().filter(|size| *size <= largest).collect();
    if sizes.last() != Some(&largest) {
        sizes.push(largest);
    }
    let suite = workspace::suite()?;
    let mut lines = Vec::new();
    for corpus in &CORPORA {
        for size in &sizes {
            lines.push(corpus.measure(&suite, *size, times)?);
        }
    }
    Ok(lines)
}

impl Corpus {
    /// The reference with so many things.
    fn measure(&self, suite: &Suite, size: usize, times: usize) -> Result<Measured> {
        let folder = tempfile::tempdir().context("no folder can be made for a corpus")?;
        self.write(folder.path(), size).with_context(|| format!("{size} {} cannot be written", self.things))?;
        let contract = &suite.contract(self.contract).context("no such contract")?.contract;
        let operation = contract.operations.get(self.operation).context("no such operation")?;
        let mut file = workspace::reference_file(suite)?;
        file.endpoints.retain(|endpoint| endpoint.contract.name() == self.contract);
        file.endpoints.truncate(1);
        let mut places = workspace::reference_program()?;
        places.insert("corpus".to_owned(), folder.path().display().to_string());
        file.timeout = Some(PATIENCE);
        let target = file.ready(&places, &|name| std::env::var(name).ok())?;
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        runtime.block_on(async {
            let started = Instant::now();
            let server = target.start().await?;
            let ready = started.elapsed();
            let session = target.endpoints[0].transport.open(None)?;
            let mut seconds = Vec::new();
            for group in 0..times * 3 {
                let word = mark(group);
                let with: Map<String, Value> = serde_json::from_value((self.with)(&word))?;
                let reply = session.call(operation, &with).await?;
                let found = reply.answer.to_string().contains(&word);
                ensure!(found, "a search of {size} {} for {word} finds nothing: {:?}", self.things, reply.raw);
                seconds.push(reply.elapsed.as_secs_f64());
            }
            drop(session);
            target.stop(server).await;
            let value = format!(
                "{size} {}: answers after {}, a search {}",
                self.things,
                shown(ready.as_secs_f64()),
                shown(middle(seconds))
            );
            Ok(Measured::new(format!("sizes: {}", self.contract), value))
        })
    }

    /// Things with words in them, the same each time.
    fn write(&self, folder: &Path, size: usize) -> Result<()> {
        let folder = folder.join(self.contract).join("corpus");
        fs::create_dir_all(&folder)?;
        let mut to = BufWriter::new(File::create(folder.join(self.file))?);
        let mut random = fastrand::Rng::with_seed(7);
        for number in 0..size {
            let words: Vec<&str> = (0..20).map(|_| WORDS[random.usize(..WORDS.len())]).collect();
            writeln!(to, "{}", (self.line)(number, &format!("{} {}", words.join(" "), mark(number))))?;
        }
        Ok(to.flush()?)
    }
}

/// The word that one thing in five hundred has.
fn mark(number: usize) -> String {
    format!("mark{:03}", number % 500)
}
