//! Outlines beside the JSON that they stand for, record by record. "Phase 3" of the outline document.
//!
//! Each relation reads `parsed` of a text answer and the references of a `full` one.

use crate::model::Detail;
use crate::path::Located;
use crate::rules::{Input, Ruling, brief};
use serde::Deserialize;
use serde_json::Value;
use std::collections::{HashMap, HashSet};

/// What a summary of "~50 characters" is at most, so that it need not be cut.
const SHORT: usize = 50;

/// A text answer is an outline, not JSON and not nothing.
pub(super) fn outline_text(input: &Input<'_, '_>) -> Ruling {
    let Some(exchange) = input.one("value") else {
        return Ruling::skip("nothing was asked");
    };
    let problems = exchange.value["problems"].as_array().into_iter().flatten();
    if let Some(json) = problems.into_iter().find(|problem| problem["code"] == "json-instead") {
        let message = json["message"].as_str().unwrap_or("JSON came where text is due");
        return Ruling::fail(Detail::new(message).at(format!("{}/lines", exchange.pointer)));
    }
    match exchange.value["lines"].is_array() {
        true => Ruling::pass(1),
        false => Ruling::fail(
            Detail::new("expected an outline as plain text, came no text block")
                .at(format!("{}/answer", exchange.pointer)),
        ),
    }
}

/// What of each record is compared, and which records.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Aspects {
    of: Aspect,
    #[serde(default)]
    only: Option<Plain>,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
enum Aspect {
    Present,
    Stored,
    State,
    Title,
    Summary,
    ShortSummary,
    Parent,
    Nested,
    Orphan,
    OpenCount,
    OpenShown,
    WholeId,
    Order,
    Snippet,
}

/// Records that the document settles.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Plain {
    /// Ids of letters and digits.
    PlainIds,
    /// These, and texts without characters that a program may escape.
    PlainTexts,
}

/// What the outline says of each record is what the full answer says of it.
pub(super) fn outline_agrees(args: &Aspects, input: &Input<'_, '_>) -> Ruling {
    let Some(outline) = input.one("outline").filter(|outline| outline.value["json"] == false) else {
        return Ruling::skip("no outline came");
    };
    let pairs = Pairs::of(outline, input.all("full"));
    let is_wanted = |pair: &Pair<'_>| match args.only {
        Some(Plain::PlainIds) => is_plain_id(pair.id),
        Some(Plain::PlainTexts) => is_plain_id(pair.id) && is_plain(pair.full, args.of),
        None => true,
    };
    let compare = match args.of {
        Aspect::Stored => return pairs.stored(),
        Aspect::Present => Pairs::present,
        Aspect::State => Pairs::state,
        Aspect::Title => Pairs::title,
        Aspect::Summary => Pairs::summary,
        Aspect::ShortSummary => Pairs::short_summary,
        Aspect::Parent => Pairs::parent,
        Aspect::Nested => Pairs::nested,
        Aspect::Orphan => Pairs::orphan,
        Aspect::OpenCount => Pairs::open_count,
        Aspect::OpenShown => Pairs::open_shown,
        Aspect::WholeId => Pairs::whole_id,
        Aspect::Order => Pairs::order,
        Aspect::Snippet => Pairs::snippet,
    };
    let told: Vec<Option<Detail>> =
        pairs.all.iter().filter(|pair| is_wanted(pair)).filter_map(|pair| compare(&pairs, pair)).collect();
    match told.len() {
        0 => Ruling::skip("no record of this kind came"),
        exercised => Ruling::of(exercised, told.into_iter().flatten().collect()),
    }
}

/// A reference, and the record of the outline that it is.
struct Pair<'e> {
    id: &'e str,
    full: &'e Value,
    /// Where the reference stands.
    place: &'e str,
    shown: Option<(usize, &'e Value)>,
}

/// The references of a full answer with their records.
struct Pairs<'e> {
    outline: &'e Located<'e>,
    records: &'e [Value],
    all: Vec<Pair<'e>>,
    by_id: HashMap<&'e str, usize>,
    /// The ids of records that are their own ancestors.
    knots: HashSet<&'e str>,
    /// For each record, the last one before it of the same parent.
    elders: Vec<Option<usize>>,
    /// Whether ids are shown without the letter and the zeros before their number.
    shortened: bool,
}

/// Nothing where the relation says nothing of a record, else what is wrong, if anything is.
type Compared = Option<Option<Detail>>;

