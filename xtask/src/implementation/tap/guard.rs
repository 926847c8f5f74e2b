//! Whom a tap on this machine serves. A page of any site can make a browser ask a server on loopback, under a name that the site
//! chooses. The server behind the tap cannot notice that, since the tap asks it under its own name, so the tap does.

use super::framing::Fields;
use super::head::RequestHead;
use reqwest::StatusCode;

/// The names of this machine, under which a tap on loopback is asked.
const NAMES: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// Why a request is not passed on: the status and a sentence. `on_loopback` says that only this machine can reach the tap; the names of
/// another address are not known.
pub(super) fn refusal(head: &RequestHead, on_loopback: bool) -> Option<(StatusCode, &'static str)> {
    if head.method == "CONNECT" {
        return Some((StatusCode::METHOD_NOT_ALLOWED, "the tap stands before one server and makes no tunnels"));
    }
    let mut hosts = values(&head.fields, "host");
    let (Some(host), None) = (hosts.next(), hosts.next()) else {
        return Some((StatusCode::BAD_REQUEST, "the request needs one Host header"));
    };
    let named = head.authority.as_deref().into_iter().chain([host]);
    if on_loopback && !named.into_iter().all(is_ours) {
        return Some((StatusCode::FORBIDDEN, "the Host is not a name of this machine"));
    }
    let is_of_ours = |origin: &str| {
        let authority = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        authority.is_some_and(is_ours)
    };
    match values(&head.fields, "origin").all(is_of_ours) {
        true => None,
        false => Some((StatusCode::FORBIDDEN, "the Origin is no page of this machine")),
    }
}

fn values<'f>(fields: &'f Fields, name: &'static str) -> impl Iterator<Item = &'f str> {
    let lines = fields.iter().filter(move |(known, _)| known == name);
    lines.map(|(_, value)| std::str::from_utf8(value).unwrap_or_default().trim())
}

/// Whether a host, with its port or without, is this machine.
fn is_ours(authority: &str) -> bool {
    NAMES.iter().any(|name| {
        let has_name = authority.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
        has_name && is_port(&authority[name.len()..])
    })
}

/// Whether this is what may follow the name of a host: nothing, or a port.
fn is_port(rest: &str) -> bool {
    rest.is_empty() || rest.strip_prefix(':').is_some_and(|port| port.parse::<u16>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::refusal;
    use crate::implementation::tap::head::{Read, RequestHead};
    use rstest::rstest;

    #[rstest]
    #[case("Host: 127.0.0.1:9000", None, None)]
    #[case("Host: LocalHost", None, None)]
    #[case("Host: [::1]:80\r\nOrigin: http://localhost:5173", None, None)]
    #[case("Host: evil.example:9000", Some(403), None)]
    #[case("Host: localhost.evil.example", Some(403), None)]
    #[case("Host: 127.0.0.1:9000@evil.example", Some(403), None)]
    #[case("Host: localhost\r\nOrigin: https://evil.example", Some(403), Some(403))]
    #[case("Host: localhost\r\nOrigin: null", Some(403), Some(403))]
    #[case("Host: localhost\r\nOrigin: http://localhost:1\r\nOrigin: http://evil.example", Some(403), Some(403))]
    #[case("Host: localhost\r\nHost: evil.example", Some(400), Some(400))]
    #[case("X-Host: localhost", Some(400), Some(400))]
    fn only_names_and_pages_of_this_machine_are_served(
        #[case] lines: &str,
        #[case] on_loopback: Option<u16>,
        #[case] elsewhere: Option<u16>,
    ) {
        for (target, also) in [("/a", None), ("http://127.0.0.1:9000/a", None), ("http://evil.example/a", Some(403))] {
            let head = format!("GET {target} HTTP/1.1\r\n{lines}\r\n\r\n");
            let Read::Head(head, _) = RequestHead::read(head.as_bytes()) else { panic!("{head}") };
            assert_eq!(head.target, "/a");
            assert_eq!(
                refusal(&head, true).map(|(status, _)| status.as_u16()),
                on_loopback.or(also),
                "{target} {lines}"
            );
            assert_eq!(refusal(&head, false).map(|(status, _)| status.as_u16()), elsewhere, "{target} {lines}");
        }
    }
}
