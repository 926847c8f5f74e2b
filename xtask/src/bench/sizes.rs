//! The reference with corpora of several sizes: how long until it answers, and how long a search takes.

use super::{Measured, middle, shown};
use crate::workspace;
use anyhow::{Context, Result};
use conformance::target::TargetFile;
use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::Instant;

/// A page of a search.
const SEARCHES: [&str; 3] = ["anchor", "velvet lantern", "harbor"];

const WORDS: [&str; 24] = [
    "anchor", "basket", "candle", "desert", "engine", "feather", "garden", "harbor", "island", "journey", "kitchen",
    "lantern", "market", "needle", "orange", "picture", "rocket", "saddle", "ticket", "tunnel", "velvet", "wagon",
    "window", "winter",
];

/// A thousand, then a hundred times as many each time, up to the largest.
pub(super) fn measure(largest: usize, times: usize) -> Result<Vec<Measured>> {
    let mut lines = Vec::new();
    let mut sizes: Vec<usize> = [1_000, 100_000, 1_000_000].into_iter().filter(|size| *size <= largest).collect();
    if sizes.last() != Some(&largest) {
        sizes.push(largest);
    }
    for size in sizes {
        lines.push(frames(size, times)?);
    }
    Ok(lines)
}

/// The reference with so many frames.
fn frames(size: usize, times: usize) -> Result<Measured> {
    let folder = tempfile::tempdir().context("no folder can be made for a corpus")?;
    let file = folder.path().join("frames.ndjson");
    write_frames(&file, size)?;
    let suite = workspace::suite()?;
    let mut places = workspace::reference_program()?;
    places.extend(workspace::places(None)?);
    places.insert("frames".to_owned(), file.display().to_string());
    let mut target: TargetFile = workspace::reference_file(&suite)?;
    let start = target.start.get_or_insert_default();
    let program = start.iter().take_while(|word| *word != "--port").cloned().collect::<Vec<String>>();
    *start = [program, ["--port", "{port}", "--recall-frames", "{frames}"].map(str::to_owned).to_vec()].concat();
    target.endpoints.retain(|endpoint| endpoint.contract == "recall");
    let target = target.ready(&places, &|name| std::env::var(name).ok())?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let started = Instant::now();
    let server = runtime.block_on(target.start())?;
    let ready = started.elapsed().as_secs_f64();
    let address = format!("http://127.0.0.1:{}", target.port.context("the reference has no port")?);
    let client = reqwest::Client::builder().no_proxy().build().context("no HTTP client can be made")?;
    let mut seconds = Vec::new();
    for round in 0..times * SEARCHES.len() {
        let query = SEARCHES[round % SEARCHES.len()].replace(' ', "+");
        let url = format!("{address}/api/v1/search?start_time=0&limit=10&q={query}");
        let started = Instant::now();
        let answer: Vec<u8> = runtime.block_on(async { client.get(&url).send().await?.bytes().await })?.to_vec();
        seconds.push(started.elapsed().as_secs_f64());
        let answer: Value = serde_json::from_slice(&answer).context("a search is answered with JSON")?;
        anyhow::ensure!(
            answer["data"].as_array().is_some_and(|data| !data.is_empty()),
            "a search of {size} finds nothing"
        );
    }
    runtime.block_on(target.stop(server));
    let told = format!("{size} frames: answers after {}, a search {}", shown(ready), shown(middle(seconds)));
    Ok(Measured::new("sizes: recall", told))
}

/// Frames of words, a second apart.
fn write_frames(file: &Path, size: usize) -> Result<()> {
    let mut to = BufWriter::new(File::create(file)?);
    let mut random = fastrand::Rng::with_seed(7);
    for number in 0..size {
        let text: Vec<&str> = (0..20).map(|_| WORDS[random.usize(..WORDS.len())]).collect();
        let frame = json!({
            "frame_id": number + 1,
            "timestamp": 1_700_000_000 + number,
            "app_name": "Plainapp",
            "window_name": "Plain page",
            "browser_url": null,
            "focused": true,
            "ocr_text": text.join(" "),
        });
        writeln!(to, "{frame}")?;
    }
    Ok(to.flush()?)
}
