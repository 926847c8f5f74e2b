//! Words of commands that a person pastes into a shell: exact, and inert in every other respect.

use super::inert;
use std::path::Path;

/// Why a word cannot be given to a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no command can pass a NUL byte to a program")]
pub struct HoldsNul;

/// A word as a shell reads it.
///
/// A word that does not show in full, or that a runner of a CI could take for a command, is written as `$'…'`, with two digits of
/// hexadecimal for each byte that is left out. A shell that knows no `$'…'` sees a plain quoted text: since neither a quote nor
/// a backslash is in there, nothing of it can run.
///
/// # Errors
/// When it holds a NUL byte, which ends every argument.
pub fn word(word: impl AsRef<[u8]>) -> Result<String, HoldsNul> {
    let bytes = word.as_ref();
    if bytes.contains(&0) {
        return Err(HoldsNul);
    }
    match str::from_utf8(bytes) {
        Ok(text) if inert::line(text) == text => shlex::try_quote(text).map(Into::into).map_err(|_| HoldsNul),
        _ => {
            let pieces = bytes.utf8_chunks().map(|chunk| escaped(chunk.valid()) + &hex(chunk.invalid()));
            Ok(format!("$'{}'", pieces.collect::<String>()))
        }
    }
}

/// A path as a shell reads it. No path holds a NUL byte.
pub fn path(path: &Path) -> String {
    word(path.as_os_str().as_encoded_bytes()).unwrap_or_else(|nul| format!("'{nul}'"))
}

fn escaped(text: &str) -> String {
    let text = text.replace('\\', &hex(b"\\")).replace('\'', &hex(b"'"));
    inert::written(&text, |to, hidden| to.push_str(&hex(hidden.encode_utf8(&mut [0; 4]).as_bytes())))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("\\x{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::word;
    use rstest::rstest;

    #[rstest]
    #[case::plain("a b", "'a b'")]
    #[case::a_quote("it's", "\"it's\"")]
    #[case::an_escape("\u{1b}c 'x' \\", "$'\\x1bc \\x27x\\x27 \\x5c'")]
    #[case::lines("a\nb", "$'a\\x0ab'")]
    #[case::a_command("::add-mask::$(x)", "$'\\x3a:add-mask::$(x)'")]
    #[case::invisible("a\u{ad}", "$'a\\xc2\\xad'")]
    fn a_word_is_inert(#[case] text: &str, #[case] quoted: &str) {
        assert_eq!(word(text).as_deref(), Ok(quoted));
    }

    #[test]
    fn bytes_that_are_no_text_are_kept() {
        assert_eq!(word([b'a', 0xff, b'\'', 0xc2]).as_deref(), Ok("$'a\\xff\\x27\\xc2'"));
    }

    #[test]
    fn a_word_with_nul_is_none() {
        assert_eq!(
            word("a\0$(x)").map_err(|error| error.to_string()),
            Err("no command can pass a NUL byte to a program".to_owned())
        );
    }
}
