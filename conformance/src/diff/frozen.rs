//! The lists of revisions that have shipped: what they hold, and whether a contract still promises it.

use super::approval::{self, Heading, Pair, Standing};
use super::grammars::rules;
use super::shape::Schemas;
use super::side::TRANSPORTS;
use super::touch::without_annotations;
use super::{ContractSide, Diff, Reviewed, Seen, Side, SideError, render, rest};
use crate::model::{Contract, FrozenFile, FrozenOperation, FrozenRequirement, Operation, Requirement, Revision};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A file below `schemas/`, as it is and as it has to be.
#[derive(Debug, Clone, PartialEq)]
pub struct Frozen {
    /// The file, below the root.
    pub file: PathBuf,
    /// What belongs there; nothing where the revision is not frozen, or is gone.
    pub text: Option<String>,
    /// What keeps it from being written: a revision that shipped says something else, and no erratum says why. For people.
    pub refused: Option<String>,
}

/// Every list below a root that is not as it has to be.
///
/// # Errors
/// When the contracts cannot be read, or a list is not a list.
pub fn stale(root: &Path) -> Result<Vec<Frozen>, SideError> {
    let side = Side::read(root)?;
    let mut stale = Vec::new();
    let frozen = side.contracts.values().filter(|view| view.revision.frozen && view.contract.name != TRANSPORTS);
    for view in frozen {
        let file = file(view);
        let due = FrozenFile::of(view);
        let text = serde_json::to_value(&due).map(|value| format!("{value:#}\n")).unwrap_or_default();
        let written = root.join(&file);
        if !written.exists() {
            stale.push(Frozen { file, text: Some(text), refused: None });
        } else if super::side::text(&written)? != text {
            let shipped: FrozenFile = super::side::parsed(&written, root)?;
            let refused = refused(&ContractSide::from(shipped), &due, view);
            stale.push(Frozen { file, text: Some(text), refused });
        }
    }
    // A list is not thrown away because a revision says that it did not ship.
    for view in side.contracts.values().filter(|view| !view.revision.frozen && root.join(file(view)).exists()) {
        let shipped: FrozenFile = super::side::parsed(&root.join(file(view)), root)?;
        let unfrozen = rest::frozen(&ContractSide::from(shipped), view).filter(|change| {
            let standing = approval::standing(
                &change.fingerprint(),
                &approval::read(&view.approvals),
                Pair::of_one(view.contract.revision),
                true,
            );
            matches!(standing, Standing::Unapproved { .. })
        });
        let refused = unfrozen.map(|change| {
            let (key, heading) = (view.contract.key().full(), Heading::of(&[Pair::of_one(view.contract.revision)]));
            format!(
                "{key} has shipped, and revisions.json does not say so any more. Write `\"frozen\": true` there, or why not:\n  \
                 schemas/{}/changes.md\n  ## {heading}\n  - `{}` revision-unfrozen of {key}: why",
                view.contract.name,
                change.fingerprint(),
            )
        });
        stale.push(Frozen { file: file(view), text: None, refused });
    }
    let kept: Vec<PathBuf> = side.contracts.values().filter(|view| view.revision.frozen).map(file).collect();
    for name in side.contracts.keys().map(|key| key.name()).filter(|name| *name != TRANSPORTS) {
        let folder = Path::new("schemas").join(name).join("frozen");
        let files = std::fs::read_dir(root.join(&folder)).into_iter().flatten().filter_map(Result::ok);
        let others = files.map(|entry| folder.join(entry.file_name())).filter(|file| !kept.contains(file));
        let others = others.filter(|file| !side.contracts.values().any(|view| self::file(view) == *file));
        stale.extend(others.map(|file| Frozen { file, text: None, refused: None }));
    }
    stale.dedup();
    Ok(stale)
}

/// Where the list of a view is, below the root.
fn file(view: &ContractSide) -> PathBuf {
    let Contract { name, revision, .. } = &view.contract;
    Path::new("schemas").join(name).join("frozen").join(format!("{revision}.json"))
}

