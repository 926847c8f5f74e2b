//! What a schema of the data files cannot say.

use super::inside;
use super::{
    Always, Case, Check, ContractSuite, DataProblem, Problems, Selector, Suite, clients, follows, freedoms, general,
    paths,
};
use crate::model::{Client, Contract, Requirement, SweepValues};
use crate::text::suggest;
use std::collections::BTreeSet;
use std::path::Path;

/// A range of a sweep makes no more calls than this.
const MOST_VALUES: i64 = 10_000;

/// Finds names that lead nowhere, requirements without a check, checks that cannot fail, files that nothing uses.
pub(super) fn suite(suite: &Suite, root: &Path, problems: &mut Vec<DataProblem>) {
    contracts(suite, root, problems);
    freedoms::decisions_of_transports(suite, root, problems);
    transports(suite, root, problems);
}

/// The same of contracts alone: what belongs to transports is shown by all contracts together.
pub(super) fn contracts(suite: &Suite, root: &Path, problems: &mut Vec<DataProblem>) {
    for contract in &suite.contracts {
        catalogue(contract, root, problems);
        contract.contract.operations.values().for_each(|one| follows::lint(one, &contract.schemas, root, problems));
        cases(contract, suite, root, problems);
        for case in &contract.cases {
            let mut found = Problems::of(&case.file, root, problems);
            case.checks.iter().enumerate().for_each(|(at, check)| reasons(check, at, suite, &mut found));
        }
        let file = contract.goldens.with_file_name("always.json");
        let mut found = Problems::of(&file, root, problems);
        contract.always.iter().enumerate().for_each(|(at, one)| reasons(&one.check, at, suite, &mut found));
        always(&contract.always, suite, &mut found, "/checks", &contract.corpus);
        operations(contract, &mut found);
        goldens(contract, root, problems);
        fixed(contract, root, problems);
        freedoms::lint(contract, suite, root, problems);
    }
    freedoms::decisions(suite, root, problems);
}

/// Finds what is wrong with cases that need not judge every requirement.
pub(super) fn part(suite: &Suite, root: &Path, problems: &mut Vec<DataProblem>) {
    for contract in &suite.contracts {
        cases(contract, suite, root, problems);
    }
}

fn catalogue(suite: &ContractSuite, root: &Path, problems: &mut Vec<DataProblem>) {
    let contract = &suite.contract;
    let folder = root.join("schemas").join(&contract.name);
    let mut found = Problems::of(&folder.join("contract.json"), root, problems);
    blanks(contract, &mut found);
    for (name, operation) in &contract.operations {
        for file in [Some(&operation.input), operation.output.as_ref(), operation.item.as_ref()].into_iter().flatten() {
            if !suite.schemas.file(file).is_file() {
                found.add(format!("/operations/{name}"), format!("{file} does not exist beside the contract"));
            }
        }
        if operation.found_by.as_ref().is_some_and(|item| item.fields.len() < 2) {
            let why = "its schema requires fewer than two fields, so no item can be told from what is around it";
            found.add(format!("/operations/{name}/item"), why);
        }
    }
    for (name, operation) in &contract.operations {
        if let Some(format) = operation.format.as_deref().filter(|format| crate::contracts::format(format).is_none()) {
            let hint = suggest::hint(format, crate::contracts::formats().map(|known| known.name));
            found.add(format!("/operations/{name}/format"), format!("unknown format `{format}`{hint}"));
        }
    }
    let sections: BTreeSet<&str> = contract.sections.iter().map(String::as_str).collect();
    let named = contract.requirements.iter().map(|requirement| (&requirement.id, &requirement.section));
    let excluded = contract.excluded.iter().map(|exclusion| (&exclusion.sentence, &exclusion.section));
    for (what, section) in named.chain(excluded) {
        if !sections.contains(section.as_str()) {
            let hint = suggest::hint(section, sections.iter().copied());
            found.add("/sections", format!("`{what}` stands in section `{section}`, which is not listed{hint}"));
        }
    }
    requirements(&contract.requirements, &format!("{}.", contract.name), &checked(suite), &mut found);
    contract.requirements.iter().enumerate().for_each(|(at, one)| clients::stays_out(one, at, &mut found));
    general::lint(suite, &mut found);
}

