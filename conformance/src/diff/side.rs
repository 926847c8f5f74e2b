//! One side of a comparison: the contracts of a folder, each at every revision, as a view of it shows them.

use super::touch::{calls, judging, proofs};
use crate::load::{DataProblem, Lens, changed_call, revisions};
use crate::model::{
    AlwaysFile, CaseFile, CheckFile, ClientsFile, Contract, ContractKey, Protocol, ProtocolCase, Revision, Step,
    TransportFamily, TransportsFile,
};
use crate::text::fingerprint;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// The contracts of a folder that has `schemas/` and `fixtures/` in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Side {
    /// Each contract at each of its revisions.
    pub contracts: BTreeMap<ContractKey, ContractSide>,
}

/// A contract at a revision, as its files say it.
#[derive(Debug, Clone, PartialEq)]
pub struct ContractSide {
    /// `contract.json`, as it is at the revision.
    pub contract: Contract,
    /// What users of the contract call the revision.
    pub revision: Revision,
    /// The sentences that take numbers from schemas, as they are written, by the id of their requirement.
    pub templates: BTreeMap<String, String>,
    /// The same for what is asked and how it is judged: what stands there, by what it is with its numbers.
    pub(super) written: BTreeMap<String, Value>,
    /// The JSON Schemas, by file name.
    pub schemas: BTreeMap<String, Value>,
    /// The grammars, by file name.
    pub grammars: BTreeMap<String, String>,
    /// The cases, by their path below `cases/`.
    pub cases: BTreeMap<String, CaseFile>,
    /// What always applies.
    pub always: Option<AlwaysFile>,
    /// The goldens, by file name.
    pub goldens: BTreeMap<String, Value>,
    /// What else the fixtures have, by file name: legal answers, what random calls are made of.
    pub(super) others: BTreeMap<String, Value>,
    /// A fingerprint of the corpus.
    pub corpus: String,
    /// Why each revision up to this one that has shipped departs from the one before it, where it was approved as a whole.
    pub(super) whole: BTreeMap<u32, String>,
    /// `changes.md`: what was approved, empty where there is no such file.
    pub approvals: String,
}

/// Why a side cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum SideError {
    /// It is older than this layout, or something else.
    #[error("{} holds no contracts: there is no schemas/<contract>/contract.json below it", .0.display())]
    NoContracts(PathBuf),
    /// A file that cannot be read.
    #[error("{}: cannot be read: {error}", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// A file that is not what its name says.
    #[error("{}: {message}", file.display())]
    Broken {
        /// The file, below the folder.
        file: PathBuf,
        /// What is wrong with it, and where.
        message: String,
    },
}

impl Side {
    /// Reads `schemas/` and `fixtures/` below a folder, as far as contracts are in them.
    ///
    /// # Errors
    /// When there is no contract, or the first file that cannot be understood.
    pub fn read(root: &Path) -> Result<Self, SideError> {
        let mut contracts = BTreeMap::new();
        let folders = std::fs::read_dir(root.join("schemas")).into_iter().flatten().filter_map(Result::ok);
        for folder in folders.map(|entry| entry.path()).filter(|folder| folder.join("contract.json").is_file()) {
            for view in views(&folder, root)? {
                contracts.insert(view.contract.key(), view);
            }
        }
        if contracts.is_empty() {
            return Err(SideError::NoContracts(root.to_owned()));
        }
        let transports = root.join("schemas/suite/transports.json");
        if transports.is_file() {
            contracts.insert(ContractKey::new(TRANSPORTS), self::transports(&transports, root)?);
        }
        Ok(Self { contracts })
    }

    /// The revisions of a contract, in order.
    pub(super) fn of<'s>(&'s self, name: &'s str) -> impl Iterator<Item = &'s ContractSide> {
        self.contracts.iter().filter(move |(key, _)| key.name() == name).map(|(_, view)| view)
    }
}

/// What the requirements of the transports go by.
pub(crate) const TRANSPORTS: &str = "transports";

/// What `of` begins with where a check of the transports names one.
pub(super) const OVER: &str = "over ";
/// What a case needs that is asked of servers of one era of MCP alone.
pub(super) const ALONE: &str = "one era of MCP";

