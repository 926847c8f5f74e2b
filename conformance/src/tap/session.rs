//! What was heard so far: judged as it comes, and kept as far as a report needs it.

use super::cases::Cases;
use super::heard::{Call, Overheard};
use crate::derive;
use crate::load::Suite;
use crate::model::{CaseRun, Channel, ContractKey, Finding, Heard, Keep, KnownBy, Lines, Place, Speaks, Verdict, cut};
use crate::redact::{Redactor, Secrets};
use crate::rejudge::{Findings, Judging, PART};
use crate::report::log::{case_line, put, settled};
use crate::report::repeat;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// So many exchanges are a part of a session.
const MOST_OF_A_PART: usize = 500;
/// So many bytes of answers are kept for a log.
const MOST_KEPT: usize = 2 << 30;
/// So many reasons are told apart.
const MOST_REASONS: usize = 100;

/// Something that became known.
#[derive(Debug)]
pub enum News {
    /// An exchange was judged: what it was and what became of it, for people.
    Exchange(String),
    /// Something passed that could not be judged, for this reason.
    NotJudged(String),
    /// A requirement is violated for the first time.
    Violated(Box<Violation>),
}

/// A requirement that is violated for the first time.
#[derive(Debug)]
pub struct Violation {
    /// The requirement.
    pub requirement: String,
    /// The case, or the part of the session.
    pub case: String,
    /// Over which transport.
    pub transport: Channel,
    /// Why, in a sentence.
    pub why: String,
    /// How to repeat the request: comments that say what to set first, and a command; nothing where it cannot be repeated.
    pub repeat: Vec<String>,
}

/// What was heard so far.
#[derive(Debug)]
pub(super) struct Session {
    suite: Arc<Suite>,
    judging: Judging,
    keep: Keep,
    kept: usize,
    parts: BTreeMap<(usize, Channel), Part>,
    cases: Cases,
    /// The cases that were asked, by contract, transport and position: the worst of what each came to.
    asked: BTreeMap<(usize, Channel, usize), (u8, CaseRun)>,
    over: Vec<CaseRun>,
    violated: BTreeSet<(usize, Channel, String)>,
    heard: Heard,
    news: Vec<News>,
    /// What is known of what stands behind the tap.
    secrets: Secrets,
    /// The revisions that were asked for.
    pinned: Vec<ContractKey>,
    /// Where a revision was recognised, by which signs.
    recognised: BTreeMap<Place, Vec<String>>,
    /// Takes out of what is kept and told what is secret, as far as it was heard lately.
    redactor: Redactor,
}

/// A part of a session: exchanges of one contract over one transport, each a step of its own.
#[derive(Debug)]
struct Part {
    number: usize,
    /// The part as a case, with the exchanges that findings point to.
    run: CaseRun,
    steps: Vec<Value>,
    findings: Findings,
}

impl Part {
    fn new(place: &Place, number: usize, keep: &Keep) -> Self {
        let lines = match keep {
            Keep::Shelved(shelf) => Some(Lines::new(shelf)),
            Keep::Found | Keep::All => None,
        };
        let run = CaseRun { lines, ..CaseRun::of(place, &format!("{PART}{number}"), Vec::new()) };
        announce(&run, MOST_OF_A_PART, keep);
        Self { number, run, steps: Vec::new(), findings: Findings::default() }
    }
}

impl Session {
    pub(super) fn new(
        suite: Arc<Suite>,
        judging: Judging,
        (keep, pinned): (Keep, Vec<ContractKey>),
        secrets: Secrets,
    ) -> Self {
        Self {
            suite,
            judging,
            keep,
            kept: 0,
            parts: BTreeMap::new(),
            cases: Cases::default(),
            asked: BTreeMap::new(),
            over: Vec::new(),
            violated: BTreeSet::new(),
            heard: Heard::default(),
            news: Vec::new(),
            redactor: Redactor::new(secrets.clone()),
            secrets,
            pinned,
            recognised: BTreeMap::new(),
        }
    }

    /// What became known since this was asked the last time.
    pub(super) fn news(&mut self) -> Vec<News> {
        std::mem::take(&mut self.news)
    }

    pub(super) fn take(&mut self, outcomes: Vec<Overheard>) {
        for outcome in outcomes {
            match outcome {
                Overheard::Call(call) => self.call(*call),
                Overheard::NotJudged(why) => self.not_judged(&why),
            }
        }
    }

    pub(super) fn not_judged(&mut self, why: &str) {
        let why = &self.redactor.redacted(why);
        let is_known = self.heard.not_judged.contains_key(why) || self.heard.not_judged.len() < MOST_REASONS;
        let reason = if is_known { why } else { "other reasons" };
        *self.heard.not_judged.entry(reason.to_owned()).or_default() += 1;
        self.news.push(News::NotJudged(why.to_owned()));
    }

