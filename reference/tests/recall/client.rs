//! A client of the two routes.

use crate::corpus::ids;
use crate::support::{FIXTURES, http};
use rstest::fixture;
use serde_json::Value;

/// A window around every frame, including that of the year 2100.
pub(crate) const EVER: &str = "start_time=0&end_time=5e9";

/// The program, serving until it is dropped.
pub(crate) struct Client(http::Server);

/// The program over the corpus of the suite.
#[fixture]
pub(crate) fn client() -> Client {
    Client::start(&["--corpus", FIXTURES])
}

impl Client {
    pub(crate) fn start(arguments: &[&str]) -> Self {
        Self(http::Server::start(arguments))
    }

    pub(crate) fn get(&self, path: &str) -> (u16, Value) {
        self.0.get(path)
    }

    /// A search that is answered.
    pub(crate) fn search(&self, query: &str) -> Value {
        let (status, body) = self.get(&format!("/api/v1/search?{query}"));
        assert_eq!(status, 200, "{query}: {body}");
        body
    }

    /// The ids of all pages, to the empty one.
    pub(crate) fn walk(&self, query: &str, limit: usize) -> Vec<i64> {
        let page = |number| ids(&self.search(&format!("{query}&limit={limit}&offset={}", number * limit)));
        (0..).map(page).take_while(|page| !page.is_empty()).flatten().collect()
    }
}