/// A contract that is not described yet has empty texts.
fn blanks(contract: &Contract, found: &mut Problems<'_>) {
    let of_contract = [("title", &contract.title), ("document", &contract.document)];
    let of_contract = of_contract.map(|(name, text)| (format!("/{name}"), text)).into_iter();
    let operations =
        contract.operations.iter().map(|(name, operation)| (format!("/operations/{name}/about"), &operation.about));
    let requirements = contract.requirements.iter().enumerate();
    let requirements = requirements.map(|(at, one)| (format!("/requirements/{at}/text"), &one.text));
    for (place, text) in of_contract.chain(operations).chain(requirements) {
        if text.trim().is_empty() {
            found.add(place, "is empty; describe it");
        }
    }
}

/// Ids are unique and begin with their contract, and each has a check.
fn requirements(all: &[Requirement], prefix: &str, checked: &BTreeSet<&str>, found: &mut Problems<'_>) {
    let mut seen = BTreeSet::new();
    for (at, requirement) in all.iter().enumerate() {
        let place = format!("/requirements/{at}");
        if !seen.insert(&requirement.id) {
            found.add(&place, format!("`{}` occurs twice", requirement.id));
        }
        if !requirement.id.starts_with(prefix) {
            found.add(&place, format!("`{}` does not begin with `{prefix}`", requirement.id));
        }
        if !checked.contains(requirement.id.as_str()) {
            found.add(
                &place,
                format!("`{}` has no check; write one, or exclude its sentence with a reason", requirement.id),
            );
        }
    }
}

fn checked(suite: &ContractSuite) -> BTreeSet<&str> {
    let in_cases = suite.cases.iter().flat_map(Case::requirements);
    in_cases.chain(suite.always.iter().map(|always| always.check.requirement.as_str())).collect()
}

fn cases(contract: &ContractSuite, suite: &Suite, root: &Path, problems: &mut Vec<DataProblem>) {
    for case in &contract.cases {
        let mut found = Problems::of(&case.file, root, problems);
        steps(case, contract, &mut found);
        for (at, id) in case.allowed() {
            let place = format!("/steps/{at}/answered");
            is_known(id, suite, &place, &mut found);
            if case.steps[at].is_free() {
                found.add(place, "a call that may be refused violates nothing when it is");
            }
        }
        let mut judged = BTreeSet::new();
        for (at, check) in case.checks.iter().enumerate() {
            let place = format!("/checks/{at}");
            if !judged.insert((&check.requirement, check.selects())) {
                found.add(&place, format!("`{}` is judged twice in this case, by the same paths", check.requirement));
            }
            known(check, suite, &place, &mut found);
            paths::lint(check, Some(case), contract, &place, &mut found);
            if let Some(step) = refusal_without_twin(check, case) {
                found.add(&place, format!("step {step} may be refused but names no accepted `twin`"));
            }
        }
    }
}

fn steps(case: &Case, contract: &ContractSuite, found: &mut Problems<'_>) {
    let operations = &contract.contract.operations;
    for (at, step) in case.steps.iter().enumerate() {
        if !operations.contains_key(&step.call) {
            let hint = suggest::hint(&step.call, operations.keys().map(String::as_str));
            found.add(format!("/steps/{at}/call"), format!("unknown operation `{}`{hint}", step.call));
        }
        if step.twin.is_some_and(|twin| twin >= case.steps.len() || twin == at) {
            found.add(format!("/steps/{at}/twin"), "names no other step of this case");
        }
        if let (Some(over), Some(operation)) = (step.over, operations.get(&step.call))
            && operation.binding(over.protocol()).is_none()
        {
            found.add(format!("/steps/{at}/over"), format!("`{}` is not spoken over {over}", step.call));
        }
        if step.over.is_none() && !case.transports().is_empty() {
            found.add(format!("/steps/{at}"), "names no transport, although other steps of this case do");
        }
        if let Some(operation) = operations.get(&step.call) {
            let is_meant = |name: &&str| step.unknown.iter().any(|unknown| unknown == name);
            let place = format!("/steps/{at}/with");
            found.arguments(&place, &step.call, operation, step.arguments().filter(|name| !is_meant(name)));
            for name in step.unknown.iter().filter(|name| {
                operation.arguments.contains(name) || !step.arguments().any(|sent| sent == name.as_str())
            }) {
                let message = format!("`{name}` is an argument of `{}`, or is not sent at all", step.call);
                found.add(format!("/steps/{at}/unknown"), message);
            }
        }
        for name in step.with.values().filter_map(super::given) {
            if operations.get(&step.call).is_some_and(|operation| !operation.example.contains_key(name)) {
                let message = format!("`{name}` stands in no example of the input schema of `{}`", step.call);
                found.add(format!("/steps/{at}/with"), message);
            }
        }
        let range = step.sweep.as_ref().map(|sweep| &sweep.over);
        if let Some(SweepValues::Range { from, to }) = range
            && to.saturating_sub(*from) >= MOST_VALUES
        {
            found.add(
                format!("/steps/{at}/sweep/over"),
                format!("has more than {MOST_VALUES} values; no case makes so many calls"),
            );
        }
        if step.sweep.is_some() && step.walk.is_some() {
            found.add(format!("/steps/{at}"), "a step sweeps or walks, not both");
        }
        let is_row = |value: serde_json::Value| value.is_object();
        if step.sweep.as_ref().is_some_and(|sweep| sweep.argument.is_none() && !sweep.over.listed().all(is_row)) {
            found.add(format!("/steps/{at}/sweep"), "names no `argument`, so each value is an object of arguments");
        }
    }
    match case.corpus_part() {
        Some(part) if !part.is_empty() && !inside::is_below(part) => found.add("/needs", inside::leads_out(part)),
        Some(part) if !contract.corpus.join(part).exists() => {
            found.add("/needs", format!("the corpus has no part `{part}`"));
        }
        None if !case.needs.is_empty() => found.add("/needs", "is `corpus` or `corpus/<part>`"),
        _ => {}
    }
}

