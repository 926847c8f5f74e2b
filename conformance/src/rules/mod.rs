//! Relations that a schema cannot say, each a pure function of selected values.
//!
//! A rule says which selections it reads and skips when they hold fewer values than the relation needs.
//! To add one: write the function, add a line to [`RULES`]; case files use it by its name.

mod advertised;
mod amounts;
mod bounds;
mod budget;
mod bundle;
mod clipped;
mod general;
mod outline;
mod pages;
mod record_trees;
mod records;
mod relate;
mod schemas;
mod times;
mod tokens;
mod values;
mod words;

use crate::model::{Detail, Verdict};
use crate::path::Located;
use serde_json::{Map, Value};

/// A named relation.
#[derive(Debug)]
pub(crate) struct Rule {
    pub(crate) name: &'static str,
    /// The selections that it reads, by name.
    pub(crate) selections: &'static [&'static str],
    /// The arguments that it takes.
    pub(crate) args: &'static [&'static str],
    pub(crate) judge: fn(&Input<'_, '_>) -> Outcome,
}

/// The values of a check by the names of its selections, which are few.
pub(crate) type Selections<'e> = Vec<(&'e str, Vec<Located<'e>>)>;

/// The values of one selection.
pub(crate) fn selected_as<'s, 'e>(name: &str, selections: &'s Selections<'e>) -> &'s [Located<'e>] {
    selections.iter().find(|(known, _)| *known == name).map_or(&[], |(_, values)| values)
}

/// What a rule looks at.
pub(crate) struct Input<'i, 'e> {
    pub(crate) selections: &'i Selections<'e>,
    pub(crate) args: &'i Map<String, Value>,
}

/// What a comparison says.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) verdict: Verdict,
    pub(crate) details: Vec<Detail>,
    /// How many values or relations were looked at.
    pub(crate) exercised: usize,
}

/// Every rule, by name.
pub(crate) const RULES: &[Rule] = &[
    Rule { name: "absent", selections: &["value"], args: &[], judge: general::absent },
    Rule { name: "unique", selections: &["value"], args: &[], judge: general::unique },
    Rule { name: "same", selections: &["left", "right"], args: &[], judge: general::same },
    Rule { name: "as-many", selections: &["left", "right"], args: &[], judge: amounts::as_many },
    Rule {
        name: "as-many-or-refused",
        selections: &["left", "right"],
        args: &["at"],
        judge: amounts::as_many_or_refused,
    },
    Rule { name: "json-text", selections: &["text", "value"], args: &[], judge: general::json_text },
    Rule { name: "count", selections: &["count", "of"], args: &[], judge: general::count },
    Rule { name: "includes", selections: &["value"], args: &["all"], judge: general::includes },
    Rule { name: "only", selections: &["value"], args: &["of"], judge: general::only },
    Rule { name: "subset", selections: &["part", "whole"], args: &[], judge: general::subset },
    Rule { name: "within-budget", selections: &["lines", "budget"], args: &[], judge: budget::within_budget },
    Rule { name: "whole-records", selections: &["cut", "full"], args: &[], judge: budget::whole_records },
    Rule { name: "record-prefix", selections: &["cut", "full"], args: &[], judge: budget::record_prefix },
    Rule {
        name: "complete-when-it-fits",
        selections: &["cut", "full", "whole", "budget"],
        args: &[],
        judge: budget::complete_when_it_fits,
    },
    Rule {
        name: "longest-prefix",
        selections: &["cut", "full", "lines", "whole", "budget"],
        args: &[],
        judge: budget::longest_prefix,
    },
    Rule { name: "never-less", selections: &["value"], args: &["argument"], judge: budget::never_less },
    Rule {
        name: "tells-truncation",
        selections: &["truncated", "header", "cut", "full", "whole", "budget"],
        args: &["when"],
        judge: budget::tells_truncation,
    },
    Rule { name: "after-its-note", selections: &["value"], args: &["kind", "key"], judge: records::after_its_note },
    Rule { name: "descending", selections: &["value"], args: &[], judge: values::descending },
    Rule { name: "sequence", selections: &["value"], args: &["of"], judge: values::sequence },
    Rule { name: "set", selections: &["value"], args: &["of"], judge: values::set },
    Rule { name: "at-least", selections: &["value", "bound"], args: &[], judge: values::at_least },
    Rule { name: "at-most", selections: &["value", "bound"], args: &[], judge: values::at_most },
    Rule { name: "no-longer-than", selections: &["items", "limit"], args: &[], judge: values::no_longer_than },
    Rule { name: "shares-a-word", selections: &["value"], args: &["of"], judge: values::shares_a_word },
    Rule { name: "contains", selections: &["value", "part"], args: &[], judge: values::contains },
    Rule { name: "mentions", selections: &["value"], args: &["word"], judge: values::mentions },
    Rule { name: "mentioned", selections: &["value"], args: &["word"], judge: words::mentioned },
    Rule { name: "says", selections: &["value"], args: &["all"], judge: words::says },
    Rule { name: "only-times", selections: &["value"], args: &["of"], judge: times::only_times },
    Rule { name: "includes-times", selections: &["value"], args: &["all"], judge: times::includes_times },
    Rule { name: "not-newer", selections: &["value", "bound"], args: &[], judge: times::not_newer },
    Rule { name: "same-times", selections: &["left", "right"], args: &[], judge: times::same_times },
    Rule { name: "agree", selections: &["left", "right"], args: &["key", "fields"], judge: relate::agree },
    Rule { name: "as-listed", selections: &["value"], args: &["key", "fields", "of"], judge: relate::as_listed },
    Rule { name: "joined", selections: &["value"], args: &["first", "whole", "by", "only"], judge: relate::joined },
    Rule { name: "in-rank-order", selections: &["value"], args: &["ranks"], judge: relate::in_rank_order },
    Rule { name: "none-of", selections: &["part", "whole"], args: &[], judge: relate::none_of },
    Rule { name: "outline", selections: &["value"], args: &["is"], judge: outline::outline },
    Rule { name: "same-outline", selections: &["left", "right"], args: &[], judge: outline::same_outline },
    Rule { name: "no-empty-ends", selections: &["value"], args: &[], judge: outline::no_empty_ends },
    Rule { name: "cut-at-depth", selections: &["value", "whole", "depth"], args: &[], judge: outline::cut_at_depth },
    Rule {
        name: "cut-at-children",
        selections: &["value", "whole", "limit"],
        args: &[],
        judge: outline::cut_at_children,
    },
    Rule { name: "counts-lines", selections: &["count", "of"], args: &[], judge: outline::counts_lines },
    Rule {
        name: "within-length",
        selections: &["value", "limit"],
        args: &["otherwise"],
        judge: clipped::within_length,
    },
    Rule { name: "whole-lines", selections: &["value", "whole", "limit"], args: &[], judge: clipped::whole_lines },
    Rule { name: "first-lines", selections: &["value", "whole", "limit"], args: &[], judge: clipped::first_lines },
    Rule {
        name: "whole-when-it-fits",
        selections: &["value", "whole", "limit"],
        args: &[],
        judge: clipped::whole_when_it_fits,
    },
    Rule { name: "most-lines", selections: &["value", "whole", "limit"], args: &[], judge: clipped::most_lines },
    Rule {
        name: "tells-clipping",
        selections: &["truncated", "value", "whole", "limit"],
        args: &["when"],
        judge: clipped::tells_clipping,
    },
    Rule { name: "advertises", selections: &["value"], args: &["fields"], judge: advertised::advertises },
    Rule { name: "same-schema", selections: &["left", "right"], args: &[], judge: advertised::same_schema },
    Rule { name: "valid-by", selections: &["value", "schema"], args: &[], judge: schemas::valid_by },
    Rule { name: "outline-text", selections: &["value"], args: &[], judge: record_trees::outline_text },
    Rule {
        name: "outline-agrees",
        selections: &["outline", "full"],
        args: &["of", "only"],
        judge: record_trees::outline_agrees,
    },
    Rule { name: "bundle-agrees", selections: &["bundle", "id", "full"], args: &["of"], judge: bundle::bundle_agrees },
    Rule { name: "half-the-tokens", selections: &["lines", "full"], args: &[], judge: tokens::half_the_tokens },
    Rule { name: "walk-complete", selections: &["pages"], args: &["key", "count"], judge: pages::walk_complete },
    Rule { name: "same-walk", selections: &["left", "right"], args: &["key"], judge: pages::same_walk },
    Rule { name: "covers-the-same", selections: &["left", "right"], args: &["key"], judge: pages::covers_the_same },
    Rule { name: "walk-unique", selections: &["pages"], args: &["key"], judge: pages::walk_unique },
];

