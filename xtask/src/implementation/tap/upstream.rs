//! Connections to the server in place of those of the real client.

use anyhow::{Context, Result};
use reqwest::Url;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use std::io;
use std::path::Path;
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

/// A connection, with TLS or without.
pub(super) trait Connection: AsyncRead + AsyncWrite + Send + Unpin {}

impl<C: AsyncRead + AsyncWrite + Send + Unpin> Connection for C {}

/// The server behind the tap.
#[derive(Clone)]
pub(super) struct Upstream {
    /// Its name or address, without brackets.
    name: String,
    port: u16,
    /// The `Host` that it expects.
    host: String,
    tls: Option<(TlsConnector, ServerName<'static>)>,
}

impl Upstream {
    /// A server at an address without a path. Nothing is sent yet.
    pub(super) fn new(address: &str, ca_cert: Option<&Path>) -> Result<Self> {
        let url = Url::parse(address).with_context(|| format!("`{address}` is not an address"))?;
        let host = url.host_str().context("the address names no host")?;
        let name = host.trim_start_matches('[').trim_end_matches(']').to_owned();
        let tls = match url.scheme() {
            "https" => {
                let known = ServerName::try_from(name.clone()).context("the address names no host")?;
                Some((TlsConnector::from(Arc::new(tls(ca_cert)?)), known))
            }
            _ => None,
        };
        let port = url.port_or_known_default().context("the address has no port")?;
        let host = url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"));
        Ok(Self { name, port, host, tls })
    }

    /// The `Host` header that the server expects.
    pub(super) fn host(&self) -> &str {
        &self.host
    }

    /// A new connection.
    pub(super) async fn connect(&self) -> io::Result<Box<dyn Connection>> {
        let stream = TcpStream::connect((self.name.as_str(), self.port)).await?;
        stream.set_nodelay(true)?;
        Ok(match &self.tls {
            Some((connector, name)) => Box::new(connector.connect(name.clone(), stream).await?),
            None => Box::new(stream),
        })
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
