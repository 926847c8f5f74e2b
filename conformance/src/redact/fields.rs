//! What the fields of a body tell, at any depth, also where a text of it is JSON.

use super::looks::{is_no_word, is_token};
use super::names::{is_inner, is_secret_field, is_secret_number, may_be_secret_field, variable};
use super::secrets::Secrets;
use serde::Deserializer;
use serde::de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use std::fmt;

/// JSON in JSON is read so many times.
const DEEPEST: u8 = 3;
/// Where an object tells the name of a value that is beside it, as a list of headers does.
const NAMES: [&str; 4] = ["field", "header", "key", "name"];

impl Secrets {
    /// What fields of a value tell, at any depth.
    pub fn fields(&mut self, value: &Value) {
        // A value that was read can be read again.
        let _ = Fields { secrets: self, within: Within::Nothing, depth: 0, is_wanted: false }.deserialize(value);
    }
}

/// What the name of a field says about what is in it.
#[derive(Clone)]
enum Within {
    Nothing,
    /// A secret by this name.
    Secret(String),
    /// A secret if it looks like one.
    Maybe(String),
    /// An object that describes the secret by this name, or holds it.
    Described(String),
}

/// Goes through a value without a copy of it.
struct Fields<'s> {
    secrets: &'s mut Secrets,
    within: Within,
    depth: u8,
    /// Whether a text is handed back.
    is_wanted: bool,
}

impl Fields<'_> {
    fn text(&mut self, text: &str) {
        match &self.within {
            // A scheme such as `Bearer` is no part of it.
            Within::Secret(name) => {
                self.secrets.keep(variable(name), text);
                if let Some((_, secret)) = text.split_once(' ').filter(|(_, secret)| is_token(secret)) {
                    self.secrets.keep(variable(name), secret);
                }
            }
            Within::Maybe(name) | Within::Described(name) if is_token(text) => self.secrets.keep(variable(name), text),
            _ => {}
        }
        if self.depth < DEEPEST && text.trim_start().starts_with(['{', '[']) {
            let mut reader = serde_json::Deserializer::from_str(text);
            let within =
                Fields { secrets: self.secrets, within: Within::Nothing, depth: self.depth + 1, is_wanted: false };
            if within.deserialize(&mut reader).is_ok() && reader.end().is_ok() {
                return;
            }
        }
        self.secrets.said(text);
    }

    fn number(&mut self, number: impl fmt::Display) {
        match &self.within {
            Within::Secret(name) if is_secret_number(name) => self.secrets.keep(variable(name), &number.to_string()),
            _ => {}
        }
    }

    /// What is in a field of an object.
    fn below(&self, name: &str) -> Within {
        if is_secret_field(name) {
            return Within::Secret(name.to_owned());
        }
        match &self.within {
            Within::Secret(outer) | Within::Described(outer) if is_inner(name) => Within::Secret(outer.clone()),
            _ if may_be_secret_field(name) => Within::Maybe(name.to_owned()),
            Within::Secret(outer) | Within::Described(outer) => Within::Described(outer.clone()),
            Within::Nothing | Within::Maybe(_) => Within::Nothing,
        }
    }
}

