//! HTTP: every request goes to the server unchanged, and every answer comes back unchanged.

use super::body::{Answer, Asked, Passing, chain};
use super::line::{Line, What};
use super::upstream::Upstream;
use crate::shared::interrupts::interrupt;
use crate::shared::print::tell;
use anyhow::{Context, Result};
use bytes::Bytes;
use conformance::tap::{Ended, Request as Head};
use conformance::text::inert;
use hyper::body::Incoming;
use hyper::header::{CONNECTION, CONTENT_LENGTH, CONTENT_TYPE, HOST, HeaderMap, HeaderName, HeaderValue, UPGRADE};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::net::SocketAddr;
use std::time::SystemTime;
use tokio::net::{TcpListener, TcpStream};

/// Headers about one connection, not about the message.
const OF_A_CONNECTION: [&str; 6] =
    ["connection", "keep-alive", "proxy-connection", "te", "transfer-encoding", "upgrade"];

/// Listens and passes everything on until it is asked to end.
pub(super) async fn pass(listen: SocketAddr, upstream: Upstream, line: Line) -> Result<()> {
    let listener = TcpListener::bind(listen).await.with_context(|| format!("nothing can listen at {listen}"))?;
    let address = listener.local_addr()?;
    let over = interrupt();
    tell!("tap: http://{address} passes everything on until Ctrl-C");
    tokio::pin!(over);
    loop {
        let stream = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => stream,
                // A connection that broke before it began, or too many connections at the moment.
                Err(_) => {
                    tokio::task::yield_now().await;
                    continue;
                }
            },
            () = &mut over => return Ok(()),
        };
        tokio::spawn(serve(stream, upstream.clone(), line.clone()));
    }
}

/// One connection of a client.
async fn serve(stream: TcpStream, upstream: Upstream, line: Line) {
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request| {
        let (upstream, line) = (upstream.clone(), line.clone());
        async move { Ok::<_, Infallible>(one(request, &upstream, line).await) }
    });
    let mut builder = http1::Builder::new();
    builder.preserve_header_case(true).timer(TokioTimer::new()).header_read_timeout(None);
    let connection = builder.serve_connection(TokioIo::new(stream), service).with_upgrades();
    // If a client disconnects, its requests report that.
    let _ = connection.await;
}

/// One request.
async fn one(mut request: Request<Incoming>, upstream: &Upstream, line: Line) -> Response<Answer> {
    let number = line.number();
    let begun = What::Begun(number, head(&request));
    let mut passing = Passing::new(line.clone(), number);
    if !line.take(begun) {
        line.always(What::Uncopied);
    }
    let wants_upgrade = request.headers().contains_key(UPGRADE);
    let client = wants_upgrade.then(|| hyper::upgrade::on(&mut request));
    let upgrade = request.headers().get(UPGRADE).cloned();
    strip(request.headers_mut());
    request.headers_mut().insert(HOST, upstream.host());
    restore(request.headers_mut(), upgrade);
    let asked = request.map(|body| Asked { body, line, number });
    let mut response = match upstream.ask(asked).await {
        Ok(response) => response,
        Err(error) => {
            let why = chain(&error);
            let text = format!("The tap cannot reach the server behind it: {why}\n");
            tell!("tap: {}", inert::line(&why));
            passing.end(if error.is_connect() { Ended::NotReachable(why) } else { Ended::Broken(why) });
            return no_server(text);
        }
    };
    let status = response.status();
    passing.copy(What::Answered(number, status.as_u16(), plain(response.headers())));
    let upgrade = response.headers().get(UPGRADE).cloned().filter(|_| status == StatusCode::SWITCHING_PROTOCOLS);
    if let (Some(client), Some(_)) = (client, &upgrade) {
        tokio::spawn(tunnel(client, hyper::upgrade::on(&mut response)));
    }
    strip(response.headers_mut());
    restore(response.headers_mut(), upgrade);
    response.map(|body| Answer::Passed { body, passing, number })
}

/// Two connections that have switched to another protocol. Nothing of it is judged.
async fn tunnel(client: hyper::upgrade::OnUpgrade, server: hyper::upgrade::OnUpgrade) {
    if let (Ok(client), Ok(server)) = (client.await, server.await) {
        let _ = tokio::io::copy_bidirectional(&mut TokioIo::new(client), &mut TokioIo::new(server)).await;
    }
}

/// Removes the headers about one connection.
fn strip(headers: &mut HeaderMap) {
    let named: Vec<HeaderName> = headers
        .get_all(CONNECTION)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .filter_map(|name| name.trim().parse().ok())
        .collect();
    for name in named {
        headers.remove(name);
    }
    for name in OF_A_CONNECTION {
        headers.remove(name);
    }
}

/// Restores the request to switch protocols, which concerns both connections.
fn restore(headers: &mut HeaderMap, upgrade: Option<HeaderValue>) {
    if let Some(upgrade) = upgrade {
        headers.insert(UPGRADE, upgrade);
        headers.insert(CONNECTION, HeaderValue::from_static("upgrade"));
    }
}

fn head(request: &Request<Incoming>) -> Head {
    let target = request.uri().path_and_query().map_or("/", |target| target.as_str());
    Head {
        method: request.method().as_str().to_owned(),
        target: target.to_owned(),
        headers: plain(request.headers()),
        at: SystemTime::now().into(),
    }
}

fn plain(headers: &HeaderMap) -> Vec<(String, Vec<u8>)> {
    headers.iter().map(|(name, value)| (name.as_str().to_owned(), value.as_bytes().to_vec())).collect()
}

/// The answer to a client if the server cannot be reached.
fn no_server(text: String) -> Response<Answer> {
    let length = HeaderValue::from(text.len());
    let mut response = Response::new(Answer::Own(Some(Bytes::from(text))));
    *response.status_mut() = StatusCode::BAD_GATEWAY;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    response.headers_mut().insert(CONTENT_LENGTH, length);
    response
}
