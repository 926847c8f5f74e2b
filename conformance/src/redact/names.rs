//! The names of headers and arguments whose values are secrets: one list, whoever speaks.

/// Words that make any name with them one of a secret.
const WORDS: [&str; 11] = [
    "access_key",
    "api_key",
    "apikey",
    "authorization",
    "cookie",
    "credential",
    "passphrase",
    "passwd",
    "password",
    "private_key",
    "subscription_key",
];
/// Names of headers, of arguments in addresses and of options; in a body they may mean anything.
const SHORT: [&str; 9] = ["auth", "key", "mcp_session_id", "pass", "pwd", "session_id", "sig", "x_key", "x_session_id"];

/// Whether the value of a header, of an argument in an address or of an option is a secret.
pub(super) fn is_secret(name: &str) -> bool {
    let name = plain(name);
    let is_of_x_auth = name.strip_prefix("x_auth").is_some_and(|rest| !rest.starts_with("or"));
    says_so(&name) || name.contains("signature") || is_of_x_auth || SHORT.contains(&name.as_str())
}

/// Whether the value of a field in a body is a secret.
pub(super) fn is_secret_field(name: &str) -> bool {
    says_so(&plain(name))
}

fn says_so(name: &str) -> bool {
    // Tokens in the plural are counted, and kept by nobody.
    let is_token = |word: &str| word.contains("token") && !word.contains("tokens") && !word.contains("tokeni");
    name.split('_').any(is_token) || name.contains("secret") || WORDS.iter().any(|word| name.contains(word))
}

/// `X-Api-Key` and `xApiKey` as `x_api_key`.
fn plain(name: &str) -> String {
    let mut plain = String::with_capacity(name.len() + 4);
    let mut was_small = false;
    for character in name.trim_start_matches('-').chars() {
        if was_small && character.is_ascii_uppercase() {
            plain.push('_');
        }
        was_small = character.is_ascii_lowercase() || character.is_ascii_digit();
        let is_of_word = character.is_alphanumeric();
        plain.push(if is_of_word { character.to_ascii_lowercase() } else { '_' });
    }
    plain
}

/// What a shell can call a secret that goes by this name: `X-Api-Key` as `X_API_KEY`.
pub(super) fn variable(name: &str) -> String {
    let letter = |character: char| if character.is_ascii_alphanumeric() { character.to_ascii_uppercase() } else { '_' };
    let variable: String = name.trim_start_matches('-').chars().map(letter).collect();
    match variable.chars().next() {
        None => "SECRET".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("_{variable}"),
        Some(_) => variable,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    fn names_of_secrets(
        #[values(
            "Authorization",
            "Proxy-Authorization",
            "Cookie",
            "Set-Cookie",
            "Api-Key",
            "X-Api-Key",
            "X-Key",
            "X-Auth",
            "X-Auth-User",
            "X-Authentication",
            "X-Secret",
            "X-Signature",
            "Ocp-Apim-Subscription-Key",
            "access_token",
            "accessToken",
            "csrftoken",
            "DB_PASSWORD",
            "--api-key",
            "clientSecret",
            "apikey",
            "key",
            "sig",
            "signature",
            "auth",
            "pass",
            "X-Amz-Signature",
            "Mcp-Session-Id"
        )]
        name: &str,
    ) {
        assert!(is_secret(name));
    }

    #[rstest]
    fn names_of_anything_else(
        #[values(
            "X-Author",
            "author",
            "max_tokens",
            "tokens",
            "tokenizer",
            "keyword",
            "keys",
            "passage",
            "top_k",
            "PORT",
            "LOGNAME",
            "design",
            "host",
            ""
        )]
        name: &str,
    ) {
        assert!(!is_secret(name));
    }

    #[rstest]
    #[case("password", true)]
    #[case("apiToken", true)]
    #[case("key", false)]
    #[case("pass", false)]
    #[case("session_id", false)]
    fn fields_of_a_body(#[case] name: &str, #[case] due: bool) {
        assert_eq!(is_secret_field(name), due);
    }

    #[rstest]
    #[case("X-Api-Key", "X_API_KEY")]
    #[case("2nd key", "_2ND_KEY")]
    #[case("", "SECRET")]
    fn variables(#[case] name: &str, #[case] due: &str) {
        assert_eq!(variable(name), due);
    }
}
