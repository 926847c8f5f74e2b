//! Search: the frames of a time window, newest first or best first, a page at a time.

use super::parameters::Parameters;
use super::snippet::snippet;
use super::store::{COLUMNS, Frame, Store};
use super::variant::Variant;
use crate::data::DataError;
use crate::words::{has_token, phrase};
use rusqlite::ToSql;
use rusqlite::types::Value;
use serde_json::json;
use std::borrow::Cow;

/// One page of matches, in order, and how many matches there are.
pub(crate) struct Page {
    items: Vec<Frame>,
    total: i64,
}

/// Finds the page that the parameters ask for.
pub(crate) fn search(store: &Store, parameters: &Parameters, variant: Option<Variant>) -> Result<Page, DataError> {
    let selection = Selection::new(parameters, variant);
    store.read(|connection| {
        let mut count = connection.prepare_cached(&selection.count())?;
        let total = count.query_row(&*selection.values(&[]), |row| row.get(0))?;
        let page = selection.values(&[(":limit", &parameters.limit), (":offset", &parameters.offset)]);
        let items = connection
            .prepare_cached(&selection.page())?
            .query_map(&*page, Frame::from_row)?
            .collect::<Result<_, _>>()?;
        Ok(Page { items, total })
    })
}

impl Page {
    /// The body of the answer.
    pub(crate) fn body(&self, parameters: &Parameters) -> serde_json::Value {
        json!({
            "data": self.items.iter().map(|frame| item(frame, &parameters.words)).collect::<Vec<_>>(),
            "pagination": { "limit": parameters.limit, "offset": parameters.offset, "total": self.total },
        })
    }
}

/// The body of a frame: what an item says of it, with all of its text.
pub(crate) fn frame_body(frame: &Frame) -> serde_json::Value {
    json!({
        "frame_id": frame.frame_id,
        "timestamp": frame.timestamp,
        "app_name": frame.app_name,
        "window_name": frame.window_name,
        "browser_url": frame.browser_url,
        "focused": frame.focused,
        "ocr_text": frame.ocr_text,
        "frame_url": frame_url(frame),
    })
}

/// "Response Expectations": enough to show the evidence and to ask for the rest of it.
fn item(frame: &Frame, words: &[String]) -> serde_json::Value {
    json!({
        "frame_id": frame.frame_id,
        "timestamp": frame.timestamp,
        "app_name": frame.app_name,
        "window_name": frame.window_name,
        "browser_url": frame.browser_url,
        "focused": frame.focused,
        "ocr_snippet": snippet(&frame.ocr_text, words),
        "frame_url": frame_url(frame),
    })
}

fn frame_url(frame: &Frame) -> String {
    format!("/api/v1/frames/{}", frame.frame_id)
}

type Named<'a> = (&'static str, &'a dyn ToSql);

/// Which frames match, and in which order: the common part of counting them and of reading a page.
struct Selection {
    source: &'static str,
    order: &'static str,
    conditions: Vec<Cow<'static, str>>,
    values: Vec<(&'static str, Value)>,
}

impl Selection {
    fn new(parameters: &Parameters, variant: Option<Variant>) -> Self {
        let mut selection = Self {
            source: "frames",
            order: "frames.timestamp DESC, frames.frame_id DESC",
            conditions: vec!["frames.timestamp BETWEEN :start AND :end".into()],
            values: vec![(":start", parameters.start_time.into()), (":end", parameters.end_time.into())],
        };
        match variant {
            Some(Variant::OrWords) => selection.require_any_word(&parameters.words),
            _ => selection.require_words(&parameters.words),
        }
        selection.vary(parameters, variant);
        // instr and lower know no wildcards, and lower knows ASCII alone.
        selection.require("instr(lower(frames.app_name), :app) > 0", ":app", &parameters.app_name);
        selection.require("instr(lower(frames.window_name), :window) > 0", ":window", &parameters.window_name);
        selection.require("instr(lower(frames.browser_url), :url) > 0", ":url", &parameters.browser_url);
        selection.require("frames.focused = :focused", ":focused", &parameters.focused);
        selection
    }

