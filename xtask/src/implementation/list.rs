//! `cargo xtask list`: the requirements, and what checks them.

use crate::shared::output::Format;
use crate::shared::own::Own;
use crate::shared::print::{self, tell};
use crate::shared::revisions::{self, Asked};
use anyhow::{Result, bail};
use conformance::load::{Suite, Use};
use conformance::model::{ContractKey, Requirement};
use conformance::report::page::Page;
use conformance::text::suggest;
use serde_json::json;

pub(crate) const EXAMPLES: &str = "\
Examples:
  cargo xtask list
  cargo xtask list recall --level must --origin stated
  cargo xtask list remnote --section 'Search'      sections whose title contains it
  cargo xtask list --find limit                    ids and sentences with the word
  cargo xtask list memory@2                        as a later document has them
  cargo xtask list records --format json

`cargo xtask explain ID` tells more of one.
Exit codes:
  0 some are listed   5 none is";

/// What to list.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only these contracts, perhaps with their revisions, as in memory@2, or transports (cli, http, mcp), or client, for what clients refuse
    contracts: Vec<String>,
    /// Only requirements of this level
    #[arg(long, value_parser = ["must", "should", "may"])]
    level: Option<String>,
    /// Only requirements of this origin
    #[arg(long, value_parser = ["stated", "derived", "decided", "clients"])]
    origin: Option<String>,
    /// Only requirements of sections whose title contains this
    #[arg(long, value_name = "TEXT")]
    section: Option<String>,
    /// Only requirements whose id or sentence contains this
    #[arg(long, value_name = "TEXT")]
    find: Option<String>,
    /// The revision of a contract, as in memory@2; may be given again, for other contracts
    #[arg(long, value_name = "CONTRACT@REVISION", value_parser = revisions::parsed)]
    revision: Vec<ContractKey>,
    #[command(flatten)]
    own: Own,
    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

/// Nothing was selected.
const NOTHING: u8 = 5;

/// Lists; returns the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<u8> {
    let asked = Asked::of(&arguments.contracts, &arguments.revision)?;
    let suite = arguments.own.suite_at(&asked.revisions)?;
    known_owners(&asked.contracts, &suite)?;
    let rows = suite.requirements().filter(|one| asked.names(one.owner()) && arguments.wants(one));
    let rows: Vec<&Requirement> = rows.collect();
    if arguments.format == Format::Json {
        let rows: Vec<_> =
            rows.iter().map(|one| json!({ "requirement": one, "cases": cases(&suite, &one.id) })).collect();
        print::print_json(&json!(rows))?;
        return Ok(if rows.is_empty() { NOTHING } else { 0 });
    }
    if rows.is_empty() {
        tell!("no requirement is so{}", arguments.hint(&suite));
        return Ok(NOTHING);
    }
    let mut page = Page::new(console::colors_enabled(), print::width());
    for one in rows {
        page.line(&format!("{}  {}, {}, \"{}\"", page.bold(&one.id), one.level, one.origin, one.section));
        page.wrapped(&one.text, "    ");
        one.clients.iter().for_each(|client| page.wrapped(&client.cited(), "    "));
        page.wrapped(&format!("checked in {}", cases(&suite, &one.id).join(", ")), "    ");
    }
    print::show(&page.text)?;
    Ok(0)
}

impl Arguments {
    fn wants(&self, one: &Requirement) -> bool {
        let has = |text: &str, part: &String| text.to_lowercase().contains(&part.to_lowercase());
        self.level.as_ref().is_none_or(|level| *level == one.level.to_string())
            && self.origin.as_ref().is_none_or(|origin| *origin == one.origin.to_string())
            && self.section.as_ref().is_none_or(|part| has(&one.section, part))
            && self.find.as_ref().is_none_or(|part| has(&one.id, part) || has(&one.text, part))
    }

    /// A suggestion for a misspelt section.
    fn hint(&self, suite: &Suite) -> String {
        let Some(section) = &self.section else { return String::new() };
        suggest::hint(section, suite.requirements().map(|one| one.section.as_str()))
    }
}

/// Refuses a contract or transport that has no requirements, and names the nearest.
fn known_owners(names: &[String], suite: &Suite) -> Result<()> {
    let mut known: Vec<&str> = suite.requirements().map(Requirement::owner).collect();
    known.dedup();
    match names.iter().find(|name| !known.contains(&name.as_str())) {
        Some(name) => bail!("unknown contract `{name}`{}", suggest::hint(name, known)),
        None => Ok(()),
    }
}

/// The cases that judge a requirement, by a check or by calls that it allows, or `every exchange` if it always applies.
fn cases(suite: &Suite, id: &str) -> Vec<String> {
    let name = |used: Use<'_>| used.case.map_or_else(|| "every exchange".to_owned(), |case| case.name.clone());
    let mut names: Vec<String> = suite.uses(id).into_iter().map(name).collect();
    for (case, _) in suite.allowed(id) {
        if !names.contains(&case.name) {
            names.push(case.name.clone());
        }
    }
    names.dedup();
    names
}
