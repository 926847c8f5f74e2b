//! What fails or could not be judged, a sentence each, for programs that show it beside a file.

use super::calls;
use super::causes;
use crate::ledger::RunLog;
use crate::model::{Entry, Outcome};
use crate::text::{inert, plural};

/// At most this many characters of a call are shown.
const MOST_OF_A_CALL: usize = 300;

/// One sentence, with the check that it speaks of.
#[derive(Debug)]
pub struct Annotation<'l> {
    /// The check, in whose case it can be seen.
    pub entry: &'l Entry,
    /// What it is about: the requirement and its outcome, or how many requirements share a cause.
    pub title: String,
    /// The call, what was expected and what was received.
    pub text: String,
    /// How many requirements it stands for.
    pub requirements: usize,
}

/// One for each cause of what fails or could not be judged, then one for each requirement that clients ask for.
pub fn of(log: &RunLog) -> Vec<Annotation<'_>> {
    let causes = causes::of(log);
    let of_causes = causes.iter().filter_map(|cause| {
        let requirements = cause.groups().count();
        let entry = cause.first()?;
        let title = match requirements {
            1 => title(entry),
            several => format!("{} for one reason", plural(several, "requirement")),
        };
        Some(Annotation { entry, title, text: text(log, entry), requirements })
    });
    let of_clients = super::by_requirement(log.ledger.with(Outcome::ClientAdvice)).into_iter().map(|group| {
        let clients = super::clients(log, &group[0].finding.requirement).iter();
        let clients: String = clients.map(|client| format!(" {}", client.cited())).collect();
        let text = format!("{}{clients}", text(log, group[0]));
        Annotation { entry: group[0], title: title(group[0]), text, requirements: 1 }
    });
    of_causes.chain(of_clients).collect()
}

fn title(entry: &Entry) -> String {
    format!("{} over {}: {}", entry.finding.requirement, entry.finding.transport, entry.outcome)
}

/// The sentence of the requirement, the call, and what is wrong with its answer.
fn text(log: &RunLog, entry: &Entry) -> String {
    let sentence = log.requirements.of_finding(&entry.finding).map_or("", |one| one.text.as_str());
    let calls = calls::of(log, &entry.finding);
    let asked = calls.first().and_then(calls::Call::asked);
    let asked = asked.map_or_else(String::new, |asked| format!(" {}:", inert::short(&asked, MOST_OF_A_CALL)));
    let said = calls::first(log, &entry.finding).unwrap_or_default();
    inert::line(&format!("{sentence}{asked} {said}"))
}
