//! `cargo xtask diff`: what a change of the contracts breaks, each with a document that shows it.

use crate::shared::history::{self, Folder};
use crate::shared::own::Own;
use crate::shared::print::tell;
use crate::shared::{logs, print, program};
use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use conformance::diff::{Diff, Seen, Side, Turned, render, turns};
use conformance::ledger::RunLog;
use conformance::load::{self, Suite};
use conformance::model::ContractKey;
use conformance::text::listed;
use serde_json::Value;
use std::path::{Path, PathBuf};

pub(crate) const EXAMPLES: &str = "\
Examples:
  cargo xtask diff                                 since this branch left main
  cargo xtask diff v1.4                            since a tag, a branch or a commit
  cargo xtask diff ../before                       a folder with schemas/ and fixtures/ in it
  cargo xtask diff HEAD --uncommitted              what is not committed yet
  cargo xtask diff memory@1 memory@2               two revisions of a contract, here; takes no git
  cargo xtask diff --evidence 'runs/*.ndjson'      who breaks, by what they answered
  cargo xtask diff --format markdown               for a pull request
  cargo xtask diff --format html > changes.html    a page

Exit codes:
  0 nothing needs a reason, or what does has one   1 something breaks, changes a frozen revision, or asks a question, and
  schemas/<contract>/changes.md gives no reason
  2 wrong usage, or a side cannot be read";

/// So many files that are not committed are named.
const MOST_NAMED: usize = 5;

/// What to compare, and what to print.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The contracts before: a revision of git, a folder, or a contract at a revision; where this branch left main when left out
    base: Option<String>,
    /// The contracts now: a revision of git, a folder, or a contract at a revision; the files of the checkout when left out
    head: Option<String>,
    /// Compare with the present files, committed or not
    #[arg(long, conflicts_with = "head")]
    uncommitted: bool,
    /// Run logs of implementations, by a pattern; both revisions judge them. May be given again
    #[arg(long, value_name = "PATTERN", num_args = 1..)]
    evidence: Vec<String>,
    #[command(flatten)]
    own: Own,
    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people at a terminal
    Human,
    /// For programs
    Json,
    /// For a pull request
    Markdown,
    /// A page that needs nothing else
    Html,
}

/// Compares; returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8> {
    let own = arguments.own.named()?;
    let root = match &own {
        Some(folder) => std::path::absolute(folder)?,
        None => history::checkout()?,
    };
    if own.is_some() {
        load::look_through(&root)?;
    }
    if program::is_installed() && own.is_none() {
        tell!("the contracts are read from {}", root.display());
    }
    let diff = match (views(&arguments.base, &root), views(&arguments.head, &root)) {
        (None, None) => of_folders(arguments, &root)?,
        (Some(before), Some(now)) if !arguments.uncommitted => of_views(arguments, &root, [before, now])?,
        _ => bail!(
            "two revisions of a contract are compared with each other, as in {} diff CONTRACT@1 CONTRACT@2",
            program::name()
        ),
    };
    match arguments.format {
        Format::Human => print::show(&render::text(&diff, console::colors_enabled(), print::width()))?,
        Format::Json => print::print_json(&serde_json::to_value(&diff)?)?,
        Format::Markdown => print::show(&render::markdown(&diff))?,
        Format::Html => print::print(&render::html(&diff))?,
    }
    Ok(u8::from(diff.unapproved().next().is_some()))
}

/// A contract with its revision, where a name is one: a contract of the checkout, `@`, and a number.
fn views(name: &Option<String>, root: &Path) -> Option<ContractKey> {
    let (contract, _) = name.as_ref()?.rsplit_once('@')?;
    let key = ContractKey::from(name.as_ref()?.as_str());
    (key.name() == contract && root.join("schemas").join(contract).join("contract.json").is_file()).then_some(key)
}

/// What lies between two folders, or commits.
fn of_folders(arguments: &Arguments, root: &Path) -> Result<Diff> {
    let before = match &arguments.base {
        Some(name) => Folder::named(name, root)?,
        None => history::merge_base(root)?,
    };
    let now = match &arguments.head {
        Some(name) => Folder::named(name, root)?,
        None => {
            let is_of_git = !arguments.base.as_ref().is_some_and(|name| Path::new(name).is_dir());
            if is_of_git && !arguments.uncommitted {
                clean(root)?;
            }
            Folder::present(root, "the files as they are")
        }
    };
    if arguments.own.named()?.is_some() {
        load::look_through(&before.path).with_context(|| format!("the contracts of {}", before.name))?;
        load::look_through(&now.path).with_context(|| format!("the contracts of {}", now.name))?;
    }
    let sides = (read(&before)?, read(&now)?);
    let of = |side: &Folder| {
        suite(arguments, &side.path).with_context(|| format!("the suite of {} cannot judge evidence", side.name))
    };
    let (logs, seen) = logs(&arguments.evidence, || Ok([of(&before)?, of(&now)?]), None)?;
    let mut diff = Diff::of((&before.name, &sides.0), (&now.name, &sides.1), &seen);
    diff.turned = logs.iter().flat_map(|[before, now]| turns(before, now, None)).collect::<Vec<Turned>>();
    Ok(diff)
}

