//! What a search may ask for: the table of parameters, read and refused.

use super::variant::Variant;
use crate::quote::{quoted, shortened};
use serde_json::{Value, json};

/// The largest page that is granted. The document says "bounded" without a number.
const LARGEST_PAGE: i64 = 100;
/// The page size where none is asked for, the upper end of what the document prefers.
const DEFAULT_PAGE: i64 = 20;

/// The parameters of one search, all checked.
#[derive(Debug, PartialEq)]
pub(crate) struct Parameters {
    /// First moment of the window, epoch seconds, inclusive.
    pub(crate) start_time: f64,
    /// Last moment of the window, epoch seconds, inclusive.
    pub(crate) end_time: f64,
    /// The words of `q`, ASCII in lower case, each once. None means browse mode.
    pub(crate) words: Vec<String>,
    /// Substring of the app's name.
    pub(crate) app_name: Option<String>,
    /// Substring of the window's title.
    pub(crate) window_name: Option<String>,
    /// Substring of the browser's URL.
    pub(crate) browser_url: Option<String>,
    /// Known to be focused, or known not to be.
    pub(crate) focused: Option<bool>,
    /// Size of the page.
    pub(crate) limit: i64,
    /// How many matches precede the page.
    pub(crate) offset: i64,
}

/// Why a request is refused: the parameter and the problem, in plain words.
#[derive(Debug, PartialEq)]
pub(crate) struct Refusal {
    parameter: String,
    message: String,
}

impl Refusal {
    /// `message` is what follows the name of the parameter: "must be …".
    pub(crate) fn new(parameter: &str, message: impl std::fmt::Display) -> Self {
        Self { parameter: parameter.to_owned(), message: format!("{} {message}", shortened(parameter)) }
    }

    /// The body of the 400.
    pub(crate) fn body(&self) -> Value {
        json!({ "error": self.message, "code": "INVALID_PARAMS", "parameter": self.parameter })
    }
}

impl Parameters {
    /// Reads the pairs of a query string. `now` is the moment of the request in epoch seconds: the default end.
    pub(crate) fn parse(pairs: Vec<(String, String)>, now: f64, variant: Option<Variant>) -> Result<Self, Refusal> {
        let mut given = Given::once_each(pairs)?;
        let is = |one| variant == Some(one);
        if is(Variant::Forgiving) {
            given.limit = given.limit.filter(|text| integer("limit", text, 1, LARGEST_PAGE).is_ok());
            given.offset = given.offset.filter(|text| integer("offset", text, 0, i64::MAX).is_ok());
            given.focused = given.focused.filter(|text| truth("focused", text).is_ok());
        }
        if is(Variant::OddBrowses) {
            given.q = given.q.filter(|q| q.contains(char::is_alphanumeric));
        }
        let largest = if is(Variant::AnyPageSize) || is(Variant::SmallPages) { i64::MAX } else { LARGEST_PAGE };
        let content_type = given.content_type.unwrap_or_default();
        // Empty is read as missing, and missing means ocr in the document's transition period.
        if !content_type.is_empty() && content_type != "ocr" {
            return Err(Refusal::new("content_type", format_args!("must be \"ocr\", got {}", quoted(&content_type))));
        }
        let Some(start_time) = given.start_time else {
            return Err(Refusal::new("start_time", "is required: the start of the time window, in epoch seconds"));
        };
        let start_time = moment("start_time", &start_time)?;
        let given_end = given.end_time.map(|text| moment("end_time", &text)).transpose()?;
        let end_time = given_end.unwrap_or(now);
        let end_time = if is(Variant::UntilNow) { end_time.min(now) } else { end_time };
        if start_time > end_time {
            // The same words whenever it is asked.
            let message = match given_end {
                Some(_) => format!("must not be later than end_time, got {start_time} and {end_time}"),
                None => format!("must not be later than now, where end_time is left out, got {start_time}"),
            };
            return Err(Refusal::new("start_time", message));
        }
        Ok(Self {
            start_time,
            end_time,
            words: words(&given.q.unwrap_or_default())?,
            app_name: filter(given.app_name),
            window_name: filter(given.window_name),
            browser_url: filter(given.browser_url),
            focused: given.focused.map(|text| truth("focused", &text)).transpose()?,
            limit: match given.limit.map_or(Ok(DEFAULT_PAGE), |text| integer("limit", &text, 1, largest))? {
                limit if is(Variant::SmallPages) => limit.min(DEFAULT_PAGE),
                limit => limit,
            },
            offset: given.offset.map_or(Ok(0), |text| integer("offset", &text, 0, i64::MAX))?,
        })
    }
}

/// The parameters as received, each at most once.
#[derive(Default)]
struct Given {
    start_time: Option<String>,
    end_time: Option<String>,
    q: Option<String>,
    content_type: Option<String>,
    limit: Option<String>,
    offset: Option<String>,
    app_name: Option<String>,
    window_name: Option<String>,
    focused: Option<String>,
    browser_url: Option<String>,
}

impl Given {
    /// A misspelt filter must not widen an answer, nor one of two values win by chance: both are refused.
    fn once_each(pairs: Vec<(String, String)>) -> Result<Self, Refusal> {
        let mut given = Self::default();
        for (name, value) in pairs {
            let place = match name.as_str() {
                "start_time" => &mut given.start_time,
                "end_time" => &mut given.end_time,
                "q" => &mut given.q,
                "content_type" => &mut given.content_type,
                "limit" => &mut given.limit,
                "offset" => &mut given.offset,
                "app_name" => &mut given.app_name,
                "window_name" => &mut given.window_name,
                "focused" => &mut given.focused,
                "browser_url" => &mut given.browser_url,
                _ => return Err(Refusal::new(&name, "is no parameter of search")),
            };
            if place.replace(value).is_some() {
                return Err(Refusal::new(&name, "is given more than once"));
            }
        }
        Ok(given)
    }
}

/// A moment in epoch seconds. Rust reads `NaN` and `inf` as numbers too, and 1e999 as infinity: none is a moment.
fn moment(parameter: &str, text: &str) -> Result<f64, Refusal> {
    text.parse().ok().filter(|number: &f64| number.is_finite()).ok_or_else(|| {
        Refusal::new(parameter, format_args!("must be a finite number of epoch seconds, got {}", quoted(text)))
    })
}

/// An integer from `least` to `most`.
fn integer(parameter: &str, text: &str, least: i64, most: i64) -> Result<i64, Refusal> {
    text.parse().ok().filter(|number| (least..=most).contains(number)).ok_or_else(|| {
        Refusal::new(parameter, format_args!("must be an integer from {least} to {most}, got {}", quoted(text)))
    })
}

/// A truth value in one of its two spellings.
fn truth(parameter: &str, text: &str) -> Result<bool, Refusal> {
    match text {
        "true" | "1" => Ok(true),
        "false" | "0" => Ok(false),
        _ => Err(Refusal::new(parameter, format_args!("must be true, 1, false or 0, got {}", quoted(text)))),
    }
}

/// A substring in ASCII lower case. The empty one asks for nothing, not even for a value to be there.
fn filter(text: Option<String>) -> Option<String> {
    text.filter(|text| !text.is_empty()).map(|text| text.to_ascii_lowercase())
}

/// The words of a query. NUL ends a string inside the full-text engine, so it could not be searched for honestly.
fn words(q: &str) -> Result<Vec<String>, Refusal> {
    if q.contains('\0') {
        return Err(Refusal::new("q", "must not contain a NUL character"));
    }
    Ok(crate::words::words(q))
}
