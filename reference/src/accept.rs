//! Connections: each is served on its own, and ends when its client takes too long.

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::time::{sleep, timeout};

/// How long a request may still take after the server was asked to stop.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long to wait where there is no room for another connection.
const PAUSE: Duration = Duration::from_millis(50);

/// Answers until it is asked to stop. A connection ends when its next head is not there as long as `slow` after it began, or after
/// the answer before.
pub(crate) async fn accept(listener: TcpListener, routes: Router, slow: Duration, stop: impl Future<Output = ()>) {
    let under_way = GracefulShutdown::new();
    let service = TowerToHyperService::new(routes);
    tokio::pin!(stop);
    loop {
        let stream = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => stream,
                // A connection that broke before it began, or too many connections at the moment.
                Err(_) => {
                    sleep(PAUSE).await;
                    continue;
                }
            },
            () = &mut stop => break,
        };
        // Without this, small answers wait for the acknowledgement of the one before. A connection that refuses still works.
        let _ = stream.set_nodelay(true);
        let mut server = http1::Builder::new();
        server.timer(TokioTimer::new()).header_read_timeout(slow);
        let connection = under_way.watch(server.serve_connection(TokioIo::new(stream), service.clone()));
        // What goes wrong with a connection is for its client to see.
        tokio::spawn(async move { drop(connection.await) });
    }
    drop(listener);
    let _ = timeout(PATIENCE, under_way.shutdown()).await;
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::accept;
    use crate::guard::guarded;
    use axum::Router;
    use axum::routing::post;
    use rstest::rstest;
    use std::io::{Read, Write};
    use std::net::TcpStream;
    use std::time::Duration;
    use tokio::net::TcpListener;

    const SLOW: Duration = Duration::from_millis(200);

    #[rstest]
    #[case::silent("", "")]
    #[case::half_a_head("POST / HTTP/1.1\r\nHost: localhost\r\nX-", "")]
    #[case::half_a_body("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nhalf", "HTTP/1.1 408")]
    #[case::idle("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 200 OK")]
    fn a_slow_connection_ends(#[case] sent: &str, #[case] answered: &str) {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap();
        let routes = guarded(Router::new().route("/", post(async || "")), address.ip(), SLOW);
        runtime.spawn(accept(listener, routes, SLOW, std::future::pending()));
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        stream.write_all(sent.as_bytes()).unwrap();
        let mut came = String::new();
        stream.read_to_string(&mut came).unwrap();
        assert!(came.starts_with(answered) && came.is_empty() == answered.is_empty(), "{came}");
    }
}
