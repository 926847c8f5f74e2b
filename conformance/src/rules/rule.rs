//! A named relation: what it reads, what it is given, and what it says.

use crate::model::{Detail, Verdict};
use crate::path::Located;
use crate::text::typed::{self, Misread};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::fmt;
use std::sync::Arc;

/// A named relation.
#[derive(Debug)]
pub(crate) struct Rule {
    pub(crate) name: &'static str,
    /// The selections that it reads, by name.
    pub(crate) selections: &'static [&'static str],
    /// Reads its arguments, so that a word that it does not know is an error of the suite.
    pub(crate) bind: fn(&Map<String, Value>) -> Result<Relation, Misread>,
}

impl Rule {
    pub(crate) const fn new(
        name: &'static str,
        selections: &'static [&'static str],
        bind: fn(&Map<String, Value>) -> Result<Relation, Misread>,
    ) -> Self {
        Self { name, selections, bind }
    }
}

/// A rule with its arguments.
#[derive(Clone)]
pub(crate) struct Relation(Arc<dyn Fn(&Input<'_, '_>) -> Ruling + Send + Sync>);

impl Relation {
    pub(crate) fn judge(&self, selections: &Selections<'_>) -> Ruling {
        (self.0)(&Input { selections })
    }
}

impl fmt::Debug for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Relation")
    }
}

/// For the `bind` of a rule that takes no arguments.
pub(crate) fn plain(args: &Map<String, Value>, judge: fn(&Input<'_, '_>) -> Ruling) -> Result<Relation, Misread> {
    /// No arguments.
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Nothing {}
    let Nothing {} = typed::arguments(args)?;
    Ok(Relation(Arc::new(judge)))
}

/// For the `bind` of a rule whose arguments are an `A`.
pub(crate) fn given<A: DeserializeOwned + Send + Sync + 'static>(
    args: &Map<String, Value>,
    judge: fn(&A, &Input<'_, '_>) -> Ruling,
) -> Result<Relation, Misread> {
    let args: A = typed::arguments(args)?;
    Ok(Relation(Arc::new(move |input| judge(&args, input))))
}

/// The values of a check by the names of its selections, which are few.
pub(crate) type Selections<'e> = Vec<(&'e str, Vec<Located<'e>>)>;

/// The values of one selection.
pub(crate) fn selected_as<'s, 'e>(name: &str, selections: &'s Selections<'e>) -> &'s [Located<'e>] {
    selections.iter().find(|(known, _)| *known == name).map_or(&[], |(_, values)| values)
}

/// What a rule looks at.
pub(crate) struct Input<'i, 'e> {
    selections: &'i Selections<'e>,
}

impl<'e> Input<'_, 'e> {
    /// The values of a selection; load has checked that it is there.
    pub(crate) fn all(&self, name: &str) -> &[Located<'e>] {
        selected_as(name, self.selections)
    }

    /// The first value of a selection.
    pub(crate) fn one(&self, name: &str) -> Option<&Located<'e>> {
        self.all(name).first()
    }
}

/// What a comparison says.
#[derive(Debug)]
pub(crate) struct Ruling {
    pub(crate) verdict: Verdict,
    pub(crate) details: Vec<Detail>,
    /// How many values or relations were looked at.
    pub(crate) exercised: usize,
}

impl Ruling {
    pub(crate) fn pass(exercised: usize) -> Self {
        Self { verdict: Verdict::Pass, details: Vec::new(), exercised }
    }

    pub(crate) fn skip(why: impl Into<String>) -> Self {
        Self { verdict: Verdict::Skip, details: vec![Detail::new(why)], exercised: 0 }
    }

    /// Whether something was looked at, and all of it is as it has to be.
    pub(crate) fn is_passed(&self) -> bool {
        self.verdict == Verdict::Pass
    }

    /// A failure with its reason.
    pub(crate) fn fail(detail: Detail) -> Self {
        Self { verdict: Verdict::Fail, details: vec![detail], exercised: 1 }
    }

    pub(crate) fn incomplete(detail: Detail) -> Self {
        Self { verdict: Verdict::Incomplete, details: vec![detail], exercised: 0 }
    }

    /// A pass of this many values, or a failure for these reasons.
    pub(crate) fn of(exercised: usize, details: Vec<Detail>) -> Self {
        match details.is_empty() {
            true => Self::pass(exercised),
            false => Self { verdict: Verdict::Fail, details, exercised },
        }
    }
}
