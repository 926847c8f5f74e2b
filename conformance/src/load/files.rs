//! Reading: folders, JSON, and the place of what is wrong in them.

use super::compile::Compiler;
use super::lens::{self, Lens};
use super::problems::json;
use super::signs::Telltale;
use super::{
    Always, Case, ContractSuite, DataProblem, Fixed, Legal, Problems, RawCase, Schemas, Selector, Sentinel, Sound,
    Suite, Transports, clients, derive, inside, legal, protocol, signs,
};
use crate::model::{
    AlwaysCheck, AlwaysFile, Beside, CaseFile, ClientsFile, Contract, ContractKey, ExploreFile, Item, LegalFile,
    Protocol, ProtocolCase, Revision, SentinelFile, TransportFamily, TransportsFile,
};
use crate::path::Footprint;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::thread;
use walkdir::WalkDir;

/// Reads everything below `root`, cases perhaps from elsewhere; what is broken is left out and told in `problems`. What reads later revisions comes with it.
pub(super) fn suite(root: &Path, elsewhere: Option<&Path>, problems: &mut Vec<DataProblem>) -> (Suite, Files) {
    let (transports, protocol) = transports(root, problems);
    let files = Files {
        root: root.to_owned(),
        elsewhere: elsewhere.map(Path::to_owned),
        transports: transports_file(root),
        protocol,
        is_brought: false,
    };
    let (contracts, revisions) = contracts(&files, problems);
    (Suite::of(contracts, transports, revisions), files)
}

/// What belongs to the revisions of a contract: what each of them says, and by what it is recognised.
pub(super) type OfRevisions = (Vec<Revision>, Vec<Telltale>);

/// The contracts that files hold, each at its first revision.
pub(super) fn contracts(files: &Files, problems: &mut Vec<DataProblem>) -> (Vec<ContractSuite>, Vec<OfRevisions>) {
    let root = files.root.as_path();
    let mut folders = folders(&root.join("schemas"), root, problems);
    folders.retain(|folder| folder.file_name().is_some_and(|name| name != "suite"));
    // Every command waits for this, so contracts are read beside each other; what is told of them keeps their order.
    let read = thread::scope(|scope| {
        let reading = folders.iter();
        let reading = reading.map(|folder| {
            scope.spawn(move || {
                let mut problems = Vec::new();
                let revisions = lens::revisions(folder, root, &mut problems);
                let signs = signs::ready(folder, root, &revisions, &mut problems);
                let first = files.contract(folder, ContractKey::FIRST, &revisions, &mut problems);
                (first.map(|first| (first, (revisions, signs))), problems)
            })
        });
        let reading: Vec<_> = reading.collect();
        reading.into_iter().map(|one| one.join().unwrap_or_else(|panic| resume_unwind(panic))).collect::<Vec<_>>()
    });
    let (mut contracts, mut revisions) = (Vec::new(), Vec::new());
    for (contract, mut of_contract) in read {
        let (contract, of_its) = contract.unzip();
        contracts.extend(contract);
        revisions.extend(of_its);
        problems.append(&mut of_contract);
    }
    (contracts, revisions)
}

/// Where the files of a suite are, and what it takes to read one more contract, or another revision of one.
#[derive(Debug, Clone)]
pub(super) struct Files {
    pub(super) root: PathBuf,
    elsewhere: Option<PathBuf>,
    /// The file with what belongs to the transports, and the cases of the protocol in it.
    transports: PathBuf,
    protocol: Vec<ProtocolCase>,
    /// Whether they are a user's, so that judging by them is bounded.
    is_brought: bool,
}

impl Files {
    /// The same for contracts below another folder, which a user brings.
    pub(super) fn brought(&self, root: &Path) -> Self {
        Self { root: root.to_owned(), is_brought: true, ..self.clone() }
    }

    /// Whether cases and corpora are those of another folder.
    pub(super) fn is_elsewhere(&self) -> bool {
        self.elsewhere.is_some()
    }

