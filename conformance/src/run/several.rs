//! Several runs of the same cases, put together: what a check does not say in all of them is unsteady.

use crate::load::Sentinel;
use crate::model::{CaseRun, Detail, Finding, Noticed, Place, Run, Unsteady, Verdict};
use std::collections::BTreeMap;

/// A case at an endpoint; where a target names an endpoint twice, its cases are told apart by a number.
type Name = (Place, String, usize);

/// Runs that were put together. Of each case the run is kept in which most of it fails, with its evidence.
#[derive(Debug, Default)]
pub(super) struct Several {
    whole: Run,
    runs: usize,
    cases: BTreeMap<Name, Kept>,
    /// The cases in their order.
    order: Vec<Name>,
}

#[derive(Debug)]
struct Kept {
    case: CaseRun,
    /// The number of the run that it is of, from 1.
    run: usize,
    checks: Vec<Check>,
}

/// What one check says in every run so far.
#[derive(Debug)]
struct Check {
    tally: Unsteady,
    /// The first finding that says most against the target, and the number of its run.
    worst: (Finding, usize),
}

impl Several {
    /// Adds a run; whether another one makes sense. One that ended early tells only why.
    pub(super) fn add(&mut self, mut run: Run) -> bool {
        let is_first = self.runs == 0;
        let ended_early = run.interrupted || run.unreachable.is_some();
        let cases = std::mem::take(&mut run.cases);
        if is_first || !ended_early {
            self.runs += 1;
            self.add_cases(cases);
        }
        match is_first {
            true => self.whole = run,
            false => self.whole = together(std::mem::take(&mut self.whole), run),
        }
        !ended_early
    }

    fn add_cases(&mut self, cases: Vec<CaseRun>) {
        let mut times: BTreeMap<(Place, String), usize> = BTreeMap::new();
        for case in cases {
            let count = times.entry((case.place(), case.case.clone())).or_default();
            *count += 1;
            let name = (case.place(), case.case.clone(), *count);
            match self.cases.get_mut(&name) {
                Some(kept) => kept.add(case, self.runs),
                None => {
                    self.order.push(name.clone());
                    self.cases.insert(name, Kept::of(case, self.runs));
                }
            }
        }
    }

    /// All runs as one.
    pub(super) fn into_run(mut self) -> Run {
        let kept = self.order.iter().filter_map(|name| self.cases.remove(name));
        let cases = kept.map(|kept| kept.into_case(self.runs)).collect();
        Run { cases, ..self.whole }
    }
}

impl Kept {
    fn of(case: CaseRun, run: usize) -> Self {
        let checks = case.findings.iter().map(|finding| Check::of(finding, run)).collect();
        Self { case, run, checks }
    }

    fn add(&mut self, mut case: CaseRun, run: usize) {
        for finding in &case.findings {
            match self.checks.iter_mut().find(|check| check.worst.0.requirement == finding.requirement) {
                Some(check) => check.add(finding, run),
                None => self.checks.push(Check::of(finding, run)),
            }
        }
        case.retried.splice(0..0, std::mem::take(&mut self.case.retried));
        if weight(&case) > weight(&self.case) {
            (self.case, self.run) = (case, run);
        } else {
            self.case.retried = case.retried;
        }
    }

    fn into_case(self, runs: usize) -> CaseRun {
        let Self { case, run, checks } = self;
        // A look for the corpus is a case only where it fails.
        let is_look = case.case == Sentinel::CASE;
        let of_every_run = |mut check: Check| {
            if is_look {
                check.tally.passes = runs - check.tally.fails - check.tally.incomplete;
            }
            check.into_finding(run, runs)
        };
        CaseRun { findings: checks.into_iter().map(of_every_run).collect(), ..case }
    }
}

/// How much a run of a case says against the target.
fn weight(case: &CaseRun) -> (usize, usize) {
    let count = |verdict| case.findings.iter().filter(|finding| finding.verdict == verdict).count();
    (count(Verdict::Fail), count(Verdict::Incomplete))
}

impl Check {
    fn of(finding: &Finding, run: usize) -> Self {
        let mut check = Self { tally: Unsteady::default(), worst: (finding.clone(), run) };
        check.count(finding.verdict);
        check
    }

    fn add(&mut self, finding: &Finding, run: usize) {
        self.count(finding.verdict);
        if finding.verdict.severity() > self.worst.0.verdict.severity() {
            self.worst = (finding.clone(), run);
        }
    }

