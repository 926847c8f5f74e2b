//! The client that asks the server in place of the real one. It adds nothing, follows no redirect and has no time limit.

use super::body::Asked;
use anyhow::{Context, Result};
use hyper::header::HeaderValue;
use hyper::http::uri::{Authority, Scheme};
use hyper::{Request, Response, Uri};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// A connection that was idle for this long is not used again. Servers close theirs after two seconds or more, and a request must not meet
/// one that is being closed.
const IDLE: Duration = Duration::from_secs(1);

/// The server behind the tap.
#[derive(Clone)]
pub(super) struct Upstream {
    client: Client<HttpsConnector<HttpConnector>, Asked>,
    scheme: Scheme,
    authority: Authority,
    host: HeaderValue,
}

impl Upstream {
    /// A server at an address without a path. Nothing is sent yet.
    pub(super) fn new(address: &str, ca_cert: Option<&Path>) -> Result<Self> {
        let uri: Uri = address.parse().with_context(|| format!("`{address}` is no address"))?;
        let authority = uri.authority().context("the address names no host")?.clone();
        let host = authority.as_str().rsplit('@').next().unwrap_or_default();
        let host = HeaderValue::from_str(host).context("the address names no host")?;
        let mut connector = HttpConnector::new();
        connector.set_nodelay(true);
        connector.enforce_http(false);
        let https = HttpsConnectorBuilder::new().with_tls_config(tls(ca_cert)?).https_or_http().enable_http1();
        let client = Client::builder(TokioExecutor::new())
            .pool_idle_timeout(IDLE)
            .pool_timer(TokioTimer::new())
            .http1_preserve_header_case(true)
            .set_host(false)
            .build(https.wrap_connector(connector));
        let scheme = uri.scheme().cloned().unwrap_or(Scheme::HTTP);
        Ok(Self { client, scheme, authority, host })
    }

    /// The `Host` header that the server expects.
    pub(super) fn host(&self) -> HeaderValue {
        self.host.clone()
    }

    /// Passes a request on. Its address is a path.
    pub(super) async fn ask(
        &self,
        mut request: Request<Asked>,
    ) -> Result<Response<hyper::body::Incoming>, hyper_util::client::legacy::Error> {
        let mut parts = std::mem::take(request.uri_mut()).into_parts();
        (parts.scheme, parts.authority) = (Some(self.scheme.clone()), Some(self.authority.clone()));
        if let Ok(uri) = Uri::from_parts(parts) {
            *request.uri_mut() = uri;
        }
        self.client.request(request).await
    }
}

/// TLS with the certificates of the system and those of a file.
fn tls(ca_cert: Option<&Path>) -> Result<ClientConfig> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if let Some(file) = ca_cert {
        let wrong = || format!("the certificates of {} cannot be used", file.display());
        for certificate in CertificateDer::pem_file_iter(file).with_context(wrong)? {
            roots.add(certificate.with_context(wrong)?).with_context(wrong)?;
        }
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let versions = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
    Ok(versions.with_root_certificates(roots).with_no_client_auth())
}
