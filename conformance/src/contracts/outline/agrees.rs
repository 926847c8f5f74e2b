//! Outlines beside the JSON that they stand for, record by record. "Phase 3" of the outline document.
//!
//! Each relation reads `parsed` of a text answer, or the outlines in a bundle, and the references of a `full` answer.

use super::family;
use super::ids::is_plain as is_plain_id;
use super::pairs::{Compared, Pair, Pairs, text};
use super::texts::is_plain_summary;
use crate::model::Detail;
use crate::path::Located;
use crate::rules::{Input, Ruling, brief, whole};
use serde::Deserialize;
use serde_json::Value;

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
    /// How outlines in a bundle are read.
    #[serde(default, rename = "as")]
    read_as: ReadAs,
}

/// The version of the document that a text follows.
#[derive(Deserialize, Default, Clone, Copy, PartialEq, Eq)]
enum ReadAs {
    #[default]
    #[serde(rename = "outline")]
    First,
    #[serde(rename = "outline-2")]
    Second,
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
    /// Nor in one section of an overview, where it is shown more often than arrays have it.
    OnceASection,
    /// Nor with the same words.
    OnceAlike,
    State,
    Title,
    /// The title where it has brackets or parentheses, which stay as they are.
    TitleAsIs,
    /// The summary, by its words.
    Summary,
    /// The summary, by every character that is no white space.
    ExactSummary,
    /// The summary as a whole, of records that are open or for later. A deep tree may show dots alone.
    WholeSummary,
    /// Some summary, where there is one to show.
    AnySummary,
    /// The number of children that a record says not to show.
    Hidden,
    BlankSummary,
    ShortSummary,
    /// No other record's summary.
    OwnSummary,
    Parent,
    /// Two spaces a level.
    Step,
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
    /// These, and texts without characters that a program may escape. Titles with such characters have their words.
    PlainTexts,
}

/// What the outline says of each record is what the full answer says of it.
pub(super) fn outline_agrees(args: &Aspects, input: &Input<'_, '_>) -> Ruling {
    let (mut exercised, mut details) = (0, Vec::new());
    let mut skipped = Ruling::skip("no outline was received");
    for outline in input.all("outline") {
        let ruling = match outline.value {
            Value::String(text) => {
                let parsed = match args.read_as {
                    ReadAs::First => family::read(text),
                    ReadAs::Second => family::read_second(text),
                };
                agrees(args, &Located { pointer: outline.pointer.clone(), value: &parsed }, input.all("full"))
            }
            parsed if parsed["json"] == false => agrees(args, outline, input.all("full")),
            _ => continue,
        };
        match ruling.exercised {
            0 => skipped = ruling,
            more => {
                exercised += more;
                details.extend(ruling.details);
            }
        }
    }
    if exercised == 0 { skipped } else { Ruling::of(exercised, details) }
}

