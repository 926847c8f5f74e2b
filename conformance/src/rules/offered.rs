//! What stands in a list of tools that clients do not take: keywords at the root of a schema, and characters that nobody sees.

use super::{Input, Ruling};
use crate::model::Detail;
use crate::path::Located;
use crate::text::pointer::escaped;
use serde::Deserialize;
use serde_json::Value;
use std::ops::RangeInclusive;

/// Keywords that are not to stand at the root of a schema.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Keywords {
    keywords: Vec<String>,
}

/// None of the keywords stands at the root of a schema; further in they may. `name` is the name of the tool, for people.
pub(super) fn root_without(args: &Keywords, input: &Input<'_, '_>) -> Ruling {
    let schemas: Vec<_> = input.all("schema").iter().filter(|node| node.value.is_object()).collect();
    if schemas.is_empty() {
        return Ruling::skip("no schema is listed");
    }
    let name = input.one("name").and_then(|node| node.value.as_str()).unwrap_or_default();
    let found = schemas.iter().flat_map(|node| {
        let here = args.keywords.iter().filter(|keyword| node.value.get(keyword.as_str()).is_some());
        here.map(move |keyword| {
            let message = format!("the root of the schema of `{name}` has `{keyword}`");
            Detail::new(message).at(format!("{}/{}", node.pointer, escaped(keyword)))
        })
    });
    Ruling::of(schemas.len(), found.collect())
}

/// What hidden characters do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Hiding {
    /// They spell a text beside the one that shows.
    Tags,
    /// They take no room.
    ZeroWidth,
    /// They turn the text around them.
    Direction,
}

/// The kind of characters that are not to be there.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Hidden {
    kind: Hiding,
}

/// Characters that do not show, and what each is there for. Variation selectors are none of them: an emoji may need one.
const HIDDEN: &[(Hiding, RangeInclusive<char>, &str)] = &[
    (Hiding::Tags, '\u{e0000}'..='\u{e007f}', "a tag character, which repeats ASCII and which nothing shows"),
    (Hiding::ZeroWidth, '\u{ad}'..='\u{ad}', "a soft hyphen, which shows only where a line breaks"),
    (Hiding::ZeroWidth, '\u{34f}'..='\u{34f}', "a grapheme joiner, which only changes how texts are sorted"),
    (Hiding::ZeroWidth, '\u{200b}'..='\u{200b}', "a zero-width space, which parts words unseen"),
    (Hiding::ZeroWidth, JOINERS, "a joiner between characters that do not join"),
    (Hiding::ZeroWidth, '\u{2060}'..='\u{2060}', "a word joiner, which only keeps a line from breaking"),
    (Hiding::ZeroWidth, '\u{2061}'..='\u{2064}', "an invisible operator of formulas"),
    (Hiding::ZeroWidth, '\u{feff}'..='\u{feff}', "a byte order mark, which is a zero-width space within a text"),
    (Hiding::Direction, '\u{200e}'..='\u{200f}', "a direction mark, which moves the characters beside it"),
    (Hiding::Direction, '\u{202a}'..='\u{202e}', "an embedding or override, which shows what follows in another order"),
    (Hiding::Direction, '\u{2066}'..='\u{2069}', "an isolate, which shows what follows in an order of its own"),
];

/// Some scripts and emoji need them between two characters.
const JOINERS: RangeInclusive<char> = '\u{200c}'..='\u{200d}';

/// The flags of England, Scotland and Wales: a black flag and tags that spell where it is from. No other such flag shows.
const FLAGS: [&str; 3] = [
    "\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
    "\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
    "\u{1f3f4}\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}",
];

/// No text has a hidden character of the kind, and neither has a name or a description in a schema.
pub(super) fn hides_nothing(args: &Hidden, input: &Input<'_, '_>) -> Ruling {
    let own = input.all("text").iter().filter_map(|node| Some((node.pointer.clone(), node.value.as_str()?)));
    let mut texts: Vec<(String, &str)> = own.collect();
    input.all("schema").iter().for_each(|node: &Located<'_>| in_schema(node.value, &node.pointer, &mut texts));
    if texts.is_empty() {
        return Ruling::skip("no text is there");
    }
    let hidden = texts.iter().filter_map(|(at, text)| {
        let (character, why) = first_hidden(args.kind, text)?;
        let part = at.rsplit('/').next().unwrap_or_default();
        Some(Detail::new(format!("`{part}` holds U+{:04X}, {why}", character as u32)).at(at))
    });
    Ruling::of(texts.len(), hidden.collect())
}

/// Adds the names, titles and descriptions of a schema. What is data in it says nothing to a reader.
fn in_schema<'s>(schema: &'s Value, at: &str, texts: &mut Vec<(String, &'s str)>) {
    for (keyword, value) in schema.as_object().into_iter().flatten() {
        let here = || format!("{at}/{}", escaped(keyword));
        match (keyword.as_str(), value) {
            ("const" | "enum" | "default" | "examples", _) => {}
            ("title" | "description", Value::String(text)) => texts.push((here(), text)),
            ("properties" | "$defs" | "definitions" | "patternProperties" | "dependentSchemas", Value::Object(all)) => {
                for (name, schema) in all {
                    let place = format!("{}/{}", here(), escaped(name));
                    texts.push((place.clone(), name));
                    in_schema(schema, &place, texts);
                }
            }
            (_, Value::Object(_)) => in_schema(value, &here(), texts),
            (_, Value::Array(all)) => {
                all.iter().enumerate().for_each(|(index, one)| in_schema(one, &format!("{}/{index}", here()), texts));
            }
            _ => {}
        }
    }
}

/// The first hidden character of a kind, and what it is.
fn first_hidden(kind: Hiding, text: &str) -> Option<(char, &'static str)> {
    let text = FLAGS.iter().fold(text.to_owned(), |text, flag| text.replace(flag, "\u{1f3f4}"));
    let mut before = None;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let mut joins = || [before, characters.peek().copied()].iter().all(|beside| beside.is_some_and(is_joined));
        let known = hidden(character).filter(|(of, _)| *of == kind);
        if let Some((_, why)) = known.filter(|_| !JOINERS.contains(&character) || !joins()) {
            return Some((character, why));
        }
        before = Some(character);
    }
    None
}

fn hidden(character: char) -> Option<(Hiding, &'static str)> {
    let (kind, _, why) = HIDDEN.iter().find(|(_, range, _)| range.contains(&character))?;
    Some((*kind, why))
}

/// Whether a joiner beside it may show.
fn is_joined(character: char) -> bool {
    !character.is_ascii() && hidden(character).is_none()
}
