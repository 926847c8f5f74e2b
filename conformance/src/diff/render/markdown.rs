//! For a pull request.

use super::evidence::answered;
use super::{APPROVE, approvals, headed, opening, parts, total, whom, witness};
use crate::diff::{Class, Diff, Reviewed, Standing};
use crate::report::marked;
use crate::text::inert;

/// For a pull request: first what its author and its reviewers act on, then what breaks in full, the rest as a list. A comment has
/// room for so much, and what does not fit is cut off its end.
pub fn markdown(diff: &Diff) -> String {
    let mut page = format!("# Contracts: {} → {}\n\n**{}**\n", plain(&diff.before), plain(&diff.now), opening(diff));
    if !diff.changes.is_empty() {
        page.push_str(&format!("\n{}\n", total(diff)));
    }
    if !diff.turned.is_empty() {
        page.push_str("\n## By what implementations answered\n\n");
        answered(diff).iter().for_each(|(_, line)| page.push_str(&format!("- {}\n", plain(line))));
    }
    let lines = approvals(diff);
    if !lines.is_empty() {
        page.push_str(&format!("\n{APPROVE}\n\n{}", fenced(&lines.join("\n"))));
    }
    for ((contract, revisions), changes) in parts(diff) {
        page.push_str(&format!("\n## {}\n\n", headed(diff, contract, revisions)));
        page.push_str("| change | of | implementations | clients | reason |\n|---|---|---|---|---|\n");
        for Reviewed { change, standing, .. } in &changes {
            let standing = match standing {
                Standing::Free if change.follows => "follows a bound".to_owned(),
                Standing::Free => String::new(),
                Standing::Approved { reason } => format!("approved: {}", plain(reason)),
                Standing::Unapproved { .. } => "**not approved**".to_owned(),
            };
            let (kind, subject) = (&change.kind, plain(&change.subject));
            page.push_str(&format!(
                "| {kind} | {subject} | {} | {} | {standing} |\n",
                word(change.implementations),
                word(change.clients)
            ));
        }
        for one in changes.iter().filter(|one| one.change.breaks() || one.change.asks.is_some()) {
            let breaks = whom(&one.change).map_or_else(String::new, |whom| format!(" {whom}"));
            page.push_str(&format!("\n**{}**{breaks}: {}", plain(&one.change.subject), plain(&one.change.says)));
            if let Some(lacks) = &one.change.lacks {
                page.push_str(&format!("; {}", plain(lacks)));
            }
            if let Some(asks) = &one.change.asks {
                page.push_str(&format!(". A question to its author: {}.\n", plain(asks)));
            }
            match &one.change.witness {
                _ if !one.change.breaks() => {}
                Some(shown) => {
                    let document = fenced(&witness(&one.change).join("\n"));
                    page.push_str(&format!("; {}:\n\n{document}", plain(&shown.shows)));
                }
                None => page.push_str(". No document was found that shows it: a suspicion.\n"),
            }
        }
    }
    page
}

fn word(class: Class) -> String {
    if class == Class::Breaking { "**breaking**".to_owned() } else { class.to_string() }
}

/// Text for Markdown, also in a table, and not too much of it.
fn plain(text: &str) -> String {
    marked::sentence(&inert::short(&inert::line(text), 400))
}

fn fenced(text: &str) -> String {
    format!("{}\n", marked::fenced("", &format!("{text}\n")).trim_end())
}