fn known(check: &Check, suite: &Suite, place: &str, found: &mut Problems<'_>) {
    let also = check.broken_by.iter().flat_map(|damage| &damage.also);
    [&check.requirement].into_iter().chain(also).for_each(|id| is_known(id, suite, place, found));
}

/// A mistake against advice that breaks what binds says why: else the advice may be what binds.
fn reasons(check: &Check, at: usize, suite: &Suite, found: &mut Problems<'_>) {
    let binds = |id: &String| suite.requirement(id).is_some_and(Requirement::binds);
    for (damage, mistake) in check.broken_by.iter().enumerate() {
        let binding = mistake.also.iter().find(|id| binds(id)).filter(|_| !binds(&check.requirement));
        let place = format!("/checks/{at}/broken_by/{damage}");
        match (binding, mistake.binds_because.as_deref().map(str::trim)) {
            (Some(id), None | Some("")) => found.add(
                place,
                format!(
                    "breaks `{id}`, which binds, beside advice; `binds-because` says why that is no part of the advice"
                ),
            ),
            (None, Some(_)) => found.add(place, "`binds-because` is for mistakes against advice that break what binds"),
            _ => {}
        }
    }
}

fn is_known(id: &str, suite: &Suite, place: &str, found: &mut Problems<'_>) {
    if suite.requirement(id).is_none() {
        let ids = suite.requirements().map(|requirement| requirement.id.as_str());
        found.add(place, format!("unknown requirement `{id}`{}", suggest::hint(id, ids)));
    }
}

/// The first step that a check may want refused and that stands beside no accepted one.
fn refusal_without_twin(check: &Check, case: &Case) -> Option<usize> {
    if !check.takes_refusal {
        return None;
    }
    // A sequence of both may select the accepted twin as well.
    let all_are_refused = matches!(&check.comparison, super::Comparison::Equals(_));
    let is_a_twin = |step| !all_are_refused && case.steps.iter().any(|other| other.twin == Some(step));
    let mut steps = check.paths().flat_map(|path| path.steps(case.steps.len()));
    steps.find(|step| !case.steps[*step].is_free() && !is_a_twin(*step))
}

fn always(all: &[Always], suite: &Suite, found: &mut Problems<'_>, place: &str, corpus: &Path) {
    for (at, always) in all.iter().enumerate() {
        let place = format!("{place}/{at}");
        known(&always.check, suite, &place, found);
        let absolute = always.check.select.values().any(|selector| matches!(selector, Selector::Evidence(_)));
        if absolute {
            found.add(&place, "paths of a check that always applies begin with `@`");
        }
        for part in always.corpus.iter().filter(|part| !corpus.join(part).exists()) {
            found.add(&place, format!("the corpus has no part `{part}`"));
        }
    }
}

/// The operations and arguments that checks of every exchange name are there.
fn operations(contract: &ContractSuite, found: &mut Problems<'_>) {
    let operations = &contract.contract.operations;
    for (at, always) in contract.always.iter().enumerate() {
        paths::lint(&always.check, None, contract, &format!("/checks/{at}"), found);
        for name in always.of.iter().filter(|name| !operations.contains_key(*name)) {
            let hint = suggest::hint(name, operations.keys().map(String::as_str));
            found.add(format!("/checks/{at}/of"), format!("unknown operation `{name}`{hint}"));
        }
        let is_its = |name: &String| always.of.is_empty() || always.of.contains(name);
        let all = || operations.iter().filter(|(name, _)| is_its(name)).flat_map(|(_, one)| &one.arguments);
        for name in always.without.iter().filter(|name| !all().any(|known| known == *name)) {
            let hint = suggest::hint(name, all().map(String::as_str).collect::<Vec<_>>());
            found.add(format!("/checks/{at}/without"), format!("no operation of it has an argument `{name}`{hint}"));
        }
    }
}