/// What is missing before a list may be written again; nothing where each change of the promise is named as an erratum.
fn refused(shipped: &ContractSide, due: &FrozenFile, view: &ContractSide) -> Option<String> {
    let approvals = approval::read(&view.approvals);
    let pair = Pair::of_one(view.contract.revision);
    let mut now = ContractSide::from(due.clone());
    for (requirement, known) in now.contract.requirements.iter_mut().zip(&view.contract.requirements) {
        requirement.formerly.clone_from(&known.formerly);
    }
    // A sentence that differs in its numbers alone follows them.
    let plain = |text: &str| text.split(|one: char| one.is_ascii_digit()).collect::<String>();
    let mut shipped = shipped.clone();
    for (id, template) in &view.templates {
        let text = |side: &ContractSide| side.contract.requirement(id).map(|one| plain(&one.text));
        if text(&shipped) == text(&now) {
            shipped.templates.insert(id.clone(), template.clone());
            now.templates.insert(id.clone(), template.clone());
        }
    }
    let mut diff = Diff::between(&shipped, &now, &Seen::default());
    diff.changes.retain(|one| one.change.needs_reason(true));
    for one in &mut diff.changes {
        one.standing = approval::standing(&one.fingerprint, &approvals, pair, true);
    }
    let told = |one: &Reviewed| format!("  {}  {}: {}", one.change.kind, one.change.subject, one.change.says);
    let unnamed = diff.changes.iter().filter(|one| matches!(one.standing, Standing::Unapproved { .. }));
    let changes: Vec<String> = unnamed.map(told).collect();
    let lines = render::approvals(&diff).join("\n  ");
    (!changes.is_empty()).then(|| {
        format!(
            "revision {} of {} has shipped, and it is not what it was:\n{}\nTo correct it, write why:\n  {lines}",
            pair.now,
            view.contract.name,
            changes.join("\n"),
        )
    })
}

impl FrozenFile {
    /// The list of a view.
    pub fn of(view: &ContractSide) -> Self {
        let contract = &view.contract;
        let operations = contract.operations.iter().map(|(name, operation)| {
            let Operation { input, output, format, cli, http, mcp, .. } = operation.clone();
            (name.clone(), FrozenOperation { input, output, format, cli, http, mcp })
        });
        // A schema that no operation of the revision leads to belongs to another one.
        let named = contract
            .operations
            .values()
            .flat_map(|one| [Some(&one.input), one.output.as_ref(), one.item.as_ref()].into_iter().flatten());
        let reached: BTreeSet<String> = named.flat_map(|file| Schemas(&view.schemas).reached(file)).collect();
        let schemas = view.schemas.iter().filter(|(name, _)| reached.contains(*name));
        let requirements = contract.requirements.iter().map(|one| FrozenRequirement {
            id: one.id.clone(),
            level: one.level,
            origin: one.origin,
            era: one.era,
            text: one.text.clone(),
        });
        Self {
            schema: "../../suite/frozen.schema.json".to_owned(),
            contract: contract.name.clone(),
            revision: contract.revision,
            operations: operations.collect(),
            requirements: requirements.collect(),
            schemas: schemas.map(|(name, schema)| (name.clone(), without_annotations(schema))).collect(),
            grammars: view.grammars.iter().map(|(name, text)| (name.clone(), rules(text))).collect(),
        }
    }
}

/// A view that promises what a list says, and asks nothing.
impl From<FrozenFile> for ContractSide {
    fn from(frozen: FrozenFile) -> Self {
        let operations = frozen.operations.into_iter().map(|(name, operation)| {
            let FrozenOperation { input, output, format, cli, http, mcp } = operation;
            let operation = Operation {
                about: String::new(),
                input,
                output,
                item: None,
                given: Vec::new(),
                format,
                cli,
                http,
                mcp,
                arguments: Vec::new(),
                example: Map::new(),
                takes: Value::Null,
                found_by: None,
            };
            (name, operation)
        });
        let requirements = frozen.requirements.into_iter().map(|one| {
            let FrozenRequirement { id, level, origin, era, text } = one;
            Requirement {
                id,
                formerly: Vec::new(),
                level,
                origin,
                era,
                conditional: false,
                section: String::new(),
                text,
                no_opposite: None,
                over: Vec::new(),
                unjudged: BTreeMap::new(),
                clients: Vec::new(),
            }
        });
        Self {
            contract: Contract {
                schema: None,
                name: frozen.contract,
                title: String::new(),
                revision: frozen.revision,
                document: String::new(),
                sections: Vec::new(),
                operations: operations.collect(),
                requirements: requirements.collect(),
                excluded: Vec::new(),
                freedoms: Vec::new(),
            },
            revision: Revision { revision: frozen.revision, frozen: true, ..Revision::default() },
            templates: BTreeMap::new(),
            written: BTreeMap::new(),
            schemas: frozen.schemas,
            grammars: frozen.grammars,
            cases: BTreeMap::new(),
            always: None,
            goldens: BTreeMap::new(),
            others: BTreeMap::new(),
            corpus: String::new(),
            whole: BTreeMap::new(),
            approvals: String::new(),
        }
    }
}
