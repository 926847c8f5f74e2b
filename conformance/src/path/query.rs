//! JSONPath, RFC 9535. Most paths of the suite name one place, which is walked to without the engine of queries.

use serde_json::Value;
use serde_json_path::JsonPath;
use std::borrow::Cow;

/// A JSONPath that was read.
#[derive(Debug, Clone)]
pub(super) enum Query {
    /// It names one place: what to go through, and its JSON Pointer.
    One(Vec<Segment>, String),
    Any(JsonPath),
}

#[derive(Debug, Clone)]
pub(super) enum Segment {
    Name(String),
    Index(usize),
}

impl Query {
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let path = JsonPath::parse(text).map_err(|error| format!("`{text}` is no JSONPath: {error}"))?;
        Ok(match segments(text) {
            Some(segments) => {
                let pointer = segments.iter().map(Segment::pointer).collect();
                Self::One(segments, pointer)
            }
            None => Self::Any(path),
        })
    }

    /// What it finds in a value, each with its JSON Pointer.
    pub(super) fn find<'s, 'v>(&'s self, value: &'v Value) -> Vec<(Cow<'s, str>, &'v Value)> {
        match self {
            Self::One(segments, pointer) => {
                let found = segments.iter().try_fold(value, |value, segment| segment.of(value));
                found.map(|value| (Cow::Borrowed(pointer.as_str()), value)).into_iter().collect()
            }
            Self::Any(path) => {
                let found = path.query_located(value);
                found.iter().map(|node| (node.location().to_json_pointer().into(), node.node())).collect()
            }
        }
    }
}

impl Segment {
    fn of<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        match self {
            Self::Name(name) => value.as_object()?.get(name),
            Self::Index(index) => value.as_array()?.get(*index),
        }
    }

    fn pointer(&self) -> String {
        match self {
            Self::Name(name) => format!("/{}", name.replace('~', "~0").replace('/', "~1")),
            Self::Index(index) => format!("/{index}"),
        }
    }
}

/// The segments of a path that is a JSONPath and has nothing but names and indices; none where it may have more.
fn segments(path: &str) -> Option<Vec<Segment>> {
    let mut rest = path.strip_prefix('$')?;
    let mut segments = Vec::new();
    while !rest.is_empty() {
        let segment = match rest.strip_prefix('.') {
            Some(name) => {
                let end = name.find(['.', '[']).unwrap_or(name.len());
                let plain = |name: &&str| name.chars().all(|one| one.is_alphanumeric() || one == '_');
                rest = &name[end..];
                Segment::Name(Some(&name[..end]).filter(plain).filter(|name| !name.is_empty())?.to_owned())
            }
            None => {
                let (selector, behind) = rest.strip_prefix('[')?.split_once(']')?;
                rest = behind;
                match selector.strip_prefix('\'').and_then(|name| name.strip_suffix('\'')) {
                    Some(name) => Segment::Name(Some(name).filter(|name| !name.contains(['\'', '\\']))?.to_owned()),
                    None => Segment::Index(selector.parse().ok()?),
                }
            }
        };
        segments.push(segment);
    }
    Some(segments)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "what a test did not look for fails it where it stands")]

    use super::Query;
    use rstest::rstest;
    use serde_json::{Value, json};
    use serde_json_path::JsonPath;

    #[rstest]
    fn a_place_is_found_as_the_engine_finds_it(
        #[values(
            "$",
            "$.a",
            "$['a']",
            "$[0]",
            "$.a.b",
            "$.a['b/~c'][1]",
            "$[1].0",
            "$['0']",
            "$['a.b']",
            "$['a]b']",
            "$.é"
        )]
        path: &str,
    ) {
        let values = [
            json!(null),
            json!({ "a": { "b": 1, "b/~c": [2, 3] }, "0": 4, "a.b": 5, "a]b": 6, "é": 7 }),
            json!([[8], { "0": 9 }]),
            json!({ "a": [10, 11] }),
        ];
        let Ok(engine) = JsonPath::parse(path) else {
            assert!(Query::parse(path).is_err(), "{path}");
            return;
        };
        for value in &values {
            let due = engine.query_located(value);
            let due: Vec<(String, &Value)> =
                due.iter().map(|node| (node.location().to_json_pointer(), node.node())).collect();
            let query = Query::parse(path).unwrap();
            let came: Vec<(String, &Value)> =
                query.find(value).into_iter().map(|(at, value)| (at.into_owned(), value)).collect();
            assert_eq!(came, due, "{path} in {value}");
        }
    }

    #[rstest]
    #[case("$.a.b", true)]
    #[case("$[0]['a']", true)]
    #[case("$[0][*]", false)]
    #[case("$..a", false)]
    #[case("$[-1]", false)]
    #[case("$[0:2]", false)]
    #[case("$[0, 1]", false)]
    #[case("$['a', 'b']", false)]
    #[case("$[?@.a]", false)]
    #[case("$.*", false)]
    #[case(r"$['\u0061']", false)]
    fn what_may_find_more_is_left_to_the_engine(#[case] path: &str, #[case] is_one: bool) {
        assert_eq!(matches!(Query::parse(path).unwrap(), Query::One(..)), is_one);
    }
}