impl<'de> DeserializeSeed<'de> for Fields<'_> {
    type Value = Option<String>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Fields<'_> {
    type Value = Option<String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_str<E: Error>(mut self, text: &str) -> Result<Self::Value, E> {
        self.text(text);
        Ok(self.is_wanted.then(|| text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut values: A) -> Result<Self::Value, A::Error> {
        let Self { secrets, within, depth, .. } = self;
        while values
            .next_element_seed(Fields { secrets: &mut *secrets, within: within.clone(), depth, is_wanted: false })?
            .is_some()
        {}
        Ok(None)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Self::Value, A::Error> {
        let (mut named, mut given) = (None, None);
        while let Some(name) = fields.next_key::<String>()? {
            let (is_name, is_value) = (NAMES.contains(&name.as_str()), name == "value");
            let within = self.below(&name);
            let is_wanted = is_name || is_value;
            let text =
                fields.next_value_seed(Fields { secrets: &mut *self.secrets, within, depth: self.depth, is_wanted })?;
            match text {
                Some(text) if is_value => given = Some(text),
                Some(text) if named.is_none() => named = Some(text),
                _ => {}
            }
        }
        if let (Some(name), Some(value)) = (named, given)
            && (is_secret_field(&name) && is_no_word(&value) || may_be_secret_field(&name) && is_token(&value))
        {
            self.secrets.named(&name, &value);
        }
        Ok(None)
    }

    fn visit_u64<E: Error>(mut self, number: u64) -> Result<Self::Value, E> {
        self.number(number);
        Ok(None)
    }

    fn visit_i64<E: Error>(mut self, number: i64) -> Result<Self::Value, E> {
        self.number(number);
        Ok(None)
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Redactor;
    use super::*;
    use rstest::rstest;
    use serde_json::json;

    fn shown(value: &Value) -> String {
        let mut secrets = Secrets::default();
        secrets.fields(value);
        Redactor::new(secrets).redacted(&value.to_string())
    }

    #[rstest]
    #[case::a_field(json!({ "password": "Qz8vTokAbC9dEf" }))]
    #[case::json_in_a_text(json!([{ "type": "text", "text": r#"{"password": "Qz8vTokAbC9dEf"}"# }]))]
    #[case::json_in_json_in_a_text(json!({ "text": json!({ "text": r#"{"api_key":"Qz8vTokAbC9dEf"}"# }).to_string() }))]
    #[case::json_that_is_cut(json!({ "text": r#"{"password": "Qz8vTokAbC9dEf", "x"#}))]
    #[case::a_line(json!({ "text": "token: Qz8vTokAbC9dEf and more" }))]
    #[case::an_address(json!({ "text": "see https://u:Qz8vTokAbC9dEf@h/ for it" }))]
    #[case::an_argument(json!({ "text": "see https://h/?api_key=Qz8vTokAbC9dEf for it" }))]
    #[case::a_signature(json!({ "url": "https://h/?sig=Qz8vTokAbC9dEf" }))]
    #[case::a_list(json!({ "token": ["Qz8vTokAbC9dEf"] }))]
    #[case::a_list_of_several(json!({ "tokens": ["Qz8vTokAbC9dEf"] }))]
    #[case::an_object(json!({ "secret": { "value": "Qz8vTokAbC9dEf" } }))]
    #[case::a_short_name(json!({ "pwd": "Qz8vTokAbC9dEf" }))]
    #[case::a_session(json!({ "session": "Qz8vTokAbC9dEf" }))]
    #[case::a_number(json!({ "password": 987_654_321_012_345_u64 }))]
    #[case::a_header(json!([{ "name": "Authorization", "value": "Bearer Qz8vTokAbC9dEf" }]))]
    fn what_a_body_tells_is_known(#[case] value: Value) {
        let shown = shown(&value);
        let is_kept = shown.contains("Qz8vTokAbC9dEf") || shown.contains("987654321012345");
        assert!(!is_kept && shown.contains("[redacted: "), "{shown}");
    }

    #[rstest]
    #[case::a_schema(json!({ "properties": { "password": { "type": "string", "description": "Your password" } } }))]
    #[case::a_count(json!({ "token_count": 123_456, "max_tokens": 654_321, "tokens": ["window", "Terrace2"] }))]
    #[case::a_key_of_a_map(json!({ "key": "favourite-colour", "value": "dark green" }))]
    #[case::a_language(json!({ "code": "de-CH-1996" }))]
    #[case::a_sentence(json!({ "text": "password: forgotten, token: whatever, key: important" }))]
    #[case::an_id(json!({ "session_id": "aB3dE5gH7jK9", "session": "2026-05-03-standup" }))]
    fn anything_else_stays(#[case] value: Value) {
        assert_eq!(shown(&value), value.to_string());
    }
}
