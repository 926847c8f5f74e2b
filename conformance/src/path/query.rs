//! JSONPath, RFC 9535. Most paths of the suite go through names, indices and whole lists, and are walked without the engine of
//! queries.

use crate::text::pointer::escaped;
use serde_json::Value;
use serde_json_path::JsonPath;

/// What a path looks at grows by a power with each `..` in it.
const MOST_BELOW: usize = 4;

/// A JSONPath that was read.
#[derive(Debug, Clone)]
pub(super) enum Query {
    Walk(Vec<Segment>),
    /// With its segments up to the first that is none of these.
    Any(JsonPath, Vec<Segment>),
}

/// How far the text of a path leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lead {
    /// To the values that it finds.
    To,
    /// To values in which it looks for them.
    Into,
}

#[derive(Debug, Clone)]
pub(super) enum Segment {
    /// A member, and how it stands in a JSON Pointer.
    Name(String, String),
    Index(usize),
    /// All members or elements.
    All,
    /// What the segments behind it find in a value, and in everything below it.
    Below,
}

impl Query {
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        if text.matches("..").count() > MOST_BELOW {
            return Err(format!(
                "`{text}` has `..` more than {MOST_BELOW} times, and each looks at everything below a value"
            ));
        }
        let path = JsonPath::parse(text).map_err(|error| format!("`{text}` is not a JSONPath: {error}"))?;
        Ok(match segments(text) {
            Some(segments) => Self::Walk(segments),
            None => Self::Any(path, text.find("[?").and_then(|end| segments(&text[..end])).unwrap_or_default()),
        })
    }

    /// Where it leads, as far as its text says: to these values, or somewhere into them.
    pub(super) fn lead(&self) -> (&[Segment], Lead) {
        match self {
            Self::Walk(segments) => match segments.iter().position(|segment| matches!(segment, Segment::Below)) {
                None => (segments, Lead::To),
                Some(end) => (&segments[..end], Lead::Into),
            },
            Self::Any(_, segments) => (segments, Lead::Into),
        }
    }

    /// What it finds in a value that stands at `base`, each with its JSON Pointer.
    pub(super) fn find<'v>(&self, value: &'v Value, base: &str) -> Vec<(String, &'v Value)> {
        match self {
            Self::Walk(segments) => {
                let mut found = Vec::new();
                walk(segments, value, &mut base.to_owned(), &mut found);
                found
            }
            Self::Any(path, _) => {
                let found = path.query_located(value);
                found.iter().map(|node| (format!("{base}{}", node.location().to_json_pointer()), node.node())).collect()
            }
        }
    }
}

/// Goes through the segments from a value at `pointer`, which is left as it was.
fn walk<'v>(segments: &[Segment], value: &'v Value, pointer: &mut String, found: &mut Vec<(String, &'v Value)>) {
    let Some((segment, rest)) = segments.split_first() else {
        found.push((pointer.clone(), value));
        return;
    };
    // Below a value, the same is found again in each of its parts.
    let behind = match segment {
        Segment::Below => {
            walk(rest, value, pointer, found);
            segments
        }
        _ => rest,
    };
    let length = pointer.len();
    let mut into = |part: &str, value: &'v Value| {
        pointer.push('/');
        pointer.push_str(part);
        walk(behind, value, pointer, found);
        pointer.truncate(length);
    };
    match (segment, value) {
        (Segment::Name(name, escaped), Value::Object(fields)) => {
            fields.get(name).into_iter().for_each(|value| into(escaped, value));
        }
        (Segment::Index(index), Value::Array(values)) => {
            values.get(*index).into_iter().for_each(|value| into(&index.to_string(), value));
        }
        (Segment::All | Segment::Below, Value::Object(fields)) => {
            fields.iter().for_each(|(name, value)| into(&escaped(name), value));
        }
        (Segment::All | Segment::Below, Value::Array(values)) => {
            values.iter().enumerate().for_each(|(index, value)| into(&index.to_string(), value));
        }
        _ => {}
    }
}

