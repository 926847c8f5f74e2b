//! Messages whose own words stay, and whose quotes are hidden.
//!
//! The judge quotes what it received as JSON or in code: between quotation marks or backticks. What is outside of them is its own wording
//! where every word is one of its words. Any other message may quote an answer without a mark, and is hidden as a whole.

use std::collections::HashSet;
use std::sync::LazyLock;

/// The words that the judge's own sentences are made of. A word that lacks here only hides a message.
const WORDS: &str = "a above accepted advertised after again all alone already also among an and another answer answered answers any \
    are argument arguments array as asked at be because before below between both but by byte bytes call called calls can cannot case \
    changed character characters closed compare compared connection contain contains corpus could count date day declares descending did \
    differ differed differs do document documents does due duplicate each earlier either empty end ended ends equal era every examined \
    exchange exercised exercises expected failed fails false few fewer field fields finds first followed follows for form found from get gives \
    had has have header headers held here hold holds in into invalid is it item items its kept key later leads least left length less limit \
    line lines list listed made many match matches missing more most must name names needs neither never newer no none nor not nothing \
    null number numbers object of older on once one ones only or order other others out over page pages passes path place present read \
    received refused repeated repeats request requested required requires result results run said same says schema second selected sent \
    server session shorter should shown since skipped smaller so some sorted status step string such takes tested than that the their them \
    then there these they this those time times to together too tool tools transport true twice twin type under unique unknown until used \
    valid value values was were what where which while who whose why with within without word words would wrong zone";

static OWN: LazyLock<HashSet<&str>> = LazyLock::new(|| WORDS.split_whitespace().collect());

/// A message with its quotes hidden; nothing where it may hold more than the judge's own words. `known` says which other words are ours,
/// and `hide` what stands for a quote.
pub(super) fn without_quotes(
    message: &str,
    known: impl Fn(&str) -> bool,
    hide: impl Fn(&str) -> String,
) -> Option<String> {
    let is_own = |word: &str| {
        OWN.contains(word.to_lowercase().as_str()) || known(word) || word.chars().all(|one| one.is_ascii_digit())
    };
    let mut shown = String::new();
    let mut rest = message;
    while let Some(start) = rest.find(['"', '`']) {
        let (own_words, quote) = rest.split_at(start);
        shown.push_str(own_words);
        let mark = &quote[..1];
        let end = closing(quote);
        // A quote that is cut hides all that follows.
        let (quoted, after) = end.map_or((&quote[1..], ""), |end| (&quote[1..end], &quote[end + 1..]));
        let text = match mark {
            "\"" => serde_json::from_str(&quote[..=end.unwrap_or(0)]).unwrap_or_else(|_| quoted.to_owned()),
            _ => quoted.to_owned(),
        };
        if !words(own_words).all(is_own) {
            return None;
        }
        shown.push_str(&format!("{mark}{}{mark}", hide(&text)));
        rest = after;
    }
    shown.push_str(rest);
    words(rest).all(is_own).then_some(shown)
}

/// Where the quotation mark or backtick closes that a text begins with. Backslashes escape within quotation marks.
fn closing(quote: &str) -> Option<usize> {
    let mark = quote.as_bytes()[0];
    let mut is_escaped = false;
    for (at, byte) in quote.bytes().enumerate().skip(1) {
        match byte {
            b'\\' if mark == b'"' && !is_escaped => is_escaped = true,
            _ if byte == mark && !is_escaped => return Some(at),
            _ => is_escaped = false,
        }
    }
    None
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_' && letter != '-')
        .filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::without_quotes;
    use rstest::rstest;

    #[rstest]
    #[case::fixed("the call was refused", Some("the call was refused"))]
    #[case::numbers("3 comes", None)]
    #[case::quoted(r#"line 1 is "my \"own\" words"; expected `a b`"#, Some(r#"line 1 is "?"; expected `?`"#))]
    #[case::cut(r#"expected "the call and mor…"#, Some(r#"expected "?""#))]
    #[case::unquoted("expected Marzipan", None)]
    #[case::between_backticks("`a` Marzipan `b`", None)]
    #[case::after_a_quote(r#""a" Marzipan"#, None)]
    fn only_our_words_stay(#[case] message: &str, #[case] shown: Option<&str>) {
        assert_eq!(without_quotes(message, |_| false, |_| "?".to_owned()).as_deref(), shown);
    }
}