/// The rule of this name.
pub(crate) fn find(name: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.name == name)
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

    /// A list argument, or nothing.
    pub(crate) fn list(&self, name: &str) -> &[Value] {
        self.args.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }

    /// A text argument, or nothing.
    pub(crate) fn text(&self, name: &str) -> &str {
        self.args.get(name).and_then(Value::as_str).unwrap_or_default()
    }
}

impl Outcome {
    pub(crate) fn pass(exercised: usize) -> Self {
        Self { verdict: Verdict::Pass, details: Vec::new(), exercised }
    }

    pub(crate) fn skip(why: impl Into<String>) -> Self {
        Self { verdict: Verdict::Skip, details: vec![Detail::new(why)], exercised: 0 }
    }

    /// A failure with its reason.
    pub(crate) fn fail(detail: Detail) -> Self {
        Self { verdict: Verdict::Fail, details: vec![detail], exercised: 1 }
    }

    pub(crate) fn incomplete(detail: Detail) -> Self {
        Self { verdict: Verdict::Incomplete, details: vec![detail], exercised: 0 }
    }

    /// A pass of so many values, or a failure for these reasons.
    pub(crate) fn of(exercised: usize, details: Vec<Detail>) -> Self {
        match details.is_empty() {
            true => Self::pass(exercised),
            false => Self { verdict: Verdict::Fail, details, exercised },
        }
    }
}

/// JSON equality in which `5` and `5.0` are the same number.
pub(crate) fn equal(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| equal(a, b)))
        }
        _ => left == right,
    }
}

/// Equality in which an expected object may leave out keys, so that further fields stay free.
pub(crate) fn fits(expected: &Value, found: &Value) -> bool {
    match (expected, found) {
        (Value::Object(expected), Value::Object(found)) => {
            expected.iter().all(|(key, expected)| found.get(key).is_some_and(|found| fits(expected, found)))
        }
        (Value::Array(expected), Value::Array(found)) => {
            expected.len() == found.len() && expected.iter().zip(found).all(|(expected, found)| fits(expected, found))
        }
        _ => equal(expected, found),
    }
}

/// The fields of a value that the expected one speaks of, so that a difference shows nothing else.
pub(crate) fn part(expected: &Value, found: &Value) -> Value {
    match (expected, found) {
        (Value::Object(expected), Value::Object(found)) => {
            expected.keys().map(|key| (key.clone(), found.get(key).cloned().unwrap_or_default())).collect()
        }
        _ => found.clone(),
    }
}

/// The end of a message about a value, short enough for a line.
pub(crate) fn brief(value: &Value) -> String {
    short(value.to_string())
}

/// A text, short enough for a line.
pub(crate) fn short(text: String) -> String {
    match text.char_indices().nth(120) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