/// What lies between two revisions of a contract.
fn of_views(arguments: &Arguments, root: &Path, keys: [ContractKey; 2]) -> Result<Diff> {
    let [before, now] = &keys;
    if before.name() != now.name() {
        bail!("{} and {} are two contracts; only revisions of one can be compared", before.full(), now.full());
    }
    if before.revision() >= now.revision() {
        bail!("{} does not come after {}; name the earlier revision first", now.full(), before.full());
    }
    let side = Side::read(root).context("the contracts cannot be read")?;
    let suite = || suite(arguments, root);
    let view = |key: &ContractKey| match side.contracts.get(key) {
        Some(view) => Ok(view),
        // It knows why.
        None => match suite()?.view(key) {
            Err(error) => bail!("{error}"),
            Ok(_) => bail!("{} cannot be read", key.full()),
        },
    };
    let (logs, seen) = logs(&arguments.evidence, || Ok([suite()?, suite()?]), Some(&keys))?;
    let mut diff = Diff::between(view(before)?, view(now)?, &seen);
    diff.turned = logs.iter().flat_map(|[before, now]| turns(before, now, Some(&keys))).collect::<Vec<Turned>>();
    Ok(diff)
}

/// The suite of a folder: of contracts that a user brings, beside the built-in ones.
fn suite(arguments: &Arguments, folder: &Path) -> Result<Suite> {
    Ok(match arguments.own.named()? {
        Some(_) => Suite::load_beside(&program::root()?, None, folder)?,
        None => Suite::load(folder)?,
    })
}

fn read(folder: &Folder) -> Result<Side> {
    Side::read(&folder.path).with_context(|| format!("the contracts of {}", folder.name))
}

fn clean(root: &Path) -> Result<()> {
    let files = history::uncommitted(root)?;
    if files.is_empty() {
        return Ok(());
    }
    let named = listed(&files[..files.len().min(MOST_NAMED)], files.len());
    bail!("schemas/ or fixtures/ have changes that are not committed ({named}): commit them, or give --uncommitted")
}

/// The logs that patterns name, each judged by both suites, and what is in them. With `keys`, each log is judged as if the contract
/// had been asked for at the one revision and at the other.
fn logs(
    patterns: &[String],
    suites: impl FnOnce() -> Result<[Suite; 2]>,
    keys: Option<&[ContractKey; 2]>,
) -> Result<(Vec<[RunLog; 2]>, Seen)> {
    let (mut logs, mut seen) = (Vec::new(), Seen::default());
    if patterns.is_empty() {
        return Ok((Vec::new(), seen));
    }
    let suites = suites()?;
    for path in files(patterns)? {
        let [before, now] = &suites;
        let stored = logs::read_for(before, &path)?;
        logs::name_gone(&stored, &path, now);
        let read = stored.exchanges(|contract, exchange| see(&mut seen, contract, exchange));
        read.with_context(|| format!("the log {}", path.display()))?;
        let at = |key: usize| match keys {
            Some(keys) => stored.clone().at(&keys[key]),
            None => stored.clone(),
        };
        logs.push((path, [at(0).judge(before), at(1).judge(now)]));
    }
    Ok((told_apart(logs), seen))
}

/// The logs, whose targets are named with their files where several have one name.
fn told_apart(logs: Vec<(PathBuf, [RunLog; 2])>) -> Vec<[RunLog; 2]> {
    let names: Vec<String> = logs.iter().map(|(_, [_, now])| now.header.target.clone()).collect();
    let told = logs.into_iter().map(|(path, mut pair)| {
        for log in &mut pair {
            if names.iter().filter(|name| **name == log.header.target).count() > 1 {
                log.header.target = format!("{} ({})", log.header.target, path.display());
            }
        }
        pair
    });
    told.collect()
}

fn files(patterns: &[String]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for pattern in patterns {
        let found = glob::glob(pattern).with_context(|| format!("`{pattern}` is not a pattern"))?;
        let found = found.collect::<Result<Vec<PathBuf>, _>>()?;
        if found.is_empty() {
            bail!("no file is called {pattern}");
        }
        files.extend(found);
    }
    Ok(files)
}

/// Notes the arguments and the answer of a recorded exchange.
fn see(seen: &mut Seen, contract: &ContractKey, exchange: &Value) {
    let Some(call) = exchange["request"]["operation"].as_str() else { return };
    let key = (contract.name().to_owned(), call.to_owned());
    seen.exchanges.entry(contract.name().to_owned()).or_default().push(exchange.clone());
    seen.arguments.entry(key.clone()).or_default().push(exchange["request"]["with"].clone());
    let answers = [&exchange["answer"]["body"], &exchange["parsed"]].into_iter().filter(|one| one.is_object());
    seen.answers.entry(key).or_default().extend(answers.cloned());
}
