//! JSON Pointers, RFC 6901: where something is in evidence or in a file.

use jsonptr::{Pointer, Token};

/// A name as it is written in a pointer.
pub(crate) fn escaped(name: &str) -> String {
    Token::new(name).encoded().to_owned()
}

/// The pointer to the object or list that holds what this one points to; the whole where it is no pointer.
pub(crate) fn parent(pointer: &str) -> &str {
    split(pointer).map_or("", |(parent, _)| parent)
}

/// The pointer to the object or list that holds what this one points to, and the name or index in there.
pub(crate) fn split(pointer: &str) -> Option<(&str, String)> {
    let (parent, last) = Pointer::parse(pointer).ok()?.split_back()?;
    Some((parent.as_str(), last.decoded().into_owned()))
}

/// The step and the exchange of a pointer into evidence.
pub(crate) fn exchange(pointer: &str) -> Option<(usize, usize)> {
    let mut tokens = Pointer::parse(pointer).ok()?.tokens();
    let mut number = || tokens.next()?.encoded().parse().ok();
    Some((number()?, number()?))
}

/// The names and indices of a pointer, one by one.
pub(crate) fn tokens(pointer: &str) -> Vec<String> {
    let tokens = Pointer::parse(pointer).into_iter().flat_map(Pointer::tokens);
    tokens.map(|token| token.decoded().into_owned()).collect()
}

/// The same pointer through other names.
pub(crate) fn renamed(pointer: &str, name: impl Fn(&str) -> String) -> String {
    tokens(pointer).iter().map(|token| format!("/{}", escaped(&name(token)))).collect()
}
