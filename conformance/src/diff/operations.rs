//! What can be called, and how.

use super::change::{Change, Class, Witness};
use super::side::ContractSide;
use crate::model::{Binding, CliBinding, HttpArguments, HttpBinding, McpBinding, Operation, Protocol};
use serde_json::{Map, Value, json};
use strum::VariantArray;

use Class::{Breaking, Compatible, Editorial};

/// Every change of operations and their bindings. Operations that are only called otherwise by us are told once.
pub(super) fn changes(before: &ContractSide, now: &ContractSide) -> Vec<Change> {
    let (was, is) = (&before.contract.operations, &now.contract.operations);
    let mut changes = Vec::new();
    for (name, operation) in was {
        if let Some(other) = is.get(name) {
            changes.extend(bindings(now, name, operation, other, before));
        } else if let Some((other, _)) =
            is.iter().find(|(other, one)| !was.contains_key(*other) && is_called_alike((before, operation), (now, one)))
        {
            let says = format!("the operation {name} is called {other} by the suite; nothing changes on the wire");
            changes.push(change(now, "operation-renamed", name, (json!(name), json!(other)), says));
        } else {
            let says = format!("the operation {name} is gone");
            let mut gone = change(now, "operation-removed", name, (called(before, operation), Value::Null), says);
            (gone.implementations, gone.clients) = (Compatible, Breaking);
            gone.witness = witness("answered before, nobody's business now", before, name, operation);
            changes.push(gone);
        }
    }
    for (name, operation) in is {
        let is_renamed = || {
            was.iter().any(|(other, one)| !is.contains_key(other) && is_called_alike((before, one), (now, operation)))
        };
        if !was.contains_key(name) && !is_renamed() {
            let says = format!("the operation {name} is new");
            let mut new = change(now, "operation-added", name, (Value::Null, called(now, operation)), says);
            (new.implementations, new.clients) = (Breaking, Compatible);
            new.witness = witness("unknown before, to be answered now", now, name, operation);
            changes.push(new);
        }
    }
    changes
}

fn bindings(side: &ContractSide, name: &str, old: &Operation, fresh: &Operation, before: &ContractSide) -> Vec<Change> {
    let mut changes = Vec::new();
    for protocol in Protocol::VARIANTS.iter().copied() {
        let (was, is) = (parts(before, old, protocol), parts(side, fresh, protocol));
        match (was, is) {
            (None, None) => {}
            (Some(was), None) => {
                let says = format!("{name} is not called over {protocol} any more");
                let mut gone =
                    change(side, "binding-removed", &format!("{name}: {protocol}"), (was.into(), Value::Null), says);
                (gone.implementations, gone.clients) = (Compatible, Breaking);
                gone.witness = witness("answered before, nobody's business now", before, name, old);
                changes.push(gone);
            }
            (None, Some(is)) => {
                let is_spoken =
                    before.contract.operations.values().any(|other| parts(before, other, protocol).is_some());
                let says = format!("{name} is called over {protocol} too");
                let mut new =
                    change(side, "binding-added", &format!("{name}: {protocol}"), (Value::Null, is.into()), says);
                // Who never spoke this transport is not asked to.
                new.implementations = if is_spoken { Breaking } else { Compatible };
                new.clients = Compatible;
                new.witness = witness("unknown before, to be answered now", side, name, fresh);
                changes.push(new);
            }
            (Some(was), Some(is)) => {
                let names: Vec<&String> = was.keys().chain(is.keys().filter(|key| !was.contains_key(*key))).collect();
                for part in names {
                    let (was, is) = (was.get(part), is.get(part));
                    // An argument that is new or gone is told as one.
                    let is_argument = part.starts_with("argument ") && (was.is_none() || is.is_none());
                    if was == is || is_argument {
                        continue;
                    }
                    let both = (was.cloned().unwrap_or_default(), is.cloned().unwrap_or_default());
                    let says = format!("{name} over {protocol}: {part} is {} ({} before)", both.1, both.0);
                    let kind = if part.starts_with("argument ") {
                        "binding-argument".to_owned()
                    } else {
                        format!("binding-{part}")
                    };
                    let mut moved = change(side, &kind, &format!("{name}: {protocol} {part}"), both.clone(), says);
                    (moved.implementations, moved.clients) = (Breaking, Breaking);
                    moved.witness = Some(Witness {
                        shows: format!("called {} before, {} now", both.0, both.1),
                        document: json!({ "call": name, "with": sample(side, fresh) }),
                    });
                    changes.push(moved);
                }
            }
        }
    }
    if old.format != fresh.format {
        let word = |operation: &Operation| serde_json::to_value(&operation.format).unwrap_or_default();
        let says = format!("the answer of {name} is read as {} ({} before)", word(fresh), word(old));
        let mut moved = change(side, "format", &format!("{name}: format"), (word(old), word(fresh)), says);
        (moved.implementations, moved.clients) = (Breaking, Breaking);
        changes.push(moved);
    }
    if old.about != fresh.about {
        let says = format!("what {name} is about is said in other words");
        changes.push(change(side, "wording", &format!("{name}: about"), (json!(old.about), json!(fresh.about)), says));
    }
    changes
}