impl<'e> Pairs<'e> {
    fn of(outline: &'e Located<'e>, full: &'e [Located<'e>]) -> Self {
        let records = outline.value["records"].as_array().map_or(&[][..], Vec::as_slice);
        let numbered = full.iter().all(|node| number(text(node.value, "id")).is_some());
        let shortened = numbered && records.iter().any(|record| text(record, "id").parse::<u64>().is_ok());
        let key = |id: &'e str| match shortened {
            true => number(id).map_or_else(|| id.to_owned(), |number| number.to_string()),
            false => id.to_owned(),
        };
        let mut places: HashMap<String, usize> = HashMap::new();
        for (at, record) in records.iter().enumerate() {
            places.entry(key(text(record, "id"))).or_insert(at);
        }
        let pair = |node: &'e Located<'e>| {
            let id = text(node.value, "id");
            let shown = places.get(&key(id)).map(|at| (*at, &records[*at]));
            Pair { id, full: node.value, place: &node.pointer, shown }
        };
        let all: Vec<Pair<'e>> = full.iter().map(pair).collect();
        let by_id = all.iter().enumerate().map(|(at, pair)| (pair.id, at)).collect();
        let (knots, elders) = (HashSet::new(), Vec::new());
        let mut pairs = Self { outline, records, all, by_id, knots, elders, shortened };
        pairs.knots = pairs.knots();
        pairs.elders = pairs.elders();
        pairs
    }

    /// The records that stand above themselves.
    fn knots(&self) -> HashSet<&'e str> {
        let mut knots = HashSet::new();
        let mut settled = HashSet::new();
        for pair in &self.all {
            let (mut path, mut on_path) = (Vec::new(), HashSet::new());
            let mut next = Some(pair.id);
            while let Some(id) = next.filter(|id| !settled.contains(id)) {
                if !on_path.insert(id) {
                    knots.extend(path.iter().copied().skip_while(|above| *above != id));
                    break;
                }
                path.push(id);
                next = self.listed_parent(id);
            }
            settled.extend(path);
        }
        knots
    }

    fn elders(&self) -> Vec<Option<usize>> {
        let mut last: HashMap<Option<&str>, usize> = HashMap::new();
        let places = self.all.iter().enumerate();
        places.map(|(at, pair)| last.insert(self.listed_parent(pair.id), at)).collect()
    }

    /// The parent of a record, when it is listed too.
    fn listed_parent(&self, id: &str) -> Option<&'e str> {
        let parent = self.all[*self.by_id.get(id)?].full["parent_id"].as_str()?;
        self.by_id.get(parent).map(|at| self.all[*at].id)
    }

    /// Every record of the outline is one of the full answer.
    fn stored(&self) -> Ruling {
        if self.records.is_empty() {
            return Ruling::skip("no record came");
        }
        let shown: HashSet<usize> = self.all.iter().filter_map(|pair| Some(pair.shown?.0)).collect();
        let ids: HashSet<&str> = shown.iter().map(|at| text(&self.records[*at], "id")).collect();
        let strangers = self.records.iter().enumerate().filter(|(_, record)| !ids.contains(text(record, "id")));
        let details = strangers.map(|(at, record)| {
            let message = format!("line {}: there is no record {}", record["line"], brief(&record["id"]));
            Detail::new(message).at(self.at(at))
        });
        Ruling::of(self.records.len(), details.collect())
    }

    fn present(&self, pair: &Pair<'_>) -> Compared {
        let missing = || Detail { expected: Some(pair.full.clone()), ..Detail::new("did not come") };
        Some(pair.shown.is_none().then(|| missing().at(&self.outline.pointer)))
    }

    fn state(&self, pair: &Pair<'_>) -> Compared {
        let (at, shown) = pair.shown?;
        Some(self.unequal(at, "state", &pair.full["state"], &shown["state"], shown["state"] == pair.full["state"]))
    }

    fn title(&self, pair: &Pair<'_>) -> Compared {
        let (at, shown) = pair.shown?;
        let due = words(text(pair.full, "title"));
        // Nothing says what stands for a title that is blank.
        (!due.is_empty()).then(|| {
            let same = due == words(text(shown, "title"));
            self.unequal(at, "title", &pair.full["title"], &shown["title"], same)
        })
    }

    /// The whole summary, its first line, or the beginning of one of them and dots.
    fn summary(&self, pair: &Pair<'_>) -> Compared {
        let (at, shown) = pair.shown?;
        let (came, whole) = (words(text(shown, "summary")), words(text(pair.full, "summary")));
        let first = first_line(text(pair.full, "summary"));
        let stem = came.strip_suffix("...").or_else(|| came.strip_suffix('…')).map(str::trim_end);
        let is_cut = |stem: &str| !stem.is_empty() && (whole.starts_with(stem) || first.starts_with(stem));
        let same = came == whole || (!whole.is_empty() && came == first) || stem.is_some_and(is_cut);
        Some(self.unequal(at, "summary", &pair.full["summary"], &shown["summary"], same))
    }

    /// A summary of one line and fifty characters need not be cut.
    fn short_summary(&self, pair: &Pair<'_>) -> Compared {
        let (at, shown) = pair.shown?;
        let whole = words(text(pair.full, "summary"));
        let is_short =
            !whole.is_empty() && whole.chars().count() <= SHORT && whole == first_line(text(pair.full, "summary"));
        is_short.then(|| {
            let same = whole == words(text(shown, "summary"));
            self.unequal(at, "summary", &pair.full["summary"], &shown["summary"], same)
        })
    }

    /// Below the record that is its parent, or at the left edge when it has none. Knots and orphans are free.
    fn parent(&self, pair: &Pair<'_>) -> Compared {
        let (at, shown) = pair.shown?;
        let parent = &pair.full["parent_id"];
        let listed = self.listed_parent(pair.id);
        if self.knots.contains(pair.id) || (!parent.is_null() && listed.is_none()) {
            return None;
        }
        Some(self.misplaced(at, shown, listed))
    }

    /// Where a record stands below another, that one is its parent.
    fn nested(&self, pair: &Pair<'_>) -> Compared {
        let (at, shown) = pair.shown?;
        (!shown["parent"].is_null() && !self.knots.contains(pair.id))
            .then(|| self.misplaced(at, shown, self.listed_parent(pair.id)))
    }

    /// A record whose parent is not listed stands at the left edge.
    fn orphan(&self, pair: &Pair<'_>) -> Compared {
        let (at, shown) = pair.shown?;
        (pair.full["parent_id"].is_string() && self.listed_parent(pair.id).is_none())
            .then(|| self.misplaced(at, shown, None))
    }

    fn misplaced(&self, at: usize, shown: &Value, parent: Option<&str>) -> Option<Detail> {
        let same = match (parent, shown["parent"].as_str()) {
            (Some(due), Some(came)) => due == came || (self.shortened && number(due) == number(came)),
            (due, came) => due.is_none() && came.is_none(),
        };
        let name = |parent: Option<&str>| parent.map_or_else(|| "no record".to_owned(), str::to_owned);
        let (due, came) = (name(parent), name(shown["parent"].as_str()));
        self.unequal(at, "place below", &due.into(), &came.into(), same)
    }

    /// A count that is shown is right.
    fn open_count(&self, pair: &Pair<'_>) -> Compared {
        let (at, shown) = pair.shown?;
        let came = shown["open"].as_u64()?;
        let same = pair.full["open_children_count"].as_u64() == Some(came);
        Some(self.unequal(at, "count of open children", &pair.full["open_children_count"], &shown["open"], same))
    }

    /// A count above zero is shown.
    fn open_shown(&self, pair: &Pair<'_>) -> Compared {
        let (at, shown) = pair.shown?;
        let due = &pair.full["open_children_count"];
        (due.as_u64()? > 0)
            .then(|| self.unequal(at, "count of open children", due, &shown["open"], !shown["open"].is_null()))
    }

    fn whole_id(&self, pair: &Pair<'_>) -> Compared {
        let (at, shown) = pair.shown?;
        Some(self.unequal(at, "id", &pair.id.into(), &shown["id"], text(shown, "id") == pair.id))
    }

    /// Behind its elder sibling of the full answer.
    fn order(&self, pair: &Pair<'_>) -> Compared {
        let (at, _) = pair.shown?;
        let place = *self.by_id.get(pair.id)?;
        let elder = &self.all[self.elders[place]?];
        let (elder_at, _) = elder.shown?;
        let late =
            || Detail::new(format!("{} comes before {}, which is before it in {}", pair.id, elder.id, elder.place));
        Some((elder_at > at).then(|| late().at(self.at(at))))
    }

    fn snippet(&self, pair: &Pair<'_>) -> Compared {
        let (at, shown) = pair.shown?;
        let is_there = shown["snippets"].as_array().is_some_and(|snippets| !snippets.is_empty());
        Some((!is_there).then(|| Detail::new(format!("{} has no snippet", pair.id)).at(self.at(at))))
    }

    fn unequal(&self, at: usize, what: &str, due: &Value, came: &Value, same: bool) -> Option<Detail> {
        let record = &self.records[at];
        let message =
            || format!("line {}: the {what} of {} is not that of the full answer", record["line"], text(record, "id"));
        (!same).then(|| Detail::new(message()).at(self.at(at)).compare(due.clone(), came.clone()))
    }

    fn at(&self, record: usize) -> String {
        format!("{}/records/{record}", self.outline.pointer)
    }
}

