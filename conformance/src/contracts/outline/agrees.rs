//! Outlines beside the JSON that they stand for, record by record. "Phase 3" of the outline document.
//!
//! Each relation reads `parsed` of a text answer and the references of a `full` one.

use super::ids::is_plain as is_plain_id;
use super::pairs::{Pair, Pairs, text};
use crate::model::Detail;
use crate::rules::{Input, Ruling, brief};
use serde::Deserialize;
use serde_json::Value;

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
    let is_empty = exchange.value["answer"]["result"]["content"].as_array().is_some_and(Vec::is_empty);
    if is_empty && exchange.value["request"]["with"]["query"].is_string() {
        return Ruling::skip("nothing was found, and nothing was said");
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
    #[serde(default)]
    bold: Bold,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
enum Aspect {
    Present,
    /// It is there, with its state and its title.
    Record,
    /// Every record of the outline is one of the full answer.
    Stored,
    /// No record of the outline is made of the words of another one.
    Forged,
    /// No record of a plain id stands twice.
    Once,
    State,
    Title,
    /// The summary, by its words.
    Summary,
    /// The summary, by every character that is no white space.
    ExactSummary,
    BlankSummary,
    ShortSummary,
    Parent,
    BelowAncestor,
    BelowParent,
    Orphan,
    OpenCount,
    OpenShown,
    WholeId,
    Order,
    Snippet,
}

/// Whether `**` in a title counts: a search may show its matches in bold.
#[derive(Deserialize, Default, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
enum Bold {
    #[default]
    Counts,
    Free,
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
        Aspect::Forged => return pairs.forged(),
        Aspect::Present => Pairs::present,
        Aspect::Record => Pairs::record,
        Aspect::Once => Pairs::once,
        Aspect::State => Pairs::state,
        Aspect::Title if args.bold == Bold::Free => Pairs::title_but_for_bold,
        Aspect::Title => Pairs::title,
        Aspect::Summary => Pairs::spoken_summary,
        Aspect::ExactSummary => Pairs::exact_summary,
        Aspect::BlankSummary => Pairs::blank_summary,
        Aspect::ShortSummary => Pairs::short_summary,
        Aspect::Parent => Pairs::parent,
        Aspect::BelowAncestor => Pairs::below_ancestor,
        Aspect::BelowParent => Pairs::below_parent,
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

/// Nothing where the relation says nothing of a record, else what is wrong, if anything is.
type Compared = Option<Option<Detail>>;

impl Pairs<'_> {
    /// Every record of the outline is one of the full answer.
    fn stored(&self) -> Ruling {
        let message = |at: usize| {
            let record = &self.records[at];
            format!("line {}: there is no record {}", record["line"], brief(&record["id"]))
        };
        self.strangers_are(|at| Some(message(at)))
    }

    /// No record of the outline is made of the words of a known one. Other strangers may be records that the full answer
    /// leaves out.
    fn forged(&self) -> Ruling {
        self.strangers_are(|at| {
            let record = &self.records[at];
            let header = format!("[{}]", text(record, "id"));
            let holds =
                |pair: &&Pair<'_>| ["title", "summary"].iter().any(|key| text(pair.full, key).contains(&header));
            let source = self.all.iter().find(holds)?;
            Some(format!("line {}: the words of {} read as the record {header}", record["line"], source.id))
        })
    }

    fn strangers_are(&self, wrong: impl Fn(usize) -> Option<String>) -> Ruling {
        if self.records.is_empty() {
            return Ruling::skip("no record came");
        }
        let strangers = self.strangers().into_iter();
        let details = strangers.filter_map(|at| Some(Detail::new(wrong(at)?).at(self.at(at))));
        Ruling::of(self.records.len(), details.collect())
    }

    fn once(&self, pair: &Pair<'_>) -> Compared {
        let (_, shown) = pair.shown?;
        if self.is_knot(pair.id) || !is_plain_id(pair.id) {
            return None;
        }
        let again = pair.places.get(1).map(|at| {
            let message =
                format!("line {}: {} stands in line {} already", self.records[*at]["line"], pair.id, shown["line"]);
            Detail::new(message).at(self.at(*at))
        });
        Some(again)
    }

    fn present(&self, pair: &Pair<'_>) -> Compared {
        let missing = || Detail { expected: Some(pair.full.clone()), ..Detail::new("did not come") };
        Some(pair.shown.is_none().then(|| missing().at(&self.outline.pointer)))
    }

    fn record(&self, pair: &Pair<'_>) -> Compared {
        let title = || self.title(pair).filter(|_| is_plain(pair.full, Aspect::Title)).flatten();
        let state = || self.state(pair).flatten();
        self.present(pair).map(|missing| missing.or_else(state).or_else(title))
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

    fn title_but_for_bold(&self, pair: &Pair<'_>) -> Compared {
        let (at, shown) = pair.shown?;
        let [due, came] = [pair.full, shown].map(|one| words(&text(one, "title").replace("**", "")));
        (!due.is_empty()).then(|| self.unequal(at, "title", &pair.full["title"], &shown["title"], due == came))
    }

    fn spoken_summary(&self, pair: &Pair<'_>) -> Compared {
        self.summary(pair, spoken)
    }

    fn exact_summary(&self, pair: &Pair<'_>) -> Compared {
        self.summary(pair, words)
    }

    /// The whole summary, its first line, or the beginning of one of them and dots, at one of the record's places. `read` is
    /// what is compared of a text.
    fn summary(&self, pair: &Pair<'_>, read: fn(&str) -> String) -> Compared {
        let (at, shown) = pair.shown?;
        let full = text(pair.full, "summary");
        let (whole, first) = (read(full), read(&first_line(full)));
        let same = |at: &usize| {
            let shown = text(&self.records[*at], "summary").trim_end();
            let stem = shown.strip_suffix("...").or_else(|| shown.strip_suffix('…')).map(read);
            let begins = |stem: String| !stem.is_empty() && (whole.starts_with(&stem) || first.starts_with(&stem));
            let shown = read(shown);
            shown == whole || shown == first || stem.is_some_and(begins)
        };
        // What stands for a summary that is blank is a matter of form.
        (!whole.is_empty()).then(|| {
            let same = pair.places.iter().any(same);
            self.unequal(at, "summary", &pair.full["summary"], &shown["summary"], same)
        })
    }

    /// Nothing stands for a summary that is blank.
    fn blank_summary(&self, pair: &Pair<'_>) -> Compared {
        let (at, shown) = pair.shown?;
        words(text(pair.full, "summary")).is_empty().then(|| {
            let same = shown["summary"].is_null();
            self.unequal(at, "summary", &pair.full["summary"], &shown["summary"], same)
        })
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
        if self.is_knot(pair.id) || (!parent.is_null() && listed.is_none()) {
            return None;
        }
        Some(self.misplaced(at, shown, listed))
    }

    /// What a record stands below is above it in the tree.
    fn below_ancestor(&self, pair: &Pair<'_>) -> Compared {
        let wrong = |at: &usize| {
            let above = self.records[*at]["parent"].as_str()?;
            let is_below = self.is_below(pair.id, above)?;
            Some((!is_below).then(|| {
                let message = format!("line {}: {} stands below {above}", self.records[*at]["line"], pair.id);
                Detail::new(format!("{message}, which is not above it in the tree")).at(self.at(*at))
            }))
        };
        let told: Vec<Option<Detail>> = pair.places.iter().filter_map(wrong).collect();
        (!told.is_empty()).then(|| told.into_iter().flatten().next())
    }

    /// What a record stands below is its parent.
    fn below_parent(&self, pair: &Pair<'_>) -> Compared {
        let (at, shown) = pair.shown?;
        (!shown["parent"].is_null() && !self.is_knot(pair.id))
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
            (Some(due), Some(came)) => self.names.whole(came) == due,
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
        let elder = self.elder(pair.id)?;
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

/// The letters and digits of a text, by words. What joins the lines of a text and how marks are escaped is free; a text
/// without letters is as it is.
fn spoken(text: &str) -> String {
    let unescaped = ["\\n", "\\r", "\\t"].iter().fold(text.to_owned(), |text, escape| text.replace(escape, " "));
    let parts = unescaped.split(|character: char| !character.is_alphanumeric());
    let spoken = parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
    if spoken.is_empty() { words(text) } else { spoken }
}

/// White space and control characters as single spaces, none at the ends.
fn words(text: &str) -> String {
    let parts = text.split(|character: char| character.is_whitespace() || character.is_control());
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}
