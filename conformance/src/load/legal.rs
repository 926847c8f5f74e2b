//! Legal answers, read and ready to be tried.

use super::{Case, Problems};
use crate::model::LegalAnswer;
use crate::rewrite::Rewriting;

/// A legal answer, ready to be tried.
#[derive(Debug, Clone)]
pub struct Legal {
    /// What the file says.
    pub answer: LegalAnswer,
    /// Its changes of recorded replies; none where it names a variant of the reference.
    pub(crate) rewritings: Vec<Rewriting>,
}

impl Legal {
    /// Whether it applies to a case.
    pub(crate) fn has_case(&self, case: &Case) -> bool {
        let (excluded, named): (Vec<&str>, Vec<&str>) =
            self.answer.cases.iter().map(String::as_str).partition(|pattern| pattern.starts_with('!'));
        let sends = |name: &String| case.steps.iter().any(|step| step.arguments().any(|sent| sent == name));
        (named.is_empty() || named.iter().any(|pattern| fits(pattern, &case.name)))
            && !excluded.iter().any(|pattern| fits(&pattern[1..], &case.name))
            && !self.answer.without.iter().any(sends)
    }
}

/// Whether a name fits a pattern in which `*` is any text.
pub(super) fn fits(pattern: &str, name: &str) -> bool {
    let Some((head, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(name) = name.strip_prefix(head) else { return false };
    let mut ends = name.char_indices().map(|(at, _)| at).chain([name.len()]);
    ends.any(|at| fits(rest, &name[at..]))
}

/// Makes the legal answers of a file ready.
pub(super) fn ready(answers: Vec<LegalAnswer>, found: &mut Problems<'_>) -> Vec<Legal> {
    let mut legal = Vec::new();
    for (at, answer) in answers.into_iter().enumerate() {
        let mut rewritings = Vec::new();
        for (number, rewrite) in answer.rewrite.iter().enumerate() {
            match Rewriting::read(rewrite, &answer.of) {
                Ok(rewriting) => rewritings.push(rewriting),
                Err(wrong) => found.add(format!("/legal/{at}/rewrite/{number}{}", wrong.at), wrong.message),
            }
        }
        legal.push(Legal { answer, rewritings });
    }
    legal
}

#[cfg(test)]
mod tests {
    use super::fits;
    use rstest::rstest;

    #[rstest]
    #[case("browse/first", "browse/first", true)]
    #[case("browse/first", "browse/first-page", false)]
    #[case("browse/*", "browse/first", true)]
    #[case("*first*", "browse/first-page", true)]
    #[case("*/a*b", "x/a/b/c", false)]
    #[case("*/a*b", "x/a/c/b", true)]
    fn a_star_is_any_text(#[case] pattern: &str, #[case] name: &str, #[case] expected: bool) {
        assert_eq!(fits(pattern, name), expected);
    }
}