    /// Decides otherwise what the document leaves open.
    fn vary(&mut self, parameters: &Parameters, variant: Option<Variant>) {
        let oldest_ids_first = match variant {
            Some(Variant::OldIdsFirst) => true,
            Some(Variant::OrderByPageSize) => parameters.limit % 2 == 1,
            _ => false,
        };
        if oldest_ids_first {
            self.order = match self.order.starts_with("bm25") {
                true => "bm25(frames_text), frames.timestamp DESC, frames.frame_id",
                false => "frames.timestamp DESC, frames.frame_id",
            };
        }
        let condition = match variant {
            Some(Variant::ExclusiveBounds) => "frames.timestamp NOT IN (:start, :end)",
            Some(Variant::NoTextNoResult) => "trim(frames.ocr_text, char(9, 10, 13, 32)) <> ''",
            Some(Variant::LatinOnly) if parameters.words.iter().any(|word| !word.is_ascii()) => "FALSE",
            _ => return,
        };
        self.conditions.push(condition.into());
    }

    /// The text must contain every word literally. The full-text index finds the candidates and scores them; words in which
    /// it sees no token, such as `%`, are looked for in all the window and add nothing to the score.
    fn require_words(&mut self, words: &[String]) {
        if words.is_empty() {
            return;
        }
        let phrases: Vec<String> = words.iter().filter(|word| has_token(word)).map(|word| phrase(word)).collect();
        if !phrases.is_empty() {
            // CROSS JOIN, because SQLite keeps its order: asking the index once for each frame of a window is never right.
            self.source = "frames_text CROSS JOIN frames ON frames.frame_id = frames_text.rowid";
            // bm25 is the more negative the better the match.
            self.order = "bm25(frames_text), frames.timestamp DESC, frames.frame_id DESC";
            self.require("frames_text MATCH :phrases", ":phrases", &Some(phrases.join(" ")));
        }
        self.require(
            "NOT EXISTS (SELECT 1 FROM json_each(:words) WHERE instr(lower(frames.ocr_text), value) = 0)",
            ":words",
            &Some(json!(words).to_string()),
        );
    }

    /// The text must contain one of the words, and none of those with a minus.
    fn require_any_word(&mut self, words: &[String]) {
        let (excluded, wanted): (Vec<&str>, Vec<&str>) =
            words.iter().map(String::as_str).partition(|word| word.len() > 1 && word.starts_with('-'));
        let excluded: Vec<&str> = excluded.iter().map(|word| &word[1..]).collect();
        let listed = |words: &[&str]| Some(json!(words).to_string()).filter(|_| !words.is_empty());
        let holds =
            |words| format!("EXISTS (SELECT 1 FROM json_each({words}) WHERE instr(lower(frames.ocr_text), value) > 0)");
        self.require(holds(":wanted"), ":wanted", &listed(&wanted));
        self.require(format!("NOT {}", holds(":excluded")), ":excluded", &listed(&excluded));
    }

    fn require<T: Clone + Into<Value>>(
        &mut self,
        condition: impl Into<Cow<'static, str>>,
        name: &'static str,
        value: &Option<T>,
    ) {
        if let Some(value) = value {
            self.conditions.push(condition.into());
            self.values.push((name, value.clone().into()));
        }
    }

    fn count(&self) -> String {
        format!("SELECT count(*) FROM {} WHERE {}", self.source, self.conditions.join(" AND "))
    }

    fn page(&self) -> String {
        let (source, conditions, order) = (self.source, self.conditions.join(" AND "), self.order);
        format!("SELECT {COLUMNS} FROM {source} WHERE {conditions} ORDER BY {order} LIMIT :limit OFFSET :offset")
    }