/// The segments of a path that is a JSONPath and has nothing but names, indices, `*` and `..`; none where it may have more.
fn segments(path: &str) -> Option<Vec<Segment>> {
    let mut rest = path.strip_prefix('$')?;
    let mut segments = Vec::new();
    while !rest.is_empty() {
        if let Some(behind) = rest.strip_prefix("..") {
            segments.push(Segment::Below);
            // A name behind two dots has none of its own.
            rest = if behind.starts_with('[') { behind } else { &rest[1..] };
        }
        let segment = match rest.strip_prefix('.') {
            Some(name) => {
                let end = name.find(['.', '[']).unwrap_or(name.len());
                let plain = |name: &&str| name.chars().all(|one| one.is_alphanumeric() || one == '_');
                rest = &name[end..];
                match &name[..end] {
                    "*" => Segment::All,
                    name => Segment::named(Some(name).filter(plain).filter(|name| !name.is_empty())?),
                }
            }
            None => {
                let (selector, behind) = rest.strip_prefix('[')?.split_once(']')?;
                rest = behind;
                match selector.strip_prefix('\'').and_then(|name| name.strip_suffix('\'')) {
                    Some(name) => Segment::named(Some(name).filter(|name| !name.contains(['\'', '\\']))?),
                    None if selector == "*" => Segment::All,
                    None => Segment::Index(selector.parse().ok()?),
                }
            }
        };
        segments.push(segment);
    }
    Some(segments)
}

impl Segment {
    fn named(name: &str) -> Self {
        Self::Name(name.to_owned(), escaped(name))
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "what a test did not look for fails it where it stands")]

    use super::Query;
    use rstest::rstest;
    use serde_json::{Value, json};
    use serde_json_path::JsonPath;

    #[rstest]
    fn what_is_walked_to_is_what_the_engine_finds(
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
            "$.é",
            "$.*",
            "$[*]",
            "$[*][*]",
            "$.a[*]",
            "$.a.*[1]",
            "$[*].b",
            "$[*]['b/~c'].*",
            "$..b",
            "$..['b']",
            "$..*",
            "$..[0]",
            "$.a..b",
            "$..a[*]",
            "$..a..b",
            "$..a..*"
        )]
        path: &str,
    ) {
        let values = [
            json!(null),
            json!({ "a": { "b": 1, "b/~c": [2, 3] }, "0": 4, "a.b": 5, "a]b": 6, "é": 7 }),
            json!([[8], { "0": 9 }]),
            json!({ "a": [10, 11] }),
            json!({ "a": { "b": { "a": [{ "b": 12 }, 13], "b": 14 } }, "b": [{ "a": 15 }] }),
        ];
        let Ok(engine) = JsonPath::parse(path) else {
            assert!(Query::parse(path).is_err(), "{path}");
            return;
        };
        for value in &values {
            let due = engine.query_located(value);
            let due: Vec<(String, &Value)> =
                due.iter().map(|node| (format!("/base{}", node.location().to_json_pointer()), node.node())).collect();
            assert_eq!(Query::parse(path).unwrap().find(value, "/base"), due, "{path} in {value}");
        }
    }

    #[rstest]
    #[case("$.a.b", true)]
    #[case("$[0]['a']", true)]
    #[case("$[0][*]", true)]
    #[case("$..a", true)]
    #[case("$..[?@.a]", false)]
    #[case("$[-1]", false)]
    #[case("$[0:2]", false)]
    #[case("$[0, 1]", false)]
    #[case("$['a', 'b']", false)]
    #[case("$[?@.a]", false)]
    #[case("$.*", true)]
    #[case(r"$['\u0061']", false)]
    fn what_chooses_is_left_to_the_engine(#[case] path: &str, #[case] is_walked: bool) {
        assert_eq!(matches!(Query::parse(path).unwrap(), Query::Walk(_)), is_walked);
    }
}
