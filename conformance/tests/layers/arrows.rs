//! Who imports whom: from the file of a mention to the file that defines what it names, through every re-export.

use super::tree::{ModulePath, Tree};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// More re-exports in a row than anybody writes.
const MOST_HOPS: usize = 16;

/// An import.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Arrow {
    /// The file that imports, relative to `src`.
    pub(crate) from: String,
    /// The file that defines what is imported.
    pub(crate) to: String,
    /// The modules right below the crate that it goes through: as it is written, and where it ends.
    pub(crate) through: BTreeSet<String>,
    pub(crate) line: usize,
}

impl fmt::Display for Arrow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{} imports {}", self.from, self.line, self.to)
    }
}

/// Where a path leads.
enum End {
    /// To a module, or to what is defined in it.
    Inside(ModulePath),
    /// Out of the crate, written in full.
    Outside(Vec<String>),
}

impl Tree {
    /// Every import of one file of the crate by another.
    pub(crate) fn arrows(&self) -> Vec<Arrow> {
        let mut arrows = Vec::new();
        for (at, module) in &self.modules {
            for mention in &module.mentions {
                let Some(End::Inside(end)) = self.end(at, &mention.path, 0) else { continue };
                let hands_on_its_own = mention.is_export && end.starts_with(at);
                let to = &self.modules[&end].file;
                if hands_on_its_own || *to == module.file {
                    continue;
                }
                let through = self.written(at, &mention.path).into_iter().chain(end.first().cloned()).collect();
                arrows.push(Arrow { from: module.file.clone(), to: to.clone(), through, line: mention.line });
            }
        }
        arrows
    }

    /// The paths out of the crate that a file mentions, in full, with their lines.
    pub(crate) fn outside<'t>(&'t self, file: &'t str) -> impl Iterator<Item = (String, usize)> + 't {
        let here = self.modules.iter().filter(move |(_, module)| module.file == file);
        here.flat_map(move |(at, module)| {
            module.mentions.iter().filter_map(move |mention| match self.end(at, &mention.path, 0)? {
                End::Outside(path) => Some((path.join("::"), mention.line)),
                End::Inside(_) => None,
            })
        })
    }

    /// The module right below the crate that a path names as it is written. What begins with another name was imported by it.
    fn written(&self, at: &ModulePath, path: &[String]) -> Option<String> {
        let ups = path.iter().take_while(|name| *name == "super").count();
        let base = match path.first()?.as_str() {
            "crate" => path.get(1).cloned().into_iter().collect(),
            "super" => at[..at.len().checked_sub(ups)?].iter().chain(&path[ups..]).take(1).cloned().collect(),
            _ => ModulePath::new(),
        };
        self.modules.contains_key(&base).then(|| base.first().cloned())?
    }

    fn end(&self, at: &ModulePath, path: &[String], hops: usize) -> Option<End> {
        let (first, rest) = path.split_first().filter(|_| hops < MOST_HOPS)?;
        match first.as_str() {
            "crate" => self.walk(ModulePath::new(), rest, hops),
            "self" => self.walk(at.clone(), rest, hops),
            "super" => {
                let mut above = at.clone();
                above.pop()?;
                // Every further `super` goes up from there.
                match rest.first().is_some_and(|next| next == "super") {
                    true => self.end(&above, rest, hops),
                    false => self.walk(above, rest, hops),
                }
            }
            name if self.modules.contains_key(&child(at, name)) || self.modules[at].items.contains(name) => {
                self.walk(at.clone(), path, hops)
            }
            name => match self.modules[at].names.get(name) {
                Some(full) if full.as_slice() != path => {
                    let path: Vec<String> = full.iter().chain(rest).cloned().collect();
                    self.end(at, &path, hops + 1)
                }
                _ => Some(End::Outside(path.to_vec())),
            },
        }
    }

