//! Messages from before it is known what is secret: about an address that is none, a file that cannot be read.

use super::{Redactor, Secrets};

/// A text without what looks like a secret by the name before it.
pub fn without_secrets(text: &str) -> String {
    let mut secrets = Secrets::default();
    secrets.text(text);
    Redactor::new(secrets).redacted(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case::an_address("`http://me:hunter2hunter2@[` is not an address", "hunter2")]
    #[case::a_query("`http://[?api_key=hunter2hunter2&a=b`", "hunter2")]
    #[case::toml(r#"headers = { Authorization = "Bearer hunter2hunter2", x = 1"#, "hunter2")]
    #[case::toml_with_blanks(r#"X-Api-Key = "hunter2 hunter2""#, "hunter2")]
    #[case::toml_in_single_marks("password = 'hunter2hunter2", "hunter2")]
    #[case::json(r#"{"access_token": "hunter2\"hunter2"}"#, "hunter2")]
    #[case::a_header("Authorization: Bearer hunter2hunter2", "hunter2")]
    #[case::an_option("`server --api-key hunter2hunter2 'open`", "hunter2")]
    #[case::an_option_with_its_value("`server --token=hunter2hunter2 'open`", "hunter2")]
    fn what_looks_like_a_secret_is_taken_out(#[case] text: &str, #[case] secret: &str) {
        let shown = without_secrets(text);
        assert!(!shown.contains(secret) && shown.contains("[redacted: "), "{shown}");
    }

    #[rstest]
    #[case("`http://127.0.0.1:9000/a?page=second-page` is not an address: relative URL without a base")]
    #[case("expected `=` at line 3, column 17: start = [\"node\", \"--port\", \"{port}\"]")]
    fn anything_else_stays(#[case] text: &str) {
        assert_eq!(without_secrets(text), text);
    }
}
