//! The reference as a server that somebody else runs.

use std::process::{Child, Command, Stdio};

/// The reference as a server, with its address. It is ended with this value.
pub(crate) struct Serving(Child, pub(crate) String);

impl Serving {
    /// Over the corpora, with these options.
    pub(crate) fn start(options: &[&str]) -> Self {
        let corpus = testing::root().join("fixtures");
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut command = Command::new(testing::reference().unwrap());
        command.args(["serve", "--port", &port.to_string(), "--corpus"]).arg(corpus).args(options);
        let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
            std::thread::yield_now();
        }
        Self(child, format!("http://127.0.0.1:{port}"))
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
