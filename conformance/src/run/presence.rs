//! Whether an endpoint holds the corpus that its target is said to hold: all of it, a part, nothing.

use super::Options;
use super::jobs::Job;
use crate::collect::collect;
use crate::load::{Document, Sight, Suite};
use crate::model::{Place, Presence};
use crate::targets::Target;
use crate::transport::TransportError;
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};

/// So many documents that are not found are named.
const NAMED: usize = 12;

/// Looks for the corpus at every endpoint that is asked what needs it; what is all there is left out.
pub(super) async fn look(
    suite: &Suite,
    target: &Target,
    options: &Options,
    jobs: &[Job],
) -> Result<Vec<Presence>, TransportError> {
    let mut lacking = Vec::new();
    // Another corpus than ours has no sentinel, and whose evidence is known to be sound holds ours.
    if options.selection.part || options.prove || !target.has_corpus {
        return Ok(lacking);
    }
    let needs = |job: &&Job| suite.contracts[job.contract].cases[job.case].corpus_part().is_some();
    let asked: BTreeSet<(usize, usize)> = jobs.iter().filter(needs).map(|job| (job.endpoint, job.contract)).collect();
    for (endpoint, contract) in asked {
        let contract = &suite.contracts[contract];
        let Some(sentinel) = &contract.sentinel else { continue };
        if target.endpoints[endpoint].transport.kind().brings_corpus() {
            continue;
        }
        // That ours can be read is tested; of one that somebody took to pieces nothing is told.
        let Ok((case, sights)) = sentinel.sights() else { continue };
        let Ok(route) = target.route(endpoint, &case, &contract.contract) else { continue };
        let evidence = collect(&case, &contract.contract, &contract.corpus, &route).await?;
        let presence = presence(target.places().swap_remove(endpoint), &sights, &evidence);
        lacking.extend(Some(presence).filter(|presence| presence.missing > 0));
    }
    Ok(lacking)
}

/// Counts what the answers show. Pure.
fn presence(place: Place, sights: &[Sight], evidence: &Value) -> Presence {
    let mut presence = Presence { place, documents: 0, missing: 0, named: Vec::new(), untold: 0 };
    for (sight, exchanges) in sights.iter().zip(evidence.as_array().into_iter().flatten()) {
        presence.documents += sight.documents.len();
        // A refusal behind the first page ends a walk.
        let is_told = |(page, exchange): (usize, &Value)| match exchange["status"].as_str() {
            Some("accepted") => true,
            Some("refused") => page > 0 || sight.refused_is_missing,
            _ => false,
        };
        let exchanges = exchanges.as_array().map_or(&[][..], Vec::as_slice);
        if exchanges.is_empty() || !exchanges.iter().enumerate().all(is_told) {
            presence.untold += sight.documents.len();
            continue;
        }
        let accepted = exchanges.iter().filter(|exchange| exchange["status"] == "accepted");
        let shown = Values::of(accepted.map(|exchange| &exchange["answer"]));
        for document in missing(&sight.documents, &shown) {
            presence.missing += 1;
            if presence.named.len() < NAMED {
                presence.named.push(document.name.clone());
            }
        }
    }
    presence
}

/// The documents that are not shown. Where several are the same in a mark, each has to be shown for itself.
fn missing<'d>(documents: &'d [Document], shown: &Values) -> Vec<&'d Document> {
    // How often a mark is shown, less the documents before that have it too.
    let mut left: HashMap<(usize, &Value), usize> = HashMap::new();
    let mut missing = Vec::new();
    for document in documents {
        let mut is_shown = false;
        for (at, mark) in document.marks.iter().enumerate() {
            let left = left.entry((at, mark)).or_insert_with(|| shown.count(mark));
            is_shown |= *left > 0;
            *left = left.saturating_sub(1);
        }
        if !is_shown {
            missing.push(document);
        }
    }
    missing
}

/// The values that stand somewhere in answers.
#[derive(Default)]
struct Values {
    texts: Vec<String>,
    /// In their order.
    numbers: Vec<f64>,
}

impl Values {
    fn of<'a>(answers: impl Iterator<Item = &'a Value>) -> Self {
        let mut shown = Self::default();
        answers.for_each(|answer| shown.gather(answer));
        shown.numbers.sort_by(f64::total_cmp);
        shown
    }

    fn gather(&mut self, value: &Value) {
        match value {
            Value::Array(values) => values.iter().for_each(|value| self.gather(value)),
            Value::Object(fields) => fields.values().for_each(|value| self.gather(value)),
            Value::Number(number) => self.numbers.extend(number.as_f64()),
            // A text may be JSON itself, as in the text block of a tool's answer, or a number.
            Value::String(text) => match serde_json::from_str(text) {
                Ok(inner @ (Value::Array(_) | Value::Object(_))) => self.gather(&inner),
                Ok(Value::Number(number)) => {
                    self.numbers.extend(number.as_f64());
                    self.texts.push(text.clone());
                }
                _ => self.texts.push(text.clone()),
            },
            Value::Null | Value::Bool(_) => {}
        }
    }

    fn count(&self, mark: &Value) -> usize {
        match mark {
            Value::String(mark) => self.texts.iter().filter(|text| text.contains(mark.as_str())).count(),
            Value::Number(mark) => mark.as_f64().map_or(0, |mark| {
                let from = self.numbers.partition_point(|number| *number < mark);
                self.numbers[from..].partition_point(|number| *number == mark)
            }),
            _ => 0,
        }
    }
}