/// A binding by its parts, each argument under the name that it has on the wire.
fn parts(side: &ContractSide, operation: &Operation, protocol: Protocol) -> Option<Map<String, Value>> {
    let mut parts = Map::new();
    match operation.binding(protocol)? {
        Binding::Http(HttpBinding { method, path, free_path: _, arguments, results }) => {
            parts.insert("method".to_owned(), json!(method));
            // An argument that is the whole path has no name there.
            let is_argument = *arguments == HttpArguments::Path && path.starts_with('{');
            parts.insert("path".to_owned(), json!(if is_argument { "{}" } else { path.as_str() }));
            parts.insert("arguments".to_owned(), json!(arguments));
            parts.extend(results.iter().map(|results| ("results".to_owned(), json!(results))));
        }
        Binding::Mcp(binding) => {
            let McpBinding { tool, known_by: _, rename: _, optional, results } = binding;
            parts.insert("tool".to_owned(), json!(tool));
            parts.extend(optional.iter().map(|name| (format!("optional {name}"), json!(true))));
            parts.extend(results.iter().map(|results| ("results".to_owned(), json!(results))));
            let schema = side.schemas.get(&operation.input);
            let names = schema.and_then(|schema| schema["properties"].as_object()).into_iter().flat_map(Map::keys);
            parts.extend(names.map(|name| (format!("argument {name}"), json!(binding.theirs(name)))));
        }
        Binding::Cli(CliBinding { argv, positional, flags, switches, folder }) => {
            parts.insert("argv".to_owned(), json!(argv));
            parts.insert("positional".to_owned(), json!(positional));
            parts.extend(flags.iter().map(|(name, flag)| (format!("argument {name}"), json!(flag))));
            parts.extend(switches.iter().map(|(name, switch)| (format!("argument {name}"), json!(switch))));
            parts.extend(folder.iter().map(|folder| ("folder".to_owned(), json!(folder))));
        }
    }
    Some(parts)
}

fn called(side: &ContractSide, operation: &Operation) -> Value {
    let all = Protocol::VARIANTS.iter();
    Value::Object(
        all.filter_map(|protocol| Some((protocol.to_string(), parts(side, operation, *protocol)?.into()))).collect(),
    )
}

fn is_called_alike((before, one): (&ContractSide, &Operation), (now, other): (&ContractSide, &Operation)) -> bool {
    called(before, one) == called(now, other) && one.input == other.input
}

/// Whether an argument that is called otherwise by us goes by one name on every wire that both sides have.
pub(super) fn is_one_on_the_wire(
    old: (&ContractSide, &Operation, &str),
    fresh: (&ContractSide, &Operation, &str),
) -> bool {
    let named = |(side, operation, name): (&ContractSide, &Operation, &str), protocol: Protocol| {
        let parts = parts(side, operation, protocol)?;
        let named = parts.get(&format!("argument {name}")).and_then(Value::as_str).map(str::to_owned);
        let is_the_path = protocol == Protocol::Http && parts["arguments"] == json!(HttpArguments::Path);
        Some(if is_the_path { String::new() } else { named.unwrap_or_else(|| name.to_owned()) })
    };
    Protocol::VARIANTS.iter().all(|protocol| named(old, *protocol) == named(fresh, *protocol))
}

/// A sound call of an operation.
fn sample(side: &ContractSide, operation: &Operation) -> Value {
    side.schemas.get(&operation.input).map_or(Value::Null, |schema| schema["examples"][0].clone())
}

fn witness(shows: &str, side: &ContractSide, name: &str, operation: &Operation) -> Option<Witness> {
    let document = json!({ "call": name, "with": sample(side, operation), "over": called(side, operation) });
    Some(Witness { shows: shows.to_owned(), document })
}

fn change(side: &ContractSide, kind: &str, subject: &str, both: (Value, Value), says: String) -> Change {
    Change::new(&side.contract.name, kind, subject, both, says, (Editorial, Editorial))
}