    /// Reads a contract at a revision.
    pub(super) fn contract(
        &self,
        folder: &Path,
        revision: u32,
        revisions: &[Revision],
        problems: &mut Vec<DataProblem>,
    ) -> Option<ContractSuite> {
        let (root, elsewhere) = (self.root.as_path(), self.elsewhere.as_deref());
        let file = folder.join("contract.json");
        let written: Value = json(&file, root, problems)?;
        let lens = Lens::new(revision, revisions, folder, &written);
        lens.bounds.numbers(&written, &mut Problems::of(&file, root, problems));
        let mut contract = lens.contract(written, &file, root, problems)?;
        if !inside::keeps_home(&contract, folder, &mut Problems::of(&file, root, problems)) {
            return None;
        }
        for operation in contract.operations.values_mut() {
            operation.takes = schema(&folder.join(lens.schema(&operation.input)));
            (operation.arguments, operation.example) = arguments(&operation.takes);
            operation.found_by = operation.item.as_ref().map(|file| Item {
                fields: required(folder, &lens, file),
                alone: operation.output.as_ref() == Some(file),
            });
        }
        let fixtures = root.join("fixtures").join(&contract.name);
        let probes = elsewhere.map_or_else(|| fixtures.clone(), |folder| folder.join(&contract.name));
        let mut compiler = Compiler::new(folder, &probes, root, Some(&lens), problems);
        compiler.allows_no_checks = elsewhere.is_some();
        if self.is_brought {
            compiler.is_guarded(folder, &mut Problems::of(folder, root, problems))?;
        }
        let raw = match elsewhere {
            None => {
                let derived = derive::cases(&contract, &lens, folder, root, problems);
                let of_protocol = protocol::cases(&self.protocol, &contract, &self.transports);
                let own = raw_cases(&probes.join("cases"), &lens, root, problems).into_iter();
                own.chain(derived).chain(of_protocol).collect()
            }
            Some(_) if probes.join("cases").exists() => raw_cases(&probes.join("cases"), &lens, root, problems),
            Some(_) => Vec::new(),
        };
        let cases = raw.into_iter().map(|raw| compiler.case(raw, &contract, problems)).collect::<Vec<Case>>();
        let always_file = fixtures.join("always.json");
        let place = (always_file.as_path(), "/checks");
        let always = match always_file.exists() {
            true => lens
                .read::<AlwaysFile>(&always_file, root, problems)
                .map(|read| always(&compiler, place, read.checks, Some(&contract), problems)),
            false => None,
        };
        let (beside, fixed) = explored(&compiler, &lens, &fixtures.join("explore.json"), root, problems);
        let legal = legal(&fixtures.join("legal.json"), &lens, root, problems);
        let sentinel = sentinel(&probes.join("corpus"), &contract, &lens, root, problems);
        Some(ContractSuite {
            contract,
            cases,
            always: always.unwrap_or_default(),
            fixed,
            beside,
            legal,
            corpus: probes.join("corpus"),
            sentinel,
            goldens: probes.join("goldens"),
            other_goldens: lens.other_goldens(),
            schemas: Schemas { folder: folder.to_owned(), instead: lens.in_place().clone() },
            fields: compiler.fields,
            is_brought: self.is_brought,
        })
    }
}

/// What correct programs may answer in place of the reference; nothing where there is no such file.
fn legal(file: &Path, lens: &Lens, root: &Path, problems: &mut Vec<DataProblem>) -> Vec<Legal> {
    let read = if file.exists() { lens.read::<LegalFile>(file, root, problems) } else { None };
    let answers = read.map_or_else(Vec::new, |read| read.legal);
    legal::ready(answers, &mut Problems::of(file, root, problems))
}

/// What tells whether a target holds the corpus; nothing where there is no such file.
fn sentinel(
    corpus: &Path,
    contract: &Contract,
    lens: &Lens,
    root: &Path,
    problems: &mut Vec<DataProblem>,
) -> Option<Sentinel> {
    let file = corpus.join("sentinel.json");
    let read = file.exists().then(|| lens.read::<SentinelFile>(&file, root, problems))??;
    Some(Sentinel::read(corpus, contract, read, &mut Problems::of(&file, root, problems)))
}

/// The random calls that are made twice, and what is compared with the reference; nothing where there is no such file.
fn explored(
    compiler: &Compiler<'_>,
    lens: &Lens,
    file: &Path,
    root: &Path,
    problems: &mut Vec<DataProblem>,
) -> (Vec<Beside>, Vec<Fixed>) {
    let read = if file.exists() { lens.read::<ExploreFile>(file, root, problems) } else { None };
    let Some(read) = read else { return Default::default() };
    let all = read.fixed.into_iter().enumerate();
    let fixed = all.filter_map(|(at, fixed)| compiler.fixed(file, &format!("/fixed/{at}"), fixed, problems)).collect();
    (read.beside, fixed)
}

/// The fields that a schema requires, or one that it refers to as a whole.
fn required(folder: &Path, lens: &Lens, file: &str) -> Vec<String> {
    let (mut fields, mut seen) = (Vec::new(), BTreeSet::new());
    let mut next = Some(file.to_owned());
    // Schemas that refer to each other without end are told of where schemas are compiled.
    while let Some(file) = next.take().filter(|file| inside::is_below(file) && seen.insert(file.clone())) {
        let schema = schema(&folder.join(lens.schema(&file)));
        let own = schema["required"].as_array().into_iter().flatten();
        fields.extend(own.filter_map(|name| name.as_str().map(str::to_owned)));
        next = schema["$ref"].as_str().map(str::to_owned);
    }
    fields
}