/// Letters and digits, as the grammar of the document has them.
pub(super) fn is_plain_id(id: &str) -> bool {
    !id.is_empty() && id.chars().all(|character| character.is_ascii_alphanumeric())
}

/// Whether no program has a reason to change the text: nothing in it reads as structure or breaks a line.
fn is_plain(full: &Value, of: Aspect) -> bool {
    let breaks = |character: char| character.is_control() || matches!(character, '\u{2028}' | '\u{2029}');
    match of {
        Aspect::Title => {
            !text(full, "title").contains(|one: char| breaks(one) || matches!(one, '[' | ']' | '(' | ')' | '\\' | '`'))
        }
        _ => text(full, "summary").split('\n').all(|line| {
            let starts = |line: &str| line.starts_with(['[', '#', '>', '\\', '-', '*', '(', ':']);
            !starts(line.trim_start()) && !line.contains(|one: char| breaks(one))
        }),
    }
}

/// The first line that is not blank, white space as single spaces.
fn first_line(text: &str) -> String {
    words(text.lines().find(|line| !line.trim().is_empty()).unwrap_or(""))
}

/// White space and control characters as single spaces, none at the ends.
fn words(text: &str) -> String {
    let parts = text.split(|character: char| character.is_whitespace() || character.is_control());
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The number of an id of one form: `R007`, or `7`.
fn number(id: &str) -> Option<u64> {
    id.strip_prefix('R').unwrap_or(id).parse().ok()
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}