    fn call(&mut self, call: Call) {
        let Call { contract, kind, signs, mut exchange, secrets } = call;
        let suite = Arc::clone(&self.suite);
        let Some(of_contract) = suite.nth(contract) else { return };
        if !signs.is_empty() {
            self.recognised.insert(Place { contract: of_contract.contract.key(), transport: kind }, signs);
        }
        let Some(operation) = of_contract.contract.operations.get(&exchange.request.operation) else { return };
        let bytes = exchange.raw.bytes;
        derive::read(&mut exchange, operation);
        let exchange = Arc::new(exchange.into_value());
        self.heard.judged += 1;
        self.redactor = std::mem::take(&mut self.redactor).knowing_also(&self.secrets, &secrets);
        let line = self.redactor.redacted(&line(&of_contract.contract.name, kind, &exchange));
        self.news.push(News::Exchange(line));
        self.judge(contract, kind, &exchange, bytes);
        for (case, evidence) in self.cases.heard(&suite, &self.judging, (contract, kind), &exchange) {
            self.case(contract, kind, case, &evidence);
        }
        for _ in 0..self.cases.forget() {
            self.not_judged("as a part of a case, since the answers are too large to remember many of them");
        }
    }

    /// Whether nothing says by which revision a contract is judged there.
    fn is_assumed(&self, place: &Place) -> bool {
        !self.pinned.iter().any(|key| key.name() == place.contract.name()) && !self.recognised.contains_key(place)
    }

    /// What was recognised of the endpoints.
    pub(super) fn recognised(&self) -> Vec<Speaks> {
        let all = self.recognised.iter().map(|(place, signs)| Speaks {
            signs: signs.clone(),
            ..self.suite.speaks(place.clone(), KnownBy::Recognised)
        });
        all.collect()
    }

    /// Judges an exchange by what is true of every one.
    fn judge(&mut self, contract: usize, kind: Channel, exchange: &Arc<Value>, bytes: usize) {
        let suite = Arc::clone(&self.suite);
        let Some(of_contract) = suite.nth(contract) else { return };
        let key = of_contract.contract.key();
        let place = Place { contract: key.clone(), transport: kind };
        let is_assumed = self.is_assumed(&place);
        let part = self.parts.entry((contract, kind)).or_insert_with(|| Part::new(&place, 1, &self.keep));
        let (step, case) = (part.steps.len(), part.run.case.clone());
        let mut judgements = self.judging.exchange(of_contract, &suite.transports.of(kind), step, exchange);
        if is_assumed {
            self.judging.doubt_exchange(&mut judgements, (&suite, of_contract), step, exchange);
        }
        let mut findings: Vec<Finding> =
            judgements.into_iter().map(|judgement| judgement.finding(&key, kind, &case)).collect();
        let is_telling = findings.iter().any(|finding| !finding.details.is_empty());
        // What is neither kept nor told needs no copy.
        let mut shown =
            if is_telling || !matches!(self.keep, Keep::Found) { json!([[exchange.as_ref()]]) } else { Value::Null };
        self.redactor.case(&mut shown, &mut findings, &mut []);
        let shown = shown.pointer_mut("/0/0").map_or(Value::Null, Value::take);
        let has_room = self.kept + bytes <= MOST_KEPT;
        self.kept += if has_room { bytes } else { 0 };
        if let Some(lines) = &mut part.run.lines {
            let of_log = CaseRun { lines: None, ..CaseRun::of(&place, &case, Vec::new()) };
            put(lines, &of_log, (step, 0), if has_room { &shown } else { &Value::Null });
            lines.steps += 1;
        }
        let is_kept = is_telling && tells_more(&part.findings, &findings);
        part.steps.push(Value::Array(vec![match &self.keep {
            Keep::All if has_room => shown.clone(),
            _ if is_kept => cut::exchange(&shown, cut::MOST_OF_AN_ANSWER),
            _ => Value::Null,
        }]));
        for finding in &findings {
            part.findings.add(finding.clone());
        }
        let is_full = part.steps.len() == MOST_OF_A_PART;
        self.tell(contract, kind, &findings, |_| Some(&shown));
        if is_full {
            self.end_part(contract, kind);
        }
    }