/// The requirements of the transports, as if they were a contract that has no operations.
fn transports(file: &Path, root: &Path) -> Result<ContractSide, SideError> {
    let mut read: TransportsFile = parsed(file, root)?;
    let clients = file.with_file_name("clients.json");
    if clients.is_file() {
        let clients: ClientsFile = parsed(&clients, root)?;
        read.requirements.extend(clients.requirements);
        read.checks.entry(TransportFamily::Protocol(Protocol::Mcp)).or_default().extend(clients.checks);
    }
    let cases = read.cases.iter().filter(|case| !case.otherwise.is_nothing()).map(protocol).collect();
    let checks = read.checks.into_iter().flat_map(|(family, checks)| {
        let over = serde_json::to_value(family).unwrap_or_default();
        checks.into_iter().map(move |mut check| {
            check.of.push(format!("{OVER}{}", over.as_str().unwrap_or_default()));
            check
        })
    });
    Ok(ContractSide {
        contract: Contract {
            schema: None,
            name: TRANSPORTS.to_owned(),
            title: String::new(),
            revision: ContractKey::FIRST,
            document: String::new(),
            sections: Vec::new(),
            operations: BTreeMap::new(),
            requirements: read.requirements,
            excluded: Vec::new(),
            freedoms: Vec::new(),
        },
        // Who speaks a transport follows its standard as it is read here, so what is asked is fixed as if it were frozen.
        revision: Revision { revision: ContractKey::FIRST, frozen: true, ..Revision::default() },
        templates: BTreeMap::new(),
        written: BTreeMap::new(),
        schemas: BTreeMap::new(),
        grammars: BTreeMap::new(),
        cases,
        always: Some(AlwaysFile { schema: None, about: String::new(), checks: checks.collect() }),
        goldens: BTreeMap::new(),
        others: BTreeMap::new(),
        corpus: String::new(),
        whole: BTreeMap::new(),
        approvals: approvals(&root.join("schemas/suite"))?,
    })
}

/// A case of the protocol as it is made for each contract, but for the call.
fn protocol(given: &ProtocolCase) -> (String, CaseFile) {
    let mut case = changed_call(given, &Step::of("call", Map::new()));
    case.needs.extend(given.alone.then(|| ALONE.to_owned()));
    (format!("protocol/{}", given.name), case)
}

/// A contract at every revision that the suite can judge by.
fn views(folder: &Path, root: &Path) -> Result<Vec<ContractSide>, SideError> {
    let file = folder.join("contract.json");
    let written: Value = parsed(&file, root)?;
    let mut problems = Vec::new();
    let all = revisions(folder, root, &mut problems);
    first(problems)?;
    let supported = all.iter().filter(|one| one.unsupported.is_none());
    let lens = |one: &Revision| Lens::new(one.revision, &all, folder, &written);
    let whole = |last: u32| {
        let shipped = all.iter().filter(|one| one.frozen && one.revision <= last);
        shipped.filter_map(|one| Some((one.revision, one.approved.clone()?))).collect()
    };
    let read = supported.map(|one| {
        let view = view(one, [&lens(one), &lens(one).keeping_bounds()], &written, folder, root)?;
        Ok(ContractSide { whole: whole(one.revision), ..view })
    });
    read.collect()
}

fn view(
    revision: &Revision,
    [lens, unbound]: [&Lens; 2],
    written: &Value,
    folder: &Path,
    root: &Path,
) -> Result<ContractSide, SideError> {
    let mut problems = Vec::new();
    let contract = lens.contract(written.clone(), &folder.join("contract.json"), root, &mut problems);
    first(problems)?;
    let Some(contract) = contract else {
        return Err(broken(&folder.join("contract.json"), root, "is not a contract".to_owned()));
    };
    let mut schemas = BTreeMap::new();
    let mut grammars = BTreeMap::new();
    for (name, _) in files(folder) {
        if lens.is_instead(&name) {
            continue;
        }
        let file = folder.join(lens.schema(&name));
        if name.ends_with(".schema.json") {
            let schema: Value = parsed(&file, root)?;
            jsonschema::meta::validate(&schema)
                .map_err(|error| broken(&file, root, format!("is not a JSON Schema: {error}")))?;
            schemas.insert(name, schema);
        } else if name.ends_with(".pest") {
            grammars.insert(name, text(&file)?);
        }
    }
    let fixtures = root.join("fixtures").join(&contract.name);
    let mut cases = BTreeMap::new();
    let mut follow = Follow::default();
    for (name, file) in files(&fixtures.join("cases")).into_iter().filter(|(name, _)| name.ends_with(".json")) {
        if let (Some(case), Some(written)) =
            (seen::<CaseFile>(lens, &file, root)?, seen::<CaseFile>(unbound, &file, root)?)
        {
            follow.case(&case, &written);
            cases.insert(name.trim_end_matches(".json").to_owned(), case);
        }
    }
    let always = fixtures.join("always.json");
    let always = match always.exists() {
        true => seen::<AlwaysFile>(lens, &always, root)?.zip(seen::<AlwaysFile>(unbound, &always, root)?),
        false => None,
    };
    if let Some((always, written)) = &always {
        always.checks.iter().zip(&written.checks).for_each(|(one, written)| follow.check(&one.check, &written.check));
    }
    let mut others = BTreeMap::new();
    for (name, file) in files(&fixtures).into_iter().filter(|(name, _)| is_other(name)) {
        // A number that follows a bound is no change of its own.
        others.extend(seen::<Value>(unbound, &file, root)?.map(|read| (name, read)));
    }
    let goldens = files(&fixtures.join("goldens")).into_iter().map(|(name, file)| Ok((name, parsed(&file, root)?)));
    let side = ContractSide {
        cases,
        goldens: goldens.collect::<Result<_, SideError>>()?,
        others,
        always: always.map(|(always, _)| always),
        corpus: fingerprint(&fixtures.join("corpus"))?,
        whole: BTreeMap::new(),
        approvals: approvals(folder)?,
        revision: revision.clone(),
        templates: lens.templates(written),
        written: follow.written,
        contract,
        schemas,
        grammars,
    };
    side.compiles(root)?;
    Ok(side)
}

