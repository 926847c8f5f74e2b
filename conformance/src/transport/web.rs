//! What everything over HTTP shares: one client that keeps its connections, and reading within limits.

use super::Limits;
use super::arriving::Arriving;
use super::broken::causes;
use super::caller::Caller;
use crate::model::Failure;
use crate::text::plural;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Certificate, Client, Url, header, redirect};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// What our requests say they are from: some servers refuse those that do not say it.
const USER_AGENT: &str = concat!("retrieval-contracts/", env!("CARGO_PKG_VERSION"));

/// How a server is spoken to.
#[derive(Debug)]
pub struct HttpOptions<'o> {
    /// Headers of every request.
    pub headers: &'o BTreeMap<String, String>,
    /// Certificates to trust besides those of the system.
    pub ca_cert: Option<&'o Path>,
    /// Take any certificate.
    pub insecure: bool,
    /// The limits of one call.
    pub limits: Limits,
}

/// What sends requests to an address. Nothing is sent yet.
pub(super) fn client(address: &str, options: &HttpOptions<'_>) -> Result<(Caller, Url), String> {
    // A second installation changes nothing, which is no error.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let address = Url::parse(address).map_err(|error| match error {
        _ if !address.contains("://") => format!("{address} has no scheme; did you mean http://{address}?"),
        error => format!("`{address}` is not an address: {error}"),
    })?;
    if !matches!(address.scheme(), "http" | "https") || address.host_str().is_none() {
        return Err(format!("`{address}` is not an HTTP address, as in http://127.0.0.1:3000"));
    }
    let headers = headers(options.headers)?;
    let certificates = options.ca_cert.map_or_else(|| Ok(Vec::new()), certificates)?;
    let (insecure, time) = (options.insecure, options.limits.time / 2);
    // Nothing leaves the origin of an address, so the certificates of a system that has none are not missed where there is no TLS.
    let is_plain = address.scheme() == "http";
    let builder = move || {
        let builder = Client::builder();
        let builder = match is_plain {
            true => builder.tls_certs_only(certificates.clone()),
            false => builder.tls_certs_merge(certificates.clone()),
        };
        builder
            .no_proxy()
            .user_agent(USER_AGENT)
            .default_headers(headers.clone())
            .redirect(redirect::Policy::none())
            .tcp_nodelay(true)
            .connect_timeout(time)
            .tls_danger_accept_invalid_certs(insecure)
    };
    let why = |error: reqwest::Error| causes(&error).last().map_or_else(|| error.to_string(), ToString::to_string);
    let caller = Caller::new(builder).map_err(|error| format!("no HTTP client can be made: {}", why(error)))?;
    Ok((caller, address))
}

fn certificates(file: &Path) -> Result<Vec<Certificate>, String> {
    let wrong = |error: String| format!("the certificates of {} cannot be used: {error}", file.display());
    let pem = crate::files::bytes(file).map_err(|error| wrong(error.to_string()))?;
    Certificate::from_pem_bundle(&pem).map_err(|error| wrong(error.to_string()))
}

fn headers(named: &BTreeMap<String, String>) -> Result<HeaderMap, String> {
    let mut headers = HeaderMap::new();
    // What arrives is judged as it is; a server that compresses all the same is read too.
    headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("identity"));
    for (name, value) in named {
        let wrong = |error: String| format!("the header `{name}` cannot be sent: {error}");
        let name = HeaderName::try_from(name).map_err(|error| wrong(error.to_string()))?;
        // The value may be a secret, so the message does not show it.
        let value =
            HeaderValue::from_str(value).map_err(|_| wrong("its value is not a valid header value".to_owned()))?;
        headers.insert(name, value);
    }
    Ok(headers)
}

/// Whether an address is on this machine, by one of the names that every machine has for itself.
pub(super) fn is_this_machine(address: &Url) -> bool {
    matches!(address.host_str(), Some("localhost" | "127.0.0.1" | "[::1]"))
}

/// The body of a response, up to a limit; why it could not be read to its end.
pub(super) async fn read(mut response: Arriving, limit: usize) -> (Vec<u8>, Option<Failure>) {
    let mut body = Vec::new();
    loop {
        match response.piece().await {
            Ok(Some(chunk)) => {
                body.extend_from_slice(&chunk);
                if body.len() > limit {
                    body.truncate(limit);
                    return (body, Some(Failure::TooLarge(limit)));
                }
            }
            Ok(None) => return (body, None),
            Err(failure) => return (body, Some(failure)),
        }
    }
}

/// The first headers of a response, as text.
pub(super) fn plain_headers(response: &Arriving) -> Map<String, Value> {
    let mut headers = Map::new();
    for (name, value) in response.headers().iter().take(64) {
        headers.insert(name.to_string(), Value::from(String::from_utf8_lossy(value.as_bytes())));
    }
    headers
}

/// Why a 401 says nothing of a server that has let us in so many times before; nothing where it never has.
pub(super) fn token_refused(let_in: usize) -> Option<Failure> {
    (let_in > 0).then(|| {
        Failure::Hindered(format!(
            "the token was refused (401) after {}: it has expired, or is not valid here; give one that lasts longer",
            plural(let_in, "answer")
        ))
    })
}

/// Why a request is sent again that had no answer beside others.
pub(super) fn asked_alone(time: Duration) -> String {
    format!("no answer within {} s while other requests were under way", time.as_secs())
}
