//! The lists that name every contract, and the line that a new one adds to each. Pure.

/// A text with a contract added, which is spoken like another one; nothing where the text has another form.
type Change = fn(text: &str, name: &str, like: &str) -> Option<String>;

/// Every list, by its file.
pub(super) const CHANGES: [(&str, Change); 4] = [
    ("reference/src/lib.rs", reference),
    ("reference/target.toml", target),
    ("README.md", readme),
    ("fixtures/README.md", corpora),
];

/// The module, which rustfmt puts in its place, and the entry at the end of the list: clients see the tools of those before it in
/// the same order.
fn reference(text: &str, name: &str, _: &str) -> Option<String> {
    let first = text.lines().find(|line| line.starts_with("mod "))?;
    let text = text.replacen(first, &format!("mod {name};\n{first}"), 1);
    let (above, list) = text.split_once("const CONTRACTS:")?;
    let (entries, below) = list.split_once("];")?;
    Some(format!("{above}const CONTRACTS:{}, {name}::CONTRACT];{below}", entries.trim_end().trim_end_matches(',')))
}

/// The endpoints of the other contract, for this one, which has one revision.
fn target(text: &str, name: &str, like: &str) -> Option<String> {
    let theirs = format!("contract = \"{like}\"");
    let blocks = text.split("\n[[endpoint]]\n").skip(1).filter(|block| block.contains(&theirs));
    let ours = format!("contract = \"{name}\"");
    let unpinned = |block: &str| {
        let lines = block.trim_end().lines().filter(|line| !line.starts_with("revision = "));
        lines.collect::<Vec<_>>().join("\n")
    };
    let ours: String =
        blocks.map(|block| format!("\n[[endpoint]]\n{}\n", unpinned(block).replace(&theirs, &ours))).collect();
    (!ours.is_empty()).then(|| format!("{}\n{ours}", text.trim_end()))
}

/// A row with the transports of the other contract, and an empty cell to fill in.
fn readme(text: &str, name: &str, like: &str) -> Option<String> {
    let theirs = rows(text).find(|row| row.starts_with(&format!("| `{like}` |")))?;
    let transports = theirs.split('|').nth(3)?.trim();
    let last = rows(text).last()?;
    Some(text.replacen(last, &format!("{last}\n| `{name}` | | {transports} |"), 1))
}

/// A row for the file of the corpus.
fn corpora(text: &str, name: &str, _: &str) -> Option<String> {
    let last = rows(text).last()?;
    Some(text.replacen(last, &format!("{last}\n| `{name}` | `items.ndjson` | items | `id`, `text` text |"), 1))
}

/// The rows of the table of contracts, from its head.
fn rows(text: &str) -> impl Iterator<Item = &str> {
    text.lines().skip_while(|line| !line.starts_with("| contract |")).take_while(|line| line.starts_with('|'))
}