/// Whether a file of the fixtures is compared as a whole: what is read for itself stands in folders, or has a name of its own.
fn is_other(name: &str) -> bool {
    name.ends_with(".json") && !name.contains('/') && name != "always.json"
}

/// What takes numbers from schemas, by what it is with them.
#[derive(Default)]
struct Follow {
    written: BTreeMap<String, Value>,
}

impl Follow {
    fn case(&mut self, case: &CaseFile, written: &CaseFile) {
        self.value(&calls(case), calls(written));
        case.checks.iter().zip(&written.checks).for_each(|(check, written)| self.check(check, written));
    }

    fn check(&mut self, check: &CheckFile, written: &CheckFile) {
        self.value(&judging(check), judging(written));
        self.value(&proofs(check), proofs(written));
    }

    fn value(&mut self, value: &Value, written: Value) {
        if *value != written {
            self.written.insert(value.to_string(), written);
        }
    }
}

/// A file as the revision of a lens has it; nothing where it belongs to others.
fn seen<T: DeserializeOwned>(lens: &Lens, file: &Path, root: &Path) -> Result<Option<T>, SideError> {
    let mut problems = Vec::new();
    let read = lens.read(file, root, &mut problems);
    first(problems)?;
    Ok(read)
}

/// The first of these problems, if there is any.
fn first(problems: Vec<DataProblem>) -> Result<(), SideError> {
    let told = |DataProblem { file, place, message }| {
        let message = if place.is_empty() { message } else { format!("at {place}: {message}") };
        SideError::Broken { file: file.into(), message }
    };
    problems.into_iter().next().map_or(Ok(()), |problem| Err(told(problem)))
}

/// What was approved, where there is a list of it.
fn approvals(folder: &Path) -> Result<String, SideError> {
    let file = folder.join("changes.md");
    if file.exists() { text(&file) } else { Ok(String::new()) }
}

impl ContractSide {
    /// Whether something is written as on the other side, and only the numbers of schemas make it another value.
    pub(super) fn follows(&self, value: &Value, other: &Self, of_other: &Value) -> bool {
        let written = self.written.get(&value.to_string());
        written.is_some() && written == other.written.get(&of_other.to_string())
    }

    /// Refuses schemas that nothing could be judged by.
    fn compiles(&self, root: &Path) -> Result<(), SideError> {
        let folder = root.join("schemas").join(&self.contract.name);
        for name in self.schemas.keys() {
            let compiled = super::shape::Schemas(&self.schemas).validator(name);
            compiled.map_err(|message| broken(&folder.join(name), root, message))?;
        }
        for operation in self.contract.operations.values() {
            let named = std::iter::once(&operation.input).chain(&operation.output);
            if let Some(missing) = named.into_iter().find(|name| !self.schemas.contains_key(*name)) {
                let message = format!("names {missing}, which is not there");
                return Err(broken(&folder.join("contract.json"), root, message));
            }
        }
        Ok(())
    }
}

/// The files of a folder and of those below, by their path in it; none where there is no such folder.
fn files(folder: &Path) -> BTreeMap<String, PathBuf> {
    let all = WalkDir::new(folder).into_iter().filter_map(Result::ok).filter(|entry| entry.file_type().is_file());
    let named = all.map(|entry| {
        let below = entry.path().strip_prefix(folder).unwrap_or(entry.path());
        let name: Vec<_> = below.components().map(|part| part.as_os_str().to_string_lossy()).collect();
        (name.join("/"), entry.into_path())
    });
    named.collect()
}

pub(super) fn text(file: &Path) -> Result<String, SideError> {
    crate::files::text(file).map_err(|error| SideError::Unreadable { file: file.to_owned(), error })
}

pub(super) fn parsed<T: DeserializeOwned>(file: &Path, root: &Path) -> Result<T, SideError> {
    let text = text(file)?;
    let mut deserializer = serde_json::Deserializer::from_str(&text);
    serde_path_to_error::deserialize(&mut deserializer).map_err(|error| {
        let at = error.path().to_string();
        broken(file, root, format!("is not of this layout, at `{at}`: {}", error.into_inner()))
    })
}

fn broken(file: &Path, root: &Path, message: String) -> SideError {
    SideError::Broken { file: file.strip_prefix(root).unwrap_or(file).to_owned(), message }
}

fn fingerprint(folder: &Path) -> Result<String, SideError> {
    let mut digest = Sha256::new();
    for (name, file) in files(folder) {
        digest.update(name.as_bytes());
        let bytes = crate::files::bytes(&file).map_err(|error| SideError::Unreadable { file: file.clone(), error })?;
        digest.update(bytes.len().to_le_bytes());
        digest.update(bytes);
    }
    Ok(fingerprint::first(digest, 8))
}
