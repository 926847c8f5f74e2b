//! What must come through whatever the escape is: the words of a title, and the lines of a body. The document gives N lines the
//! title and B lines the raw Markdown, and names no escape.

use crate::model::Detail;
use crate::rules::{Input, Ruling};
use crate::text::inert;
use serde::Deserialize;
use serde_json::Value;

/// The bodies that are looked for, by the id of their note.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Bodies {
    of: Vec<Body>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Body {
    id: String,
    body: String,
}

/// The titles that are looked for, by the id of their note, and an id that only forged lines name.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Titles {
    of: Vec<Title>,
    forged: String,
}

/// The parts of a title that hold nothing to escape.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Title {
    id: String,
    parts: Vec<String>,
}

/// Behind the `B` line of each listed note, the lines of its body come in order, each run of them unbroken. Lines that an escape
/// may change end a run and are free, and so are line ends.
pub(super) fn lines_of_bodies(args: &Bodies, input: &Input<'_, '_>) -> Ruling {
    let (mut exercised, mut details) = (0, Vec::new());
    for node in input.all("value") {
        let lines = lines(node.value);
        for body in &args.of {
            let opens = |line: &&str| line.split_whitespace().eq(["B", body.id.as_str()]);
            let Some(start) = lines.iter().position(opens) else { continue };
            let mut rest = &lines[start + 1..];
            for run in runs(&body.body) {
                exercised += 1;
                match rest.windows(run.len()).position(|window| window == run) {
                    Some(at) => rest = &rest[at + run.len()..],
                    None => {
                        let message =
                            format!("the body of {} is not printed raw: a line is missing or changed", body.id);
                        let pointer = format!("{}/{}", node.pointer, start + 1);
                        let missing = missing(&run, rest);
                        details.push(Detail::new(message).at(pointer).compare(missing.0.into(), missing.1.into()));
                        break;
                    }
                }
            }
        }
    }
    match exercised {
        0 => Ruling::skip("no body of these notes was printed"),
        _ => Ruling::of(exercised, details),
    }
}

/// The N or M line of each listed note, with the lines that its title breaks into, has the parts of the title in order.
pub(super) fn parts_of_titles(args: &Titles, input: &Input<'_, '_>) -> Ruling {
    let (mut exercised, mut details) = (0, Vec::new());
    for node in input.all("value") {
        let lines = lines(node.value);
        for (at, line) in lines.iter().enumerate() {
            let Some(title) = args.of.iter().find(|title| announces(line, &title.id)) else { continue };
            exercised += 1;
            let is_of_another = |line: &&str| {
                let id = line.split_whitespace().nth(1).filter(|id| id.starts_with("qp-"));
                id.is_some_and(|id| id != title.id && id != args.forged)
            };
            let length = lines[at + 1..].iter().position(is_of_another).unwrap_or(lines.len() - at - 1) + 1;
            let text = lines[at..at + length].join("\n");
            let mut rest = text.as_str();
            let lost = title.parts.iter().find(|part| match rest.split_once(part.as_str()) {
                Some((_, behind)) => {
                    rest = behind;
                    false
                }
                None => true,
            });
            if let Some(lost) = lost {
                let message = format!("the title of {} lacks {lost:?}, or has it elsewhere", title.id);
                let shown = inert::short(line, 200);
                details.push(
                    Detail::new(message)
                        .at(format!("{}/{at}", node.pointer))
                        .compare(Value::from(title.parts.join(" … ")), Value::from(shown)),
                );
            }
        }
    }
    match exercised {
        0 => Ruling::skip("no line of these notes was printed"),
        _ => Ruling::of(exercised, details),
    }
}

/// Lines without the CR of CR LF.
fn lines(value: &Value) -> Vec<&str> {
    let lines = value.as_array().into_iter().flatten().filter_map(Value::as_str);
    lines.map(|line| line.strip_suffix('\r').unwrap_or(line)).collect()
}

fn announces(line: &str, id: &str) -> bool {
    let mut words = line.split_whitespace();
    matches!(words.next(), Some("N" | "M")) && words.next() == Some(id)
}

/// The lines of a body between those that an escape may change: what looks like its end mark, and what begins with a backslash.
fn runs(body: &str) -> Vec<Vec<&str>> {
    let lines: Vec<&str> = body.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect();
    let is_free = |line: &&str| line.contains("B-END") || line.starts_with('\\');
    let runs = lines.split(is_free).filter(|run| run.iter().any(|line| !line.is_empty()));
    runs.map(<[&str]>::to_vec).collect()
}

/// The first line that is missing, and what is in its place, where the longest beginning of a run ends.
fn missing(run: &[&str], lines: &[&str]) -> (String, String) {
    let common = |at: usize| run.iter().zip(&lines[at..]).take_while(|(due, line)| due == line).count();
    let (at, length) =
        (0..lines.len()).map(|at| (at, common(at))).rev().max_by_key(|(_, length)| *length).unwrap_or_default();
    let line = |line: Option<&&str>| line.map_or_else(|| "no line".to_owned(), |line| (*line).to_owned());
    (line(run.get(length)), line(lines.get(at + length)))
}
