//! What a change of a JSON Schema means: for arguments, which clients write and implementations read, and for answers, the
//! other way round.

use super::change::{Change, Class, Witness};
use super::sample;
use super::shape::{Field, HERE, Schemas};
use super::touch::{Known, by_path, differing, directions, kind, parents, renames, touched, written};
use super::witness::{Accepted, Others, Search, Try};
use super::{alone, words};
use serde_json::{Map, Value, json};
use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};

use Class::{Breaking, Compatible, Editorial};

/// Who writes the values that a schema describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Clients do.
    Argument,
    /// Implementations do.
    Field,
}

impl Role {
    fn name(self) -> &'static str {
        match self {
            Self::Argument => "argument",
            Self::Field => "field",
        }
    }
}

/// A schema on both sides, with what is needed to judge a change of it.
pub(super) struct Compared<'s> {
    pub(super) contract: &'s str,
    /// What the places are called after: an operation, or a file.
    pub(super) of: &'s str,
    pub(super) role: Role,
    pub(super) before: (Schemas<'s>, &'s str),
    pub(super) now: (Schemas<'s>, &'s str),
    /// Documents to look for witnesses in.
    pub(super) seen: &'s [Value],
    /// The arguments of the same call, by name, before and now.
    pub(super) arguments: [&'s BTreeMap<String, Field>; 2],
    /// Whether a requirement makes a target non-conformant.
    pub(super) binds: &'s dyn Fn(&str) -> bool,
    /// Whether two arguments go by one name on every wire, before and now.
    pub(super) is_one_on_the_wire: &'s dyn Fn(&str, &str) -> bool,
    /// Whether a binding requirement says in words that something about a member is refused.
    pub(super) refuses: &'s dyn Fn(&str) -> bool,
}

/// Made when the first change asks for a witness: most schemas have none.
type Lazy<'l> = LazyCell<Option<Search<'l>>, Box<dyn FnOnce() -> Option<Search<'l>> + 'l>>;