    fn count(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::Pass => self.tally.passes += 1,
            Verdict::Fail => self.tally.fails += 1,
            Verdict::Incomplete => self.tally.incomplete += 1,
            Verdict::Skip => {}
        }
    }

    /// The finding of all runs, of a case of which the evidence of the run `kept` is kept.
    fn into_finding(self, kept: usize, runs: usize) -> Finding {
        let (tally, (mut finding, run)) = (Unsteady { runs, ..self.tally }, self.worst);
        if [tally.passes, tally.fails, tally.incomplete].iter().filter(|count| **count > 0).count() > 1 {
            let elsewhere = if run == kept { String::new() } else { format!(", and of the case run {kept} is kept") };
            finding.details.insert(0, Detail::new(format!("{tally}; what follows is of run {run}{elsewhere}")));
            finding.unsteady = Some(tally);
        }
        finding
    }
}

/// What two runs bring beside their cases.
fn together(mut first: Run, later: Run) -> Run {
    add_new(&mut first.unproven, later.unproven);
    add_new(&mut first.corpora, later.corpora);
    add_new(&mut first.spoken, later.spoken);
    add_new(&mut first.said, later.said);
    first.settled.extend(later.settled);
    first.noticed = [first.noticed, later.noticed].into_iter().sum::<Noticed>();
    first.measured.append(later.measured);
    first.unreachable = first.unreachable.or(later.unreachable);
    first.interrupted |= later.interrupted;
    first
}

fn add_new<T: PartialEq>(list: &mut Vec<T>, more: Vec<T>) {
    for one in more {
        if !list.contains(&one) {
            list.push(one);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Several;
    use crate::model::{CaseRun, Channel, ContractKey, Finding, Place, Run, TransportKind, Verdict, not_told};
    use rstest::rstest;

    use Verdict::{Fail, Incomplete, Pass, Skip};

    fn run(verdicts: &[(&str, Verdict)]) -> Run {
        let place = Place { contract: ContractKey::new("m"), transport: Channel::new(TransportKind::Http, None) };
        let finding = |(id, verdict): &(&str, Verdict)| not_told(&place, "a", id, *verdict, "why");
        let findings = verdicts.iter().map(finding).collect();
        Run { cases: vec![CaseRun::of(&place, "a", findings)], ..Run::default() }
    }

    fn of(runs: &[&[(&str, Verdict)]]) -> Vec<Finding> {
        let mut several = Several::default();
        runs.iter().for_each(|verdicts| assert!(several.add(run(verdicts))));
        several.into_run().cases.remove(0).findings
    }

    #[rstest]
    #[case::always(&[Pass, Pass], Pass, "")]
    #[case::never(&[Fail, Fail], Fail, "")]
    #[case::sometimes(&[Pass, Fail, Pass], Fail, "unsteady: passes in 2 and fails in 1 of 3 runs")]
    #[case::not_told(&[Pass, Incomplete], Incomplete, "unsteady: passes in 1 and could not be judged in 1 of 2 runs")]
    #[case::nothing_to_look_at(&[Skip, Fail, Skip], Fail, "")]
    #[case::nothing_once(&[Skip, Pass], Pass, "")]
    fn the_worst_counts(#[case] verdicts: &[Verdict], #[case] due: Verdict, #[case] said: &str) {
        let runs: Vec<Vec<(&str, Verdict)>> = verdicts.iter().map(|verdict| vec![("m.must", *verdict)]).collect();
        let found = of(&runs.iter().map(Vec::as_slice).collect::<Vec<_>>()).remove(0);
        assert_eq!((found.verdict, found.unsteady.is_some()), (due, !said.is_empty()));
        assert_eq!(found.unsteady.map(|tally| tally.to_string()).unwrap_or_default(), said);
    }

    #[test]
    fn a_failure_of_a_run_that_is_not_kept_stays() {
        let found =
            of(&[&[("m.a", Fail), ("m.b", Fail), ("m.c", Pass)], &[("m.a", Pass), ("m.c", Fail), ("m.d", Fail)]]);
        let said: Vec<(&str, Verdict, bool)> =
            found.iter().map(|one| (one.requirement.as_str(), one.verdict, one.unsteady.is_some())).collect();
        assert_eq!(said, [("m.a", Fail, true), ("m.b", Fail, false), ("m.c", Fail, true), ("m.d", Fail, false)]);
        let first = &found[2].details[0].message;
        assert!(first.ends_with("what follows is of run 2, and of the case run 1 is kept"), "{first}");
    }

    #[test]
    fn a_run_that_is_interrupted_is_the_last_and_adds_no_verdict() {
        let mut several = Several::default();
        assert!(several.add(run(&[("m.must", Pass)])));
        assert!(!several.add(Run { interrupted: true, ..run(&[("m.must", Incomplete)]) }));
        let whole = several.into_run();
        assert!(whole.interrupted);
        assert_eq!(whole.cases[0].findings[0].verdict, Pass);
    }
}
