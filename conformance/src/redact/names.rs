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
/// Last words of names of headers, of arguments in addresses, of options and of variables; in a body they may mean anything.
const LAST: [&str; 18] = [
    "assertion",
    "auth",
    "dsn",
    "jwt",
    "key",
    "otp",
    "pass",
    "passcode",
    "pat",
    "pin",
    "psk",
    "pw",
    "pwd",
    "sas",
    "sessionid",
    "sid",
    "sig",
    "totp",
];
/// What is before the word `key` where that is no secret: it sorts, finds or counts.
const KEYS: [&str; 24] = [
    "cache",
    "column",
    "dedup",
    "deduplication",
    "event",
    "foreign",
    "group",
    "hash",
    "idempotency",
    "index",
    "lookup",
    "map",
    "message",
    "object",
    "order",
    "partition",
    "primary",
    "public",
    "range",
    "routing",
    "row",
    "sort",
    "surrogate",
    "websocket",
];
/// Other names of the same.
const SHORT: [&str; 6] = ["client_cert", "mcp_session_id", "session_id", "x_client_cert", "x_session", "x_session_id"];
/// Last words of names whose values are often anything else: a language has a code, and a meeting is a session.
const UNSURE: [&str; 4] = ["cert", "code", "session", "tokens"];
/// Last words of names whose value is a secret even where it is a number: other numbers of tokens count them.
const OF_NUMBERS: [&str; 11] =
    ["key", "otp", "passcode", "passphrase", "passwd", "password", "pin", "pwd", "secret", "token", "totp"];
/// Where an object has the value of what it is named after.
const INNER: [&str; 7] = ["key", "password", "plain", "raw", "secret", "token", "value"];

/// Whether the value of a header, of an argument in an address, of an option or of a variable is a secret.
pub(crate) fn is_secret(name: &str) -> bool {
    let name = plain(name);
    let is_of_x_auth = name.strip_prefix("x_auth").is_some_and(|rest| !rest.starts_with("or"));
    let is_known = || SHORT.contains(&name.as_str()) || name.contains("signature");
    says_so(&name) || is_of_x_auth || is_known() || ends_so(&name) || is_code_to_enter(&name)
}

/// Whether it may be one: its value has to look like one too.
pub(super) fn may_be_secret(name: &str) -> bool {
    UNSURE.contains(&last(&plain(name)))
}

/// Whether a name is worth a look at its value: it is a secret, or may be one.
pub(super) fn is_suspect(name: &str) -> bool {
    is_secret(name) || may_be_secret(name)
}

/// Whether the value of a field in a body is a secret.
pub(super) fn is_secret_field(name: &str) -> bool {
    says_so(&plain(name))
}

/// Whether it may be one: its value has to look like one too. Ids of sessions name what answers are about.
pub(super) fn may_be_secret_field(name: &str) -> bool {
    is_suspect(name) && !plain(name).ends_with("_id")
}

/// Whether a number by this name is a secret.
pub(super) fn is_secret_number(name: &str) -> bool {
    OF_NUMBERS.contains(&last(&plain(name)))
}

/// Whether an object that is named after a secret has its value in the field of this name.
pub(super) fn is_inner(name: &str) -> bool {
    INNER.contains(&plain(name).as_str())
}

fn says_so(name: &str) -> bool {
    // Tokens in the plural are counted, and kept by nobody.
    let is_token = |word: &str| word.contains("token") && !word.contains("tokens") && !word.contains("tokeni");
    name.split('_').any(is_token) || name.contains("secret") || WORDS.iter().any(|word| name.contains(word))
}

fn last(name: &str) -> &str {
    name.rsplit('_').next().unwrap_or(name)
}

/// Whether the last word says so, as in `X-Functions-Key`.
fn ends_so(name: &str) -> bool {
    let (before, last) = name.rsplit_once('_').unwrap_or(("", name));
    let before = before.rsplit('_').next().unwrap_or_default();
    LAST.contains(&last) && !(last == "key" && KEYS.contains(&before))
}

/// As in `X-Access-Code`.
fn is_code_to_enter(name: &str) -> bool {
    let before = name.strip_suffix("_code").and_then(|before| before.rsplit('_').next());
    before
        .is_some_and(|before| ["access", "auth", "login", "otp", "pass", "security", "verification"].contains(&before))
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
            "Mcp-Session-Id",
            "X-Functions-Key",
            "X-Master-Key",
            "X-Service-Key",
            "License-Key",
            "X-JWT",
            "X-Session",
            "X-Sid",
            "Sid",
            "X-OTP",
            "X-Api-Pass",
            "X-Access-Code",
            "X-Client-Cert",
            "sessionid",
            "assertion",
            "sas",
            "psk",
            "pw",
            "passcode",
            "OPENAI_KEY",
            "RAILS_MASTER_KEY",
            "GH_PAT",
            "MYSQL_DSN"
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
            "Idempotency-Key",
            "X-Request-Id",
            "Sort-Key",
            "Surrogate-Key",
            "partitionKey",
            "language_code",
            "code",
            "session",
            "monkey",
            "bypass",
            "compass",
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
    #[case("key", true)]
    #[case("code", true)]
    #[case("session", true)]
    #[case("tokens", true)]
    #[case("session_id", false)]
    #[case("sort_key", false)]
    #[case("title", false)]
    fn fields_whose_values_have_to_look_like_it(#[case] name: &str, #[case] due: bool) {
        assert_eq!(may_be_secret_field(name), due);
    }

    #[rstest]
    #[case("password", true)]
    #[case("apiKey", true)]
    #[case("token_count", false)]
    fn numbers(#[case] name: &str, #[case] due: bool) {
        assert_eq!(is_secret_number(name), due);
    }

    #[rstest]
    #[case("X-Api-Key", "X_API_KEY")]
    #[case("2nd key", "_2ND_KEY")]
    #[case("", "SECRET")]
    fn variables(#[case] name: &str, #[case] due: &str) {
        assert_eq!(variable(name), due);
    }
}