fn agrees<'e>(args: &Aspects, outline: &'e Located<'e>, full: &'e [Located<'e>]) -> Ruling {
    let pairs = Pairs::of(outline, full);
    let is_wanted = |pair: &Pair<'_>| match args.only {
        Some(Plain::PlainIds) => is_plain_id(pair.id),
        Some(Plain::PlainTexts) => is_plain_id(pair.id) && (args.of == Aspect::Title || is_plain_summary(pair.full)),
        None => true,
    };
    let compare = match args.of {
        Aspect::Stored => return pairs.stored(),
        Aspect::Forged => return pairs.forged(),
        Aspect::AnySummary => return pairs.any_summary(),
        Aspect::Present => Pairs::present,
        Aspect::Record => Pairs::record,
        Aspect::Once => Pairs::once,
        Aspect::OnceASection => Pairs::once_a_section,
        Aspect::OnceAlike => Pairs::once_alike,
        Aspect::State => Pairs::state,
        Aspect::Title if args.bold == Bold::Free => Pairs::settled_title_but_for_bold,
        Aspect::Title if args.only.is_none() => Pairs::title,
        Aspect::Title => Pairs::settled_title,
        Aspect::Summary => Pairs::spoken_summary,
        Aspect::TitleAsIs => Pairs::title_as_is,
        Aspect::ExactSummary => Pairs::exact_summary,
        Aspect::WholeSummary => Pairs::whole_summary,
        Aspect::Hidden => Pairs::hidden,
        Aspect::BlankSummary => Pairs::blank_summary,
        Aspect::ShortSummary => Pairs::short_summary,
        Aspect::OwnSummary => Pairs::own_summary,
        Aspect::Parent => Pairs::parent,
        Aspect::Step => Pairs::step,
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
        0 => Ruling::skip("no record of this kind was received"),
        exercised => Ruling::of(exercised, told.into_iter().flatten().collect()),
    }
}

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
        self.not_again(pair, |_, _| true)
    }

    /// Where sections have names, a record stands once in each, and no more often than it is in one of the three arrays.
    fn once_a_section(&self, pair: &Pair<'_>) -> Compared {
        let (_, shown) = pair.shown?;
        let is_root = self.listed_parent(pair.id).is_none();
        let arrays = usize::from(is_root) + usize::from(pair.full["state"] == "OPEN" || pair.full["state"] == "LATER");
        (!shown["section"].is_null()).then_some(())?;
        self.not_again(pair, |one, other| pair.places.len() > arrays && one["section"] == other["section"])
    }

    /// A search may show a record for each of its matches.
    fn once_alike(&self, pair: &Pair<'_>) -> Compared {
        const SHOWN: [&str; 4] = ["title", "state", "summary", "snippets"];
        self.not_again(pair, |one, other| SHOWN.iter().all(|key| one[*key] == other[*key]))
    }

    /// No two places of a record are the same one.
    fn not_again(&self, pair: &Pair<'_>, same: impl Fn(&Value, &Value) -> bool) -> Compared {
        if pair.shown.is_none() || self.is_knot(pair.id) || !is_plain_id(pair.id) {
            return None;
        }
        let again = pair.places.iter().enumerate().find_map(|(nth, at)| {
            let record = &self.records[*at];
            let first = pair.places[..nth].iter().map(|at| &self.records[*at]).find(|first| same(first, record))?;
            let message = format!("line {}: {} stands in line {} already", record["line"], pair.id, first["line"]);
            Some(Detail::new(message).at(self.at(*at)))
        });
        Some(again)
    }

    fn present(&self, pair: &Pair<'_>) -> Compared {
        if pair.shown.is_none() && self.is_hidden(pair) {
            return None;
        }
        let missing = || Detail { expected: Some(pair.full.clone()), ..Detail::new("it is missing") };
        Some(pair.shown.is_none().then(|| missing().at(&self.outline.pointer)))
    }

    fn record(&self, pair: &Pair<'_>) -> Compared {
        let title = || self.settled_title(pair).flatten();
        let state = || self.state(pair).flatten();
        self.present(pair).map(|missing| missing.or_else(state).or_else(title))
    }

    fn state(&self, pair: &Pair<'_>) -> Compared {
        self.everywhere(pair, |at, shown| {
            self.unequal(at, "state", &pair.full["state"], &shown["state"], shown["state"] == pair.full["state"])
        })
    }

    /// A count that is shown is right.
    fn open_count(&self, pair: &Pair<'_>) -> Compared {
        let expected = &pair.full["open_children_count"];
        let counts = |at: &&usize| self.records[**at]["open"].is_u64();
        pair.places.iter().find(counts)?;
        self.everywhere(pair, |at, shown| {
            let same = shown["open"].as_u64().is_none_or(|open| whole(expected) == Some(open));
            self.unequal(at, "count of open children", expected, &shown["open"], same)
        })
    }

    /// A count above zero is shown.
    fn open_shown(&self, pair: &Pair<'_>) -> Compared {
        let (at, shown) = pair.shown?;
        let due = &pair.full["open_children_count"];
        (whole(due)? > 0)
            .then(|| self.unequal(at, "count of open children", due, &shown["open"], !shown["open"].is_null()))
    }

    fn whole_id(&self, pair: &Pair<'_>) -> Compared {
        let (at, shown) = pair.shown?;
        Some(self.unequal(at, "id", &pair.id.into(), &shown["id"], text(shown, "id") == pair.id))
    }

    fn snippet(&self, pair: &Pair<'_>) -> Compared {
        let (at, shown) = pair.shown?;
        let is_there = shown["snippets"].as_array().is_some_and(|snippets| !snippets.is_empty());
        Some((!is_there).then(|| Detail::new(format!("{} has no snippet", pair.id)).at(self.at(at))))
    }

    /// What is wrong at the first place of a record where something is.
    pub(super) fn everywhere(&self, pair: &Pair<'_>, wrong: impl Fn(usize, &Value) -> Option<Detail>) -> Compared {
        pair.shown?;
        Some(pair.places.iter().find_map(|at| wrong(*at, &self.records[*at])))
    }

    pub(super) fn unequal(&self, at: usize, what: &str, due: &Value, came: &Value, same: bool) -> Option<Detail> {
        let record = &self.records[at];
        let message =
            || format!("line {}: the {what} of {} is not that of the full answer", record["line"], text(record, "id"));
        (!same).then(|| Detail::new(message()).at(self.at(at)).compare(due.clone(), came.clone()))
    }
}
