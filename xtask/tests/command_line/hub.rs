//! GitHub as far as a comment needs it: one pull request with its comments, a page at a time, behind an API on this machine.

use serde_json::{Value, json};
use std::fs;
use std::process::Command;
use std::sync::{Arc, Mutex};
use tempfile::TempDir;
use testing::{Answer, Request, Server, answer, whole};

/// What a good token is.
pub(crate) const TOKEN: &str = "ghs_0123456789abcdefghij";
/// Who writes with it.
pub(crate) const BOT: &str = "github-actions[bot]";
/// GitHub's limit of a comment, in characters.
pub(crate) const MOST: usize = 65_536;

/// The API, with the pull request 7 of o/r.
pub(crate) struct Hub {
    server: Server,
    comments: Arc<Mutex<Vec<Value>>>,
    /// The event of the job.
    folder: TempDir,
}

impl Hub {
    /// One with these comments, each with its author and its text; so many are on a page.
    pub(crate) fn new(comments: &[(&str, &str)], page: usize) -> Self {
        Self::answering(comments, page, |_| None)
    }

    /// The same, with other answers to some requests.
    pub(crate) fn answering(
        comments: &[(&str, &str)],
        page: usize,
        other: impl Fn(&Request) -> Option<Answer> + Send + Sync + 'static,
    ) -> Self {
        let comment = |(at, (login, body)): (usize, &(&str, &str))| json!({ "id": at + 1, "user": { "login": login }, "body": body });
        let comments: Vec<Value> = comments.iter().enumerate().map(comment).collect();
        let comments = Arc::new(Mutex::new(comments));
        let kept = Arc::clone(&comments);
        let server = Server::new(move |request| {
            other(request).unwrap_or_else(|| Answer::Bytes(answered(request, &mut kept.lock().unwrap(), page)))
        });
        let folder = tempfile::tempdir().unwrap();
        let event = json!({ "pull_request": { "number": 7, "head": { "sha": "5ca1ab1e" } } });
        fs::write(folder.path().join("event.json"), event.to_string()).unwrap();
        Self { server, comments, folder }
    }

    /// The environment of a job for the pull request, but for the token.
    pub(crate) fn environment(&self) -> Vec<(&'static str, String)> {
        vec![
            ("GITHUB_API_URL", self.server.address.clone()),
            ("GITHUB_EVENT_NAME", "pull_request".to_owned()),
            ("GITHUB_EVENT_PATH", self.folder.path().join("event.json").to_str().unwrap().to_owned()),
            ("GITHUB_REPOSITORY", "o/r".to_owned()),
            ("GITHUB_RUN_ID", "12".to_owned()),
            ("GITHUB_SERVER_URL", "https://github.example".to_owned()),
            ("NO_PROXY", "127.0.0.1".to_owned()),
        ]
    }

    /// Gives a command the environment of the job, with the token.
    pub(crate) fn with<'c>(&self, command: &'c mut Command) -> &'c mut Command {
        command.envs(self.environment()).env("GITHUB_TOKEN", TOKEN)
    }

    /// The texts of the comments.
    pub(crate) fn bodies(&self) -> Vec<String> {
        self.comments.lock().unwrap().iter().map(|one| one["body"].as_str().unwrap().to_owned()).collect()
    }

    /// The requests so far: their methods and targets.
    pub(crate) fn requests(&self) -> Vec<String> {
        let line = |request: &Request| request.head[0].trim_end_matches(" HTTP/1.1").to_owned();
        self.server.requests().iter().map(line).collect()
    }
}

/// The bytes of an answer.
fn answered(request: &Request, comments: &mut Vec<Value>, page: usize) -> Vec<u8> {
    if request.header("authorization") != Some(&format!("Bearer {TOKEN}")) {
        return whole("401 Unauthorized", "", "{}");
    }
    let text = request.message["body"].as_str().unwrap_or_default().to_owned();
    let too_long = text.encode_utf16().count() > MOST;
    let (path, query) = request.target().split_once('?').unwrap_or((request.target(), ""));
    let id = path.strip_prefix("/repos/o/r/issues/comments/").and_then(|id| id.parse::<usize>().ok());
    match (request.method(), path, id) {
        ("POST" | "PATCH", _, _) if too_long => whole("422 Unprocessable Entity", "", "{}"),
        ("GET", "/repos/o/r/issues/7/comments", _) => {
            let number = query.split('&').find_map(|pair| pair.strip_prefix("page=")?.parse::<usize>().ok());
            let number = number.unwrap_or(1);
            let shown: Vec<&Value> = comments.iter().skip((number - 1) * page).take(page).collect();
            let host = request.header("host").unwrap();
            let link = match number * page < comments.len() {
                true => format!(
                    "link: <http://{host}{path}?per_page=100&page=1>; rel=\"first\", \
                     <http://{host}{path}?per_page=100&page={}>; rel=\"next\"\r\n",
                    number + 1
                ),
                false => String::new(),
            };
            whole("200 OK", &link, json!(shown).to_string())
        }
        ("POST", "/repos/o/r/issues/7/comments", _) => {
            comments.push(json!({ "id": comments.len() + 1, "user": { "login": BOT }, "body": text }));
            whole("201 Created", "", "{}")
        }
        ("PATCH", _, Some(id)) => {
            comments[id - 1]["body"] = text.into();
            whole("200 OK", "", "{}")
        }
        _ => whole("404 Not Found", "", "{}"),
    }
}

/// Refuses whatever would write.
pub(crate) fn read_only(status: &'static str) -> impl Fn(&Request) -> Option<Answer> + Send + Sync + 'static {
    move |request| (request.method() != "GET").then(|| answer(status, "", r#"{"message":"Resource not accessible"}"#))
}
