//! Files → [`Suite`], or every problem at once with its file and place.
//!
//! `files` reads and parses, each through the `lens` of a revision with its `bounds`, `later` does so when a revision is asked for, `derive` makes cases of the keywords of input schemas, `protocol` of how MCP is kept to, `clients` knows what clients refuse, `compile` makes checks ready to judge, `lint`
//! finds what a schema cannot say, and so do `paths`,
//! `general`, `follows` and `freedoms`; `inside` keeps a folder of fixtures to itself, `brought` reads what a user brings and `guard` bounds it; `suite` and `case` are the result, and
//! `selection` answers which cases are meant, and `signs` by what a revision is recognised.

mod bounds;
mod brought;
mod case;
mod clients;
mod compile;
mod derive;
mod documents;
mod files;
mod follows;
mod freedoms;
mod general;
mod guard;
mod inside;
mod later;
mod legal;
mod lens;
mod lint;
mod own;
mod paths;
mod problems;
mod protocol;
mod selection;
mod sentinel;
mod signs;
mod sound;
mod suite;
mod views;

pub use brought::{has_contracts, look_through};
pub use case::{Always, Case, Check, Fixed};
pub(crate) use case::{BoundPick, Comparison, Matching, RawCase, Selector, given};
pub use general::Judged;
pub use legal::Legal;
pub(crate) use lens::{Lens, revisions};
pub use own::OwnTexts;
pub(crate) use problems::Problems;
pub use problems::{DataProblem, LoadError};
pub(crate) use protocol::changed_call;
pub(crate) use selection::runs_at;
pub use sentinel::Sentinel;
pub(crate) use sentinel::{Document, Sight};
pub(crate) use signs::Telltale;
pub(crate) use sound::{Sound, takes, validator};
pub use suite::{Brought, ContractSuite, Schemas, Suite, Transports, Use};
pub use views::ViewError;

use std::path::Path;

impl Suite {
    /// Reads `schemas/` and `fixtures/` below `root`.
    ///
    /// # Errors
    /// Every problem of every file, when there is one at all.
    pub fn load(root: &Path) -> Result<Self, LoadError> {
        Self::whole(root).map(|(suite, _)| suite)
    }

    /// The same with the cases, goldens and corpora of another folder that is built like `fixtures/`. What always applies
    /// stays; the folder need not have a case for every requirement.
    ///
    /// # Errors
    /// Every problem of every file, when there is one at all.
    pub fn load_with(root: &Path, fixtures: &Path) -> Result<Self, LoadError> {
        Self::part_of(root, fixtures).map(|(suite, _)| suite)
    }

    fn whole(root: &Path) -> Result<(Self, files::Files), LoadError> {
        let mut problems = Vec::new();
        let (suite, files) = files::suite(root, None, &mut problems);
        lint::suite(&suite, root, &mut problems);
        Self::sound(suite, files, problems)
    }

    fn part_of(root: &Path, fixtures: &Path) -> Result<(Self, files::Files), LoadError> {
        let mut problems = Vec::new();
        inside::entries(fixtures, root, &mut problems);
        let (suite, files) = files::suite(root, Some(fixtures), &mut problems);
        lint::part(&suite, root, &mut problems);
        Self::sound(suite, files, problems)
    }

    /// The suite with what reads its later revisions.
    fn sound(
        mut suite: Self,
        files: files::Files,
        problems: Vec<DataProblem>,
    ) -> Result<(Self, files::Files), LoadError> {
        suite.views.reader = Some(Box::new(files.clone()));
        match problems.is_empty() {
            true => Ok((suite, files)),
            false => Err(LoadError { problems, of: None }),
        }
    }
}
