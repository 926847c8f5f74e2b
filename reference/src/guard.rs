//! Whom a server on this machine answers. A page of any site can make a browser ask a server on loopback, under a name that the site
//! chooses, so only pages of this machine are answered there, and only under its names.

use crate::reply::failure;
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::middleware::{Next, from_fn};
use axum::response::Response;
use std::net::IpAddr;
use std::time::Duration;
use tokio::time::timeout;

/// The names of this machine.
const NAMES: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];
/// The largest body of a request, in bytes.
const LARGEST_BODY: usize = 4 << 20;

/// The routes behind the guard. `host` is the address that the server listens on; a body may take as long as `slow`.
pub(crate) fn guarded(routes: Router, host: IpAddr, slow: Duration) -> Router {
    routes.layer(from_fn(move |request: Request, next: Next| async move {
        if let Some(refusal) = refusal(request.uri(), request.headers(), host) {
            return refusal;
        }
        let (head, body) = request.into_parts();
        match timeout(slow, to_bytes(body, LARGEST_BODY)).await {
            Ok(Ok(body)) => next.run(Request::from_parts(head, Body::from(body))).await,
            Ok(Err(_)) => {
                failure(StatusCode::PAYLOAD_TOO_LARGE, "TOO_LARGE", "the body cannot be read, or is too large")
            }
            Err(_) => failure(StatusCode::REQUEST_TIMEOUT, "TOO_SLOW", "the body did not come in time"),
        }
    }))
}

/// The answer to a request that is not answered otherwise.
fn refusal(uri: &Uri, headers: &HeaderMap, host: IpAddr) -> Option<Response> {
    let forbidden = |why| Some(failure(StatusCode::FORBIDDEN, "FORBIDDEN", why));
    let mut hosts = headers.get_all(header::HOST).iter().map(|host| host.to_str().unwrap_or_default());
    let (Some(name), None) = (hosts.next(), hosts.next()) else {
        return Some(failure(StatusCode::BAD_REQUEST, "BAD_REQUEST", "a request needs one Host header"));
    };
    // We cannot know the names of another address.
    let mut named = uri.authority().map(|authority| authority.as_str()).into_iter().chain([name]);
    if host.is_loopback() && !named.all(is_ours) {
        return forbidden("the Host is not a name of this machine");
    }
    let is_of_ours = |origin: &str| {
        let authority = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        authority.is_some_and(is_ours)
    };
    let mut origins = headers.get_all(header::ORIGIN).iter().map(|origin| origin.to_str().unwrap_or_default());
    match origins.all(is_of_ours) {
        true => None,
        false => forbidden("the Origin is no page of this machine"),
    }
}

/// Whether a host, with its port or without, is this machine.
fn is_ours(authority: &str) -> bool {
    NAMES.iter().any(|name| {
        let has_name = authority.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
        let is_port = |rest: &str| rest.strip_prefix(':').is_some_and(|port| port.parse::<u16>().is_ok());
        has_name && (authority.len() == name.len() || is_port(&authority[name.len()..]))
    })
}