/// A schema; whether it is sound is told elsewhere.
fn schema(schema: &Path) -> Value {
    let text = crate::files::text(schema).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

/// The names of the arguments that an input schema knows, and the first of its examples.
fn arguments(schema: &Value) -> (Vec<String>, Map<String, Value>) {
    let names = schema["properties"].as_object().into_iter().flat_map(Map::keys).cloned().collect();
    (names, schema["examples"][0].as_object().cloned().unwrap_or_default())
}

/// What belongs to the transports themselves.
fn transports_file(root: &Path) -> PathBuf {
    root.join("schemas/suite/transports.json")
}

fn transports(root: &Path, problems: &mut Vec<DataProblem>) -> (Transports, Vec<ProtocolCase>) {
    let folder = root.join("schemas/suite");
    let file = transports_file(root);
    let Some(read) = json::<TransportsFile>(&file, root, problems) else {
        return (Transports { requirements: Vec::new(), checks: BTreeMap::new() }, Vec::new());
    };
    let era = |id: &str| read.requirements.iter().find(|one| one.id == id).and_then(|one| one.era);
    let compiler = Compiler::new(&folder, &folder, root, None, problems);
    let mut checks: BTreeMap<_, _> = read
        .checks
        .into_iter()
        .map(|(family, checks)| {
            let place = format!("/checks/{family}");
            let mut all = always(&compiler, (&file, &place), checks, None, problems);
            all.iter_mut().for_each(|always| always.era = always.era.or_else(|| era(&always.check.requirement)));
            (family, all)
        })
        .collect();
    let mut requirements = read.requirements;
    let of_clients = clients::file(root);
    // Suites of earlier days have none.
    let clients = if of_clients.exists() { json::<ClientsFile>(&of_clients, root, problems) } else { None };
    if let Some(clients) = clients {
        let all = always(&compiler, (&of_clients, "/checks"), clients.checks, None, problems);
        checks.entry(TransportFamily::Protocol(Protocol::Mcp)).or_default().extend(all);
        requirements.extend(clients.requirements);
    }
    (Transports { requirements, checks }, read.cases)
}

/// The checks of every exchange; without a contract, those of a transport.
fn always(
    compiler: &Compiler<'_>,
    (file, place): (&Path, &str),
    checks: Vec<AlwaysCheck>,
    contract: Option<&Contract>,
    problems: &mut Vec<DataProblem>,
) -> Vec<Always> {
    checks
        .into_iter()
        .enumerate()
        .filter_map(|(at, always)| {
            let sound = contract.map_or_else(Sound::default, |contract| Sound::of(&always, contract));
            let check = compiler.check(file, &format!("{place}/{at}/check"), always.check, problems)?;
            let AlwaysCheck { era, of, refused_too, corpus, without, form, .. } = always;
            let reads = check.reads(match &check.each {
                Some(Selector::Relative(each)) => Footprint::within(each),
                _ => Footprint::whole(),
            });
            let of_transport = contract.is_none();
            Some(Always { era, of, refused_too, corpus, without, form, sound, reads, check, of_transport })
        })
        .collect()
}

fn raw_cases(folder: &Path, lens: &Lens, root: &Path, problems: &mut Vec<DataProblem>) -> Vec<RawCase> {
    let mut cases = Vec::new();
    for entry in WalkDir::new(folder).sort_by_file_name() {
        let file = match entry {
            Ok(entry) => entry.into_path(),
            Err(error) => {
                Problems::of(folder, root, problems).add("", format!("cannot be read: {error}"));
                continue;
            }
        };
        if file.extension().is_some_and(|ending| ending == "json")
            && let Some(case) = lens.read::<CaseFile>(&file, root, problems)
        {
            let below = file.strip_prefix(folder).unwrap_or(&file).with_extension("");
            let name = below.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/");
            cases.push(RawCase { name, file, case, json_only: false, of_protocol: false, alone: false });
        }
    }
    cases
}

/// The folders right below a folder, in order.
pub(super) fn folders(parent: &Path, root: &Path, problems: &mut Vec<DataProblem>) -> Vec<PathBuf> {
    let read = match std::fs::read_dir(parent) {
        Ok(read) => read,
        Err(error) => {
            Problems::of(parent, root, problems).add("", format!("cannot be read: {error}"));
            return Vec::new();
        }
    };
    let mut folders: Vec<PathBuf> =
        read.filter_map(Result::ok).map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}