    /// Goes down from a module, name by name, to what the last known name is defined in.
    fn walk(&self, mut at: ModulePath, path: &[String], hops: usize) -> Option<End> {
        let mut rest = path;
        while let [name, behind @ ..] = rest {
            let module = self.modules.get(&at)?;
            if self.modules.contains_key(&child(&at, name)) {
                at.push(name.clone());
                rest = behind;
            } else if module.items.contains(name) {
                break;
            } else if let Some(full) = module.names.get(name) {
                let path: Vec<String> = full.iter().chain(behind).cloned().collect();
                return self.end(&at, &path, hops + 1);
            } else {
                let of_globs = module.globs.iter().filter_map(|glob| match self.end(&at, glob, hops + 1)? {
                    End::Inside(end) => Some(end),
                    End::Outside(_) => None,
                });
                let mut holders = of_globs.filter(|end| self.holds(end, name));
                return match holders.next() {
                    Some(holder) if holder != at => self.walk(holder, rest, hops + 1),
                    _ => Some(End::Inside(at)),
                };
            }
        }
        Some(End::Inside(at))
    }

    fn holds(&self, at: &ModulePath, name: &str) -> bool {
        let module = &self.modules[at];
        module.items.contains(name) || module.names.contains_key(name) || self.modules.contains_key(&child(at, name))
    }
}

fn child(at: &ModulePath, name: &str) -> ModulePath {
    at.iter().cloned().chain([name.to_owned()]).collect()
}

/// Imports of a layer by one that is not above it, and modules without a layer. `layers` is ordered, the lowest first.
pub(crate) fn upward(tree: &Tree, layers: &[String]) -> BTreeSet<String> {
    let place = |name: &str| layers.iter().position(|layer| layer == name);
    let mut wrong = BTreeSet::new();
    for name in tree.modules.keys().filter_map(|at| at.first()) {
        if place(name).is_none() {
            wrong.insert(format!("`{name}` has no layer"));
        }
    }
    for name in layers.iter().filter(|name| !tree.modules.contains_key(&vec![(*name).clone()])) {
        wrong.insert(format!("the layer `{name}` is no module"));
    }
    for arrow in tree.arrows() {
        let Some(from) = top(&arrow.from) else { continue };
        if arrow.through.is_empty() {
            wrong.insert(format!("{from} -> lib.rs"));
        }
        let above = arrow.through.iter().filter(|to| **to != from && place(to) >= place(&from));
        wrong.extend(above.map(|to| format!("{from} -> {to}")));
    }
    wrong
}

/// The module right below the crate that a file belongs to.
pub(crate) fn top(file: &str) -> Option<String> {
    let first = file.split('/').next()?.trim_end_matches(".rs");
    (first != "lib" && first != "main").then(|| first.to_owned())
}

/// Groups of nodes that lead to each other.
pub(crate) fn cycles(arrows: impl Iterator<Item = (String, String)>) -> Vec<BTreeSet<String>> {
    let mut next: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (from, to) in arrows.filter(|(from, to)| from != to) {
        next.entry(from).or_default().insert(to);
    }
    let reach = |start: &String| {
        let (mut seen, mut ahead) = (BTreeSet::new(), vec![start]);
        while let Some(node) = ahead.pop() {
            let fresh = next.get(node).into_iter().flatten().filter(|node| seen.insert((*node).clone()));
            ahead.extend(fresh);
        }
        seen
    };
    let reached: BTreeMap<&String, BTreeSet<String>> = next.keys().map(|node| (node, reach(node))).collect();
    let mut found = Vec::new();
    for (node, seen) in reached.iter().filter(|(node, seen)| seen.contains(**node)) {
        let is_back = |other: &&String| reached.get(*other).is_some_and(|seen| seen.contains(*node));
        let cycle: BTreeSet<String> = seen.iter().filter(is_back).cloned().collect();
        if !found.contains(&cycle) {
            found.push(cycle);
        }
    }
    found
}