impl<'s> Compared<'s> {
    /// The schema of a check on both sides, among those of the contract.
    pub(super) fn of_check(contract: &'s str, sides: [&'s BTreeMap<String, Value>; 2]) -> Self {
        static NONE: BTreeMap<String, Field> = BTreeMap::new();
        Self {
            contract,
            of: HERE,
            role: Role::Field,
            before: (Schemas(sides[0]), HERE),
            now: (Schemas(sides[1]), HERE),
            seen: &[],
            arguments: [&NONE, &NONE],
            binds: &|_| false,
            refuses: &|_| false,
            is_one_on_the_wire: &|_, _| false,
        }
    }

    /// Every change, place by place, with where the place is written.
    pub(super) fn changes(&self) -> Vec<(String, Change)> {
        let all = [self.before.0.fields(self.before.1), self.now.0.fields(self.now.1)];
        let search = Lazy::new(Box::new(|| {
            let touched = touched(&all[0], &all[1]);
            let alone = |touched: &[String], path: &str| {
                let sides = [(self.before.0, self.before.1, &*all[0]), (self.now.0, self.now.1, &*all[1])];
                alone::bundles(sides, touched, path)
            };
            let others = (touched.len() > 1).then(|| Others { touched, alone: Box::new(alone) });
            Search::new(self.before, self.now, self.seen, others)
        }));
        let (was, is) = (by_path(&all[0]), by_path(&all[1]));
        let mut changes = Vec::new();
        let mut renamed = BTreeSet::new();
        let gone: Vec<&Field> = was.values().filter(|one| !is.contains_key(one.path.as_str())).copied().collect();
        let new: Vec<&Field> = is.values().filter(|one| !was.contains_key(one.path.as_str())).copied().collect();
        for (old, fresh) in renames(&gone, &new, (&was, &is)) {
            renamed.insert(old.path.as_str());
            renamed.insert(fresh.path.as_str());
            changes.push((fresh.origin.clone(), self.renamed(old, fresh, &search)));
        }
        let is_below = |path: &str, above: &dyn Fn(&str) -> bool| parents(path).any(above);
        for old in gone {
            let is_told = |path: &str| renamed.contains(path) || !is.contains_key(path);
            if !renamed.contains(old.path.as_str()) && !is_below(&old.path, &is_told) {
                let parent = parents(&old.path).next().and_then(|path| is.get(path).copied());
                changes.push((old.origin.clone(), self.removed(old, parent, &search)));
            }
        }
        for fresh in new {
            let is_told = |path: &str| renamed.contains(path) || !was.contains_key(path);
            if !renamed.contains(fresh.path.as_str()) && !is_below(&fresh.path, &is_told) {
                let parent = parents(&fresh.path).next().and_then(|path| was.get(path).copied());
                changes.push((fresh.origin.clone(), self.added(fresh, parent, &search)));
            }
        }
        for (path, old) in &was {
            let Some(fresh) = is.get(path) else { continue };
            let stayed = self.stayed(old, fresh, &search);
            changes.extend(stayed.into_iter().map(|change| (fresh.origin.clone(), change)));
        }
        if changes.is_empty() {
            let paths: Vec<&str> = was.keys().copied().collect();
            changes.extend(self.as_a_whole(&paths, &search));
        }
        changes
    }

    /// A change of something that the places do not show: dependencies between members, conditions, ….
    fn as_a_whole(&self, paths: &[&str], search: &Lazy<'_>) -> Option<(String, Change)> {
        let (was, is) = (self.before.0.bundle(self.before.1), self.now.0.bundle(self.now.1));
        let (narrowed, widened) = directions(&was, &is)?;
        let search = search.as_ref()?;
        let members: Vec<String> =
            paths.iter().filter(|path| !path.is_empty()).map(|path| (*path).to_owned()).collect();
        let find = |accepted, told| {
            let whole = || search.find(accepted, "", &Try::Whole);
            let members = || search.find(accepted, "", &Try::Members(&members));
            if told == Known::No { None } else { whole().or_else(members) }
        };
        let (refused, accepted) = (find(Accepted::Before, narrowed), find(Accepted::Now, widened));
        // Where no normal form tells, only a witness tells a change from a rewrite.
        let narrowed = narrowed == Known::Yes || refused.is_some();
        let widened = widened == Known::Yes || accepted.is_some();
        if !narrowed && !widened {
            return None;
        }
        let root = Field {
            path: String::new(),
            required: true,
            open: true,
            values: json!({}),
            default: None,
            keywords: Map::new(),
            origin: String::new(),
        };
        let (implementations, clients) = self.moved(narrowed, widened, false);
        let says = format!("which {}s may stand together is told otherwise", self.role.name());
        // What is written otherwise may serve other operations too.
        let files = [self.now.0.reached(self.now.1), self.before.0.reached(self.before.1)].concat();
        let files: BTreeSet<&String> =
            files.iter().filter(|file| self.before.0.0.get(*file) != self.now.0.0.get(*file)).collect();
        let of = |schemas: Schemas<'_>| {
            let told = |file: &&String| schemas.0.get(*file).map(super::touch::without_annotations);
            json!(files.iter().map(told).collect::<Vec<_>>())
        };
        let (was, is) = (of(self.before.0), of(self.now.0));
        let mut change = self.change("constraint", &root, (was, is), says);
        (change.implementations, change.clients) = (implementations, clients);
        change.witness = refused.or(accepted);
        let origin = files.into_iter().map(String::as_str).collect::<Vec<_>>().join(" ");
        Some((origin, change))
    }

    fn added(&self, fresh: &Field, parent: Option<&Field>, search: &Lazy<'_>) -> Change {
        let is_due = fresh.required;
        let (implementations, clients) = match (self.role, is_due) {
            // An implementation that does not know it does not do what it asks for.
            (Role::Argument, false) => (Breaking, Compatible),
            (Role::Argument, true) => (Breaking, Breaking),
            (Role::Field, true) => (Breaking, Compatible),
            // Readers pass over members that they do not know.
            (Role::Field, false) => (Compatible, Compatible),
        };
        let due = if is_due { "required" } else { "optional" };
        let says = format!("the {due} {} `{}` is new", self.role.name(), fresh.path);
        let mut change = self.change("added", fresh, (Value::Null, written(fresh)), says);
        (change.implementations, change.clients) = (implementations, clients);
        change.witness = search.as_ref().and_then(|search| {
            let values = sample::near(&fresh.values);
            let lacking = || search.find(Accepted::Before, &fresh.path, &Try::Whole);
            let closed = || search.find(Accepted::Now, &fresh.path, &Try::Values(&values));
            let known = || {
                let is_open = parent.is_none_or(|parent| parent.open);
                let document = search.example(&fresh.path, true).filter(|_| is_open && self.role == Role::Argument)?;
                Some(Witness { shows: "passed over before, asks for something now".to_owned(), document })
            };
            if is_due { lacking().or_else(closed) } else { closed().or_else(known) }
        });
        change
    }

    fn removed(&self, old: &Field, parent: Option<&Field>, search: &Lazy<'_>) -> Change {
        let is_refused = parent.is_some_and(|parent| !parent.open);
        let (implementations, clients) = match self.role {
            // Who still knows it does no harm, unless strangers are to be refused.
            Role::Argument if is_refused && self.promises(parent, &["additionalProperties"]) => (Breaking, Breaking),
            Role::Argument => (Compatible, Breaking),
            Role::Field if is_refused => (Breaking, Breaking),
            Role::Field => (Compatible, Breaking),
        };
        let says = format!("the {} `{}` is gone", self.role.name(), old.path);
        let mut change = self.change("removed", old, (written(old), Value::Null), says);
        (change.implementations, change.clients) = (implementations, clients);
        change.witness = search.as_ref().and_then(|search| {
            let refused = search.find(Accepted::Before, &old.path, &Try::Whole);
            let lacking = || search.find(Accepted::Now, &old.path, &Try::Without);
            let known = || {
                let document = search.example(&old.path, true)?;
                let shows = match self.role {
                    Role::Argument => "asked for something before, passed over now",
                    Role::Field => "promised before, nobody's business now",
                };
                Some(Witness { shows: shows.to_owned(), document })
            };
            refused.or_else(lacking).or_else(known)
        });
        change
    }

    fn renamed(&self, old: &Field, fresh: &Field, search: &Lazy<'_>) -> Change {
        let says = format!("the {} `{}` is called `{}`", self.role.name(), old.path, fresh.path);
        let mut change = self.change("renamed", old, (json!(old.path), json!(fresh.path)), says);
        if directions(&old.values, &fresh.values).is_some() {
            let [is, was] = [fresh, old].map(|field| words::values(&field.values));
            change.says.push_str(&format!(", and may be {is} ({was} before)"));
        }
        if self.role == Role::Argument && (self.is_one_on_the_wire)(&old.path, &fresh.path) {
            change.says.push_str(" by the suite; nothing changes on the wire");
            return change;
        }
        (change.implementations, change.clients) = (Breaking, Breaking);
        change.witness = search.as_ref().and_then(|search| {
            let refused = search.find(Accepted::Before, &old.path, &Try::Whole);
            let values = sample::near(&fresh.values);
            let fresh = || search.find(Accepted::Now, &fresh.path, &Try::Values(&values));
            let known = || {
                let document = search.example(&old.path, true)?;
                Some(Witness { shows: "understood before, has a name that means nothing now".to_owned(), document })
            };
            refused.or_else(fresh).or_else(known)
        });
        change
    }

    fn stayed(&self, old: &Field, fresh: &Field, search: &Lazy<'_>) -> Vec<Change> {
        let mut changes = Vec::new();
        if old.required != fresh.required {
            changes.push(self.presence(old, fresh, search));
        }
        if old.default != fresh.default && self.role == Role::Argument {
            changes.push(self.default(old, fresh, search));
        }
        if old.open != fresh.open {
            changes.push(self.strangers(old, fresh, search));
        }
        changes.extend(self.values(old, fresh, search));
        changes
    }

    fn presence(&self, old: &Field, fresh: &Field, search: &Lazy<'_>) -> Change {
        let narrowed = fresh.required;
        let (implementations, clients) = self.moved(narrowed, !narrowed, self.promises(Some(fresh), &["required"]));
        let word = if narrowed { "required" } else { "optional" };
        let says = format!("the {} `{}` is {word}", self.role.name(), old.path);
        let presence = |field: &Field| json!(if field.required { "required" } else { "optional" });
        let mut change = self.change(word, fresh, (presence(old), presence(fresh)), says);
        change.requirements = Self::touched(old, fresh, &["required"]);
        (change.implementations, change.clients) = (implementations, clients);
        let accepted = if narrowed { Accepted::Before } else { Accepted::Now };
        change.witness = search.as_ref().and_then(|search| search.find(accepted, &old.path, &Try::Without));
        change
    }

    fn default(&self, old: &Field, fresh: &Field, search: &Lazy<'_>) -> Change {
        let told = |field: &Field| field.default.as_ref().map_or("unsaid".to_owned(), |value| format!("`{value}`"));
        let says = format!("the default of `{}` is {} ({} before)", old.path, told(fresh), told(old));
        let both = (old.default.clone().unwrap_or_default(), fresh.default.clone().unwrap_or_default());
        let mut change = self.change("default", fresh, both, says);
        change.requirements = Self::touched(old, fresh, &["default"]);
        (change.implementations, change.clients) = match (&old.default, &fresh.default) {
            (None, _) => (Breaking, Compatible),
            (_, None) => (Compatible, Breaking),
            _ => (Breaking, Breaking),
        };
        change.witness = search.as_ref().and_then(|search| search.example(&old.path, false)).map(|document| Witness {
            shows: format!("`{}` is {} before and {} now", old.path, told(old), told(fresh)),
            document,
        });
        change
    }

    fn strangers(&self, old: &Field, fresh: &Field, search: &Lazy<'_>) -> Change {
        let at = if old.path.is_empty() { "it".to_owned() } else { format!("`{}`", old.path) };
        let narrowed = !fresh.open;
        let word = if narrowed { "takes no" } else { "may have" };
        let says = format!("{at} {word} members that are not named");
        let mut change =
            self.change(if narrowed { "closed" } else { "opened" }, fresh, (json!(old.open), json!(fresh.open)), says);
        let is_promised = self.promises(Some(if narrowed { fresh } else { old }), &["additionalProperties"]);
        (change.implementations, change.clients) = match (self.role, narrowed) {
            (Role::Argument, true) => self.moved(true, false, is_promised),
            (Role::Argument, false) if is_promised => (Breaking, Compatible),
            (Role::Argument, false) => (Compatible, Compatible),
            (Role::Field, true) => (Breaking, Compatible),
            (Role::Field, false) => (Compatible, Compatible),
        };
        let accepted = if narrowed { Accepted::Before } else { Accepted::Now };
        change.witness = search.as_ref().and_then(|search| search.find(accepted, &old.path, &Try::Stranger));
        change
    }

    /// Which values may stand in a place, whatever is inside of them.
    fn values(&self, old: &Field, fresh: &Field, search: &Lazy<'_>) -> Option<Change> {
        let (narrowed, widened) = directions(&old.values, &fresh.values)?;
        let mut tried = sample::near(&old.values);
        tried.extend(sample::near(&fresh.values));
        let find = |accepted, told| {
            let search = search.as_ref().filter(|_| told != Known::No)?;
            let value = || search.find(accepted, &old.path, &Try::Values(&tried));
            let length = || search.find(accepted, &old.path, &Try::Lengths(&old.values, &fresh.values));
            value().or_else(length)
        };
        let (refused, accepted) = (find(Accepted::Before, narrowed), find(Accepted::Now, widened));
        // Where no normal form tells and no document does, it may be either.
        let is_dark =
            (narrowed, widened) == (Known::Unknown, Known::Unknown) && refused.is_none() && accepted.is_none();
        let narrowed = narrowed == Known::Yes || refused.is_some() || is_dark;
        let widened = widened == Known::Yes || accepted.is_some() || is_dark;
        let kind = kind(old, fresh);
        let place = if old.path.is_empty() { "the whole" } else { old.path.as_str() };
        let says = format!("`{place}` may be {} ({} before)", words::values(&fresh.values), words::values(&old.values));
        let keywords: Vec<&str> = differing(old, fresh);
        let mut change = self.change(kind, fresh, (written(old), written(fresh)), says);
        change.requirements = Self::touched(old, fresh, &keywords);
        let is_promised = self.promises(Some(fresh), &keywords) || self.promises(Some(old), &keywords);
        (change.implementations, change.clients) = self.moved(narrowed, widened, is_promised);
        if let Some(argument) = self.followed(old, fresh, &keywords) {
            // Who does not ask for more does not get more.
            (change.implementations, change.clients) = (Compatible, Compatible);
            change.says.push_str(&format!("; it follows the argument `{argument}`"));
            change.follows = true;
        }
        change.witness = refused.or(accepted);
        Some(change)
    }

    /// The classes of a change by which fewer or more values are allowed.
    fn moved(&self, narrowed: bool, widened: bool, is_promised: bool) -> (Class, Class) {
        let breaking = |is: bool| if is { Breaking } else { Compatible };
        match self.role {
            // What is allowed must be understood; what is not must be refused only where that is promised.
            Role::Argument => (breaking(widened || (narrowed && is_promised)), breaking(narrowed)),
            Role::Field => (breaking(narrowed), breaking(widened)),
        }
    }

    /// Whether a binding requirement says that values which break one of these keywords are refused.
    fn promises(&self, field: Option<&Field>, keywords: &[&str]) -> bool {
        let Some(field) = field else { return false };
        let mapped = field.keywords.get("x-requirements").and_then(Value::as_object);
        let mut ids = mapped.into_iter().flatten().filter(|(keyword, _)| keywords.contains(&keyword.as_str()));
        ids.any(|(_, id)| id.as_str().is_some_and(self.binds)) || (mapped.is_none() && (self.refuses)(&field.path))
    }

    /// The argument whose bound the bounds of a field are, on both sides: `"x-follows": { "maxItems": "top_ke" }`.
    fn followed<'f>(&self, old: &Field, fresh: &'f Field, keywords: &[&str]) -> Option<&'f str> {
        let names = fresh.keywords.get("x-follows")?.as_object()?;
        let follows = |field: &Field, arguments: &BTreeMap<String, Field>, keyword: &str| {
            let argument = arguments.get(names.get(keyword)?.as_str()?)?;
            Some(field.keywords.get(keyword)? == argument.keywords.get("maximum")?)
        };
        let all = !keywords.is_empty()
            && keywords.iter().all(|keyword| {
                follows(old, self.arguments[0], keyword) == Some(true)
                    && follows(fresh, self.arguments[1], keyword) == Some(true)
            });
        keywords.first().filter(|_| all).and_then(|keyword| names.get(*keyword)?.as_str())
    }

    fn change(&self, kind: &str, field: &Field, both: (Value, Value), says: String) -> Change {
        let kind = format!("{}-{kind}", self.role.name());
        let subject = if field.path.is_empty() { self.of.to_owned() } else { format!("{}: {}", self.of, field.path) };
        Change::new(self.contract, &kind, &subject, both, says, (Editorial, Editorial))
    }

    /// The requirements that schemas name for these keywords of a place.
    fn touched(old: &Field, fresh: &Field, keywords: &[&str]) -> Vec<String> {
        let mapped = [old, fresh].into_iter().filter_map(|field| field.keywords.get("x-requirements")?.as_object());
        let ids = mapped.flatten().filter(|(keyword, _)| keywords.contains(&keyword.as_str()));
        let ids: BTreeSet<String> = ids.filter_map(|(_, id)| id.as_str().map(str::to_owned)).collect();
        ids.into_iter().collect()
    }
}
