//! The nearest known name, for messages about unknown ones.

/// The name among `known` that is nearest to `name`, when one is near at all.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    known
        .into_iter()
        .map(|candidate| (strsim::jaro_winkler(name, candidate), candidate))
        .filter(|(likeness, _)| *likeness > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}

/// `: did you mean …?`, or the list of what is known, to be put behind a message.
pub fn hint<'a>(name: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> String {
    match nearest(name, known.clone()) {
        Some(near) => format!("; did you mean `{near}`?"),
        None => {
            let all: Vec<&str> = known.into_iter().collect();
            if all.is_empty() || all.len() > 12 { String::new() } else { format!("; known are {}", all.join(", ")) }
        }
    }
}