    /// The values of the conditions, and more.
    fn values<'a>(&'a self, more: &[Named<'a>]) -> Vec<Named<'a>> {
        let own = self.values.iter().map(|(name, value)| (*name, value as &dyn ToSql));
        own.chain(more.iter().copied()).collect()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use rstest::rstest;
    use rusqlite::Connection;

    /// The steps of SQLite's plan for both statements of a search over 50,000 frames.
    fn plan(query: &[(&str, &str)]) -> Vec<String> {
        let pairs = query.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let parameters = Parameters::parse(pairs, 1_700_010_000.0, None).unwrap();
        let store = many();
        let selection = Selection::new(&parameters, None);
        let explain = |sql: String, values: Vec<Named<'_>>| -> Vec<String> {
            let read = |connection: &Connection| {
                let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}"))?;
                statement.query_map(&*values, |row| row.get(3))?.collect()
            };
            store.read(read).unwrap()
        };
        let page = selection.values(&[(":limit", &20), (":offset", &0)]);
        [explain(selection.count(), selection.values(&[])), explain(selection.page(), page)].concat()
    }

    fn many() -> Store {
        let store = Store::empty().unwrap();
        let insert =
            "INSERT INTO frames WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000)
             SELECT i, 1700000000 + i, 'app', 'window', NULL, 1, 'word ' || (i % 100) FROM n";
        store.write(insert, []).unwrap();
        store.write("ANALYZE", []).unwrap();
        store
    }

    #[rstest]
    #[case::bare(&[])]
    #[case::filtered(&[("app_name", "a"), ("browser_url", "b"), ("focused", "1")])]
    #[case::no_token(&[("q", "%")])]
    fn browsing_reads_the_window_in_order(#[case] more: &[(&str, &str)]) {
        let steps = plan(&[&[("start_time", "1700000000")], more].concat());
        assert!(!steps.iter().any(|step| step.contains("TEMP B-TREE")), "{steps:#?}");
        let reads: Vec<_> = steps.iter().filter(|step| step.contains("frames")).collect();
        assert_eq!(reads.len(), 2, "{steps:#?}");
        let window = "frames_newest_first (timestamp>? AND timestamp<?)";
        assert!(
            reads.iter().all(|step| step.starts_with("SEARCH frames USING") && step.ends_with(window)),
            "{steps:#?}"
        );
    }

    #[rstest]
    #[case::bare(&[("q", "word")])]
    #[case::filtered(&[("q", "word 7"), ("app_name", "a"), ("focused", "1")])]
    fn a_query_reads_what_the_index_finds(#[case] more: &[(&str, &str)]) {
        let steps = plan(&[&[("start_time", "1700000000")], more].concat());
        let reads: Vec<_> = steps.iter().filter(|step| step.contains("frames")).collect();
        for pair in reads.chunks(2) {
            assert!(pair[0].starts_with("SCAN frames_text VIRTUAL TABLE INDEX 0:M"), "{steps:#?}");
            assert_eq!(pair[1], "SEARCH frames USING INTEGER PRIMARY KEY (rowid=?)", "{steps:#?}");
        }
        assert_eq!(reads.len(), 4, "{steps:#?}");
    }

    #[test]
    fn what_has_a_token_has_one_for_the_tokenizer() {
        let store = Store::empty().unwrap();
        let texts: Vec<String> = ('\u{1}'..=char::MAX).map(String::from).filter(|text| has_token(text)).collect();
        let insert = "INSERT INTO frames SELECT key, 0, '', '', NULL, NULL, value FROM json_each(?1)";
        store.write(insert, [json!(texts).to_string()]).unwrap();
        let silent: i64 = store
            .read(|connection| {
                connection
                    .execute_batch("CREATE VIRTUAL TABLE temp.tokens USING fts5vocab(main, frames_text, instance)")?;
                connection.query_row(
                    "SELECT count(*) FROM frames WHERE frame_id NOT IN (SELECT doc FROM temp.tokens)",
                    [],
                    |row| row.get(0),
                )
            })
            .unwrap();
        assert_eq!(silent, 0);
    }
}
