//! One connection of a client, and the one to the server that is made for it. Both directions pass by themselves, byte for byte; what is
//! read of them tells where the `Host` stands and what the judge needs.

use super::answering::answer;
use super::asking::Over;
use super::reader::Reader;
use super::way::{Way, own};
use crate::shared::print::tell;
use conformance::tap::Ended;
use conformance::text::inert;
use reqwest::StatusCode;
use std::io;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::mpsc::unbounded_channel;
use tokio::time::timeout;

/// How long a client is still listened to after the last answer, so that it can read that.
const LINGER: Duration = Duration::from_secs(1);

/// Passes everything on between a client and the server until one of them ends.
pub(super) async fn serve(stream: TcpStream, way: Way) {
    let _ = stream.set_nodelay(true);
    let (from, mut to) = stream.into_split();
    let mut client = Reader::new(from);
    // That one of them is gone is for the other to see.
    let _ = way.pass(&mut client, &mut to).await;
    let _ = to.shutdown().await;
    let _ = timeout(LINGER, client.discard()).await;
}

impl Way {
    async fn pass(&self, client: &mut Reader<OwnedReadHalf>, to_client: &mut OwnedWriteHalf) -> io::Result<()> {
        let open = AtomicUsize::new(0);
        let first = match self.request(client, self.patience.head, &open).await {
            Ok(Some(first)) => first,
            Ok(None) => return Ok(()),
            Err(own) => return to_client.write_all(&own).await,
        };
        let mut passing = self.begun(&first);
        let server = match self.upstream.connect().await {
            Ok(server) => server,
            Err(error) => {
                let why = format!("the connection failed: {error}");
                tell!("tap: {}", inert::line(&why));
                let own = own(StatusCode::BAD_GATEWAY, &format!("The tap cannot reach the server behind it: {why}"));
                passing.end(Ended::NotReachable(why));
                return to_client.write_all(&own).await;
            }
        };
        let (from_server, to_server) = tokio::io::split(server);
        let (queue, answers) = unbounded_channel();
        // The queue ends with `asking`, and `answering` with what is in the queue.
        let asking = self.ask(client, to_server, (first, passing), queue, &open);
        let answering = answer(Reader::new(from_server), to_client, answers, &open, self.patience.idle);
        tokio::pin!(answering);
        tokio::select! {
            over = asking => if over == Over::Gone { Ok(()) } else { answering.await },
            answered = &mut answering => answered,
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::serve;
    use crate::implementation::tap::line::Line;
    use crate::implementation::tap::upstream::Upstream;
    use crate::implementation::tap::way::{Patience, Way};
    use rstest::rstest;
    use std::io::{Read, Write};
    use std::net::TcpStream;
    use std::time::Duration;
    use testing::{Answer, Server, whole};
    use tokio::net::TcpListener;
    use tokio::runtime::Runtime;

    /// A way to a server for clients that take 200 ms at most.
    fn impatient(server: &Server) -> Way {
        let slow = Duration::from_millis(200);
        let upstream = Upstream::new(&server.address, None).unwrap();
        Way { upstream, line: Line::unheard(), on_loopback: true, patience: Patience { head: slow, idle: slow } }
    }

    /// A client that has connected and is not served yet.
    fn connected() -> (Runtime, TcpListener, TcpStream) {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        (runtime, listener, stream)
    }

    #[rstest]
    #[case::silent("", "")]
    #[case::half_a_head("POST / HTTP/1.1\r\nHost: localhost\r\nX-", "HTTP/1.1 408")]
    #[case::half_a_body("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nhalf", "")]
    #[case::idle("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 200 OK")]
    fn a_slow_connection_ends(#[case] sent: &str, #[case] answered: &str) {
        let server = Server::new(|_| Answer::Bytes(whole("200 OK", "", "")));
        let way = impatient(&server);
        let (runtime, listener, mut stream) = connected();
        runtime.spawn(async move { serve(listener.accept().await.unwrap().0, way).await });
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        stream.write_all(sent.as_bytes()).unwrap();
        let mut came = String::new();
        stream.read_to_string(&mut came).unwrap();
        assert!(came.starts_with(answered) && came.is_empty() == answered.is_empty(), "{came}");
    }

    #[test]
    fn a_client_that_does_not_read_is_left() {
        let server = Server::new(|_| Answer::Flood(b"HTTP/1.1 200 OK\r\n\r\n".to_vec(), vec![0; 65536]));
        let way = impatient(&server);
        let (runtime, listener, mut stream) = connected();
        stream.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
        runtime.block_on(async {
            let served = serve(listener.accept().await.unwrap().0, way);
            tokio::time::timeout(Duration::from_secs(10), served).await.unwrap();
        });
    }
}