    /// Judges a case that a session asked to its end.
    fn case(&mut self, contract: usize, kind: Channel, at: usize, exchanges: &[Arc<Value>]) {
        let suite = Arc::clone(&self.suite);
        let Some(of_contract) = suite.nth(contract) else { return };
        let (case, of) = (&of_contract.cases[at], of_contract.contract.key());
        let mut evidence: Value =
            exchanges.iter().map(|exchange| Value::Array(vec![exchange.as_ref().clone()])).collect();
        let mut judgements = self.judging.case(case, &evidence);
        if self.is_assumed(&Place { contract: of.clone(), transport: kind }) {
            self.judging.doubt_case(&mut judgements, (&suite, of_contract), case, &evidence);
        }
        if judgements.is_empty() {
            return;
        }
        let mut findings: Vec<Finding> =
            judgements.into_iter().map(|judgement| judgement.finding(&of, kind, &case.name)).collect();
        self.redactor.case(&mut evidence, &mut findings, &mut []);
        self.tell(contract, kind, &findings, |step| evidence.get(step)?.get(0));
        let worst = findings.iter().map(|finding| finding.verdict.severity()).max().unwrap_or(0);
        let key = (contract, kind, at);
        if self.asked.get(&key).is_none_or(|(known, _)| *known < worst) {
            let place = Place { contract: of, transport: kind };
            let run = CaseRun { calls: case.calls(), evidence, ..CaseRun::of(&place, &case.name, findings) };
            announce(&run, exchanges.len(), &self.keep);
            self.asked.insert(key, (worst, settled(run, &self.keep)));
        }
    }

    /// Tells what is violated for the first time.
    fn tell<'e>(
        &mut self,
        contract: usize,
        kind: Channel,
        findings: &[Finding],
        exchange: impl Fn(usize) -> Option<&'e Value>,
    ) {
        for finding in findings.iter().filter(|finding| finding.verdict == Verdict::Fail) {
            if !self.violated.insert((contract, kind, finding.requirement.clone())) {
                continue;
            }
            let detail = finding.details.first();
            let step = detail.and_then(crate::model::Detail::exchange).map_or(0, |(step, _)| step);
            let exchange = exchange(step);
            self.news.push(News::Violated(Box::new(Violation {
                requirement: finding.requirement.clone(),
                case: finding.case.clone(),
                transport: kind,
                why: detail.map_or_else(String::new, |detail| detail.message.clone()),
                repeat: exchange.map(repeat::lines).unwrap_or_default(),
            })));
        }
    }

    fn end_part(&mut self, contract: usize, kind: Channel) {
        let Some(part) = self.parts.get_mut(&(contract, kind)) else { return };
        let next = Part::new(&part.run.place(), part.number + 1, &self.keep);
        let part = std::mem::replace(part, next);
        if part.steps.is_empty() {
            return;
        }
        let Part { mut steps, findings, run, .. } = part;
        if !matches!(self.keep, Keep::All) {
            // A session may be long, and most of it points to nothing.
            steps.truncate(steps.iter().rposition(|step| !step[0].is_null()).map_or(0, |last| last + 1));
            steps.shrink_to_fit();
        }
        self.over.push(CaseRun { evidence: steps.into(), findings: findings.into_all(), ..run });
    }

    /// Everything that was heard, in the order of the suite.
    pub(super) fn finish(mut self) -> (Vec<CaseRun>, Heard, Redactor) {
        let places: Vec<(usize, Channel)> = self.parts.keys().copied().collect();
        places.into_iter().for_each(|(contract, kind)| self.end_part(contract, kind));
        let mut cases = self.over;
        cases.extend(self.asked.into_values().map(|(_, run)| run));
        cases.sort_by(|a, b| (&a.contract, a.transport).cmp(&(&b.contract, b.transport)));
        (cases, self.heard, self.redactor)
    }
}

/// Puts the line of a case before its exchanges, so that what lies on the shelf is a log from its beginning on.
fn announce(run: &CaseRun, steps: usize, keep: &Keep) {
    if let Keep::Shelved(shelf) = keep {
        shelf.put(&case_line(run, steps));
    }
}

/// Whether findings say something that is not known yet: the evidence of the first of each kind is enough.
fn tells_more(known: &Findings, findings: &[Finding]) -> bool {
    findings.iter().any(|finding| known.is_news(finding))
}

/// What an exchange was and what became of it: one line for people.
fn line(contract: &str, kind: Channel, exchange: &Value) -> String {
    let request = &exchange["request"];
    let took = exchange["elapsed"].as_f64().unwrap_or_default() * 1000.0;
    let (operation, status) = (request["operation"].as_str(), exchange["status"].as_str());
    let (operation, status) = (operation.unwrap_or_default(), status.unwrap_or_default());
    format!("{contract} over {kind}: {operation} {} {status} in {took:.0} ms", request["with"])
}