fn transports(suite: &Suite, root: &Path, problems: &mut Vec<DataProblem>) {
    let file = root.join("schemas/suite/transports.json");
    let mut found = Problems::of(&file, root, problems);
    let all = &suite.transports;
    let always_checked = all.checks.values().flatten().map(|always| &always.check);
    let of_protocol = suite.contracts.iter().flat_map(|contract| &contract.cases).filter(|case| case.of_protocol);
    let checked = always_checked.chain(of_protocol.flat_map(|case| &case.checks));
    let checked = checked.map(|check| check.requirement.as_str()).collect();
    let (own, of_clients) = all.requirements.split_at(all.requirements.partition_point(|one| !clients::has(&one.id)));
    requirements(own, "", &checked, &mut found);
    own.iter().enumerate().for_each(|(at, one)| clients::stays_out(one, at, &mut found));
    let by_file = |checks: &Vec<Always>| checks.partition_point(|one| !clients::has(&one.check.requirement));
    for (kind, checks) in &all.checks {
        always(&checks[..by_file(checks)], suite, &mut found, &format!("/checks/{kind}"), root);
    }
    let mut found = Problems::of(&clients::file(root), root, problems);
    requirements(of_clients, Client::PREFIX, &checked, &mut found);
    clients::lint(of_clients, &mut found);
    all.checks.values().for_each(|checks| always(&checks[by_file(checks)..], suite, &mut found, "/checks", root));
}

/// What is compared with the reference speaks of what is there, and condemns nobody for what does not bind.
fn fixed(contract: &ContractSuite, root: &Path, problems: &mut Vec<DataProblem>) {
    let file = contract.goldens.with_file_name("explore.json");
    let mut found = Problems::of(&file, root, problems);
    for (at, beside) in contract.beside.iter().enumerate() {
        called(contract, &beside.of, [beside.without.as_str()], &format!("/beside/{at}"), &mut found);
    }
    for (at, fixed) in contract.fixed.iter().map(|fixed| &fixed.file).enumerate() {
        let place = format!("/fixed/{at}");
        let requirements = &contract.contract.requirements;
        match requirements.iter().find(|requirement| requirement.id == fixed.requirement) {
            Some(requirement) if requirement.binds() => {}
            Some(_) => found.add(&place, format!("`{}` does not bind, so nothing is fixed by it", fixed.requirement)),
            None => {
                let ids = requirements.iter().map(|requirement| requirement.id.as_str());
                let hint = suggest::hint(&fixed.requirement, ids);
                found.add(&place, format!("unknown requirement `{}`{hint}", fixed.requirement));
            }
        }
        let named = fixed.given.iter().chain(&fixed.without).chain(fixed.with.keys()).map(String::as_str);
        called(contract, &fixed.of, named.collect::<Vec<_>>(), &place, &mut found);
    }
}

/// The operations that something speaks of are there, and have the arguments that it names.
fn called<'n>(
    contract: &ContractSuite,
    of: &[String],
    named: impl IntoIterator<Item = &'n str> + Clone,
    place: &str,
    found: &mut Problems<'_>,
) {
    let operations = &contract.contract.operations;
    for name in of {
        match operations.get(name) {
            Some(operation) => found.arguments(place, name, operation, named.clone().into_iter()),
            None => {
                let hint = suggest::hint(name, operations.keys().map(String::as_str));
                found.add(format!("{place}/of"), format!("unknown operation `{name}`{hint}"));
            }
        }
    }
}

/// Every golden is used.
fn goldens(contract: &ContractSuite, root: &Path, problems: &mut Vec<DataProblem>) {
    let checks = contract.cases.iter().flat_map(|case| &case.checks);
    let used: BTreeSet<&str> = checks.filter_map(|check| check.golden()).collect();
    let files = std::fs::read_dir(&contract.goldens).into_iter().flatten().filter_map(Result::ok);
    for file in files.map(|entry| entry.path()) {
        let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if !used.contains(name.as_str()) && !contract.other_goldens.contains(&name) {
            Problems::of(&file, root, problems).add("", "no check compares with this golden; delete it or use it");
        }
    }
}
