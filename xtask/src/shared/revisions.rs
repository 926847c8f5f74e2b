//! Revisions of contracts as they are given on a command line.

use conformance::model::ContractKey;

/// Reads a contract with its revision: a name, `@` and a number.
pub(crate) fn parsed(text: &str) -> Result<ContractKey, String> {
    let key = ContractKey::from(text);
    match text.contains('@') && key.name() != text {
        true => Ok(key),
        false => Err("a revision is CONTRACT@NUMBER, from 1 on".to_owned()),
    }
}
