//! A pull request on GitHub, as the environment of a job names it, and its comments.

use super::body::Body;
use anyhow::{Context, Result, anyhow, bail, ensure};
use conformance::files;
use reqwest::{Client, Method, RequestBuilder, Response, StatusCode, Url, header};
use serde_json::{Value, json};
use std::env;
use std::path::Path;
use std::time::Duration;

/// GitHub takes no comment of more characters. Counted in bytes, of which there are never fewer.
const MOST: usize = 65_536;
/// So many comments are asked for at a time, the most that there are in an answer.
const PAGE: &str = "100";
/// So many pages are looked through for a comment of ours.
const MOST_PAGES: usize = 100;
/// For one request, with its answer.
const TIME: Duration = Duration::from_secs(30);
const VERSION: &str = "2022-11-28";

/// What became of the comment.
pub(super) enum Done {
    Created,
    Updated,
    Unchanged,
}

/// A pull request.
pub(super) struct Pull {
    /// The repository in the API.
    api: Url,
    token: String,
    repository: String,
    number: u64,
    /// What the comment speaks of: a comment that is updated in place may be older than the last commit.
    footer: String,
}

/// The secret that comments are written with.
pub(super) fn token() -> Option<String> {
    env::var("GITHUB_TOKEN").ok().filter(|token| !token.is_empty())
}

impl Pull {
    /// The one that this job runs for.
    ///
    /// # Errors
    /// Says why there is none, or why nothing may be written to it.
    pub(super) fn of_environment() -> Result<Self> {
        let path = variable("GITHUB_EVENT_PATH")?;
        if env::var("GITHUB_EVENT_NAME").is_ok_and(|name| name == "pull_request_target") {
            bail!(
                "`pull_request_target` gives the code of a fork what only the repository should have; use `pull_request`"
            );
        }
        let event = files::bytes(Path::new(&path)).with_context(|| format!("the event {path} cannot be read"))?;
        let event: Value = serde_json::from_slice(&event).with_context(|| format!("the event {path} is not JSON"))?;
        let number = event["pull_request"]["number"].as_u64().context("this job does not run for a pull request")?;
        let repository = variable("GITHUB_REPOSITORY")?;
        let token = token().context("GITHUB_TOKEN is not set")?;
        let mut api = env::var("GITHUB_API_URL").unwrap_or_else(|_| "https://api.github.com".to_owned());
        if !api.ends_with('/') {
            api.push('/');
        }
        let api = Url::parse(&api).and_then(|api| api.join(&format!("repos/{repository}/issues/")));
        let api = api.context("GITHUB_API_URL and GITHUB_REPOSITORY make no address")?;
        let commit = event["pull_request"]["head"]["sha"].as_str().unwrap_or_default();
        let run = ["GITHUB_SERVER_URL", "GITHUB_RUN_ID"].map(|name| env::var(name).unwrap_or_default());
        let footer = match &run {
            [server, id] if !id.is_empty() => {
                format!("\nAt commit {commit}, by [this run]({server}/{repository}/actions/runs/{id}).\n")
            }
            _ => format!("\nAt commit {commit}.\n"),
        };
        Ok(Self { api, token, repository, number, footer })
    }

    /// Its name for people.
    pub(super) fn place(&self) -> String {
        format!("{}#{}", self.repository, self.number)
    }

    /// Writes the comment of this name, or updates the one that the author has written before.
    ///
    /// # Errors
    /// Says why it cannot.
    pub(super) fn put(&self, name: &str, author: &str, body: &Body) -> Result<Done> {
        // Markdown shows nothing of it.
        let mark = format!("<!-- retrieval-contracts: {name} -->\n");
        let text = body.within(MOST - mark.len() - self.footer.len());
        let text = format!("{mark}{text}{}", self.footer);
        let sent = json!({ "body": text }).to_string();
        // A second installation changes nothing, which is no error.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder().timeout(TIME).redirect(reqwest::redirect::Policy::none());
        let client = client.user_agent("retrieval-contracts").build().context("no HTTP client can be made")?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async {
            let Some((id, old)) = self.own(&client, &mark, author).await? else {
                let request = client.request(Method::POST, self.at(&format!("{}/comments", self.number))?);
                self.send(request.body(sent)).await?;
                return Ok(Done::Created);
            };
            // GitHub may change the ends of lines, and nothing else.
            if old.lines().eq(text.lines()) {
                return Ok(Done::Unchanged);
            }
            let request = client.request(Method::PATCH, self.at(&format!("comments/{id}"))?);
            self.send(request.body(sent)).await?;
            Ok(Done::Updated)
        })
    }

    /// The first comment with our mark that the author wrote: its id and its text. Anybody can write the mark.
    async fn own(&self, client: &Client, mark: &str, author: &str) -> Result<Option<(u64, String)>> {
        let mut page = self.at(&format!("{}/comments?per_page={PAGE}", self.number))?;
        for _ in 0..MOST_PAGES {
            let answer = self.send(client.request(Method::GET, page)).await?;
            let next = answer.headers().get(header::LINK).and_then(|link| next(link.to_str().ok()?));
            let comments = answer.bytes().await.context("the list of comments cannot be read")?;
            let comments: Vec<Value> = serde_json::from_slice(&comments).context("the list of comments is not one")?;
            let is_own = |one: &&Value| {
                let body = one["body"].as_str().unwrap_or_default();
                one["user"]["login"] == author && body.lines().next() == Some(mark.trim_end())
            };
            if let Some(own) = comments.iter().find(is_own) {
                let id = own["id"].as_u64().context("our comment has no id")?;
                return Ok(Some((id, own["body"].as_str().unwrap_or_default().to_owned())));
            }
            let Some(next) = next else { return Ok(None) };
            page = self.api.join(&next).context("the next page of comments has no address")?;
            // The token is for the API alone.
            ensure!(page.origin() == self.api.origin(), "the next page of comments is on another server");
        }
        bail!("there are more than {MOST_PAGES} pages of comments")
    }

    fn at(&self, path: &str) -> Result<Url> {
        self.api.join(path).context("the address of the comments cannot be made")
    }

    /// Sends a request; an answer other than 2xx is an error, which shows nothing of what was sent.
    async fn send(&self, request: RequestBuilder) -> Result<Response> {
        let mut token = header::HeaderValue::from_str(&format!("Bearer {}", self.token))
            .map_err(|_| anyhow!("GITHUB_TOKEN has characters that no header has"))?;
        token.set_sensitive(true);
        let request = request.header(header::AUTHORIZATION, token);
        let request = request.header(header::ACCEPT, "application/vnd.github+json");
        let request = request.header(header::CONTENT_TYPE, "application/json");
        let answer =
            request.header("X-GitHub-Api-Version", VERSION).send().await.context("GitHub cannot be reached")?;
        match answer.status() {
            status if status.is_success() => Ok(answer),
            status @ (StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN | StatusCode::NOT_FOUND) => bail!(
                "GITHUB_TOKEN may not write it ({}): the job needs `pull-requests: write`, which a pull request from a \
                 fork does not get",
                status.as_u16()
            ),
            status => bail!("GitHub answered {}", status.as_u16()),
        }
    }
}

/// The address of the next page in a `Link` header.
fn next(link: &str) -> Option<String> {
    let mut links = link.split(',').filter_map(|link| link.trim().strip_prefix('<')?.split_once('>'));
    let (address, _) = links.find(|(_, about)| about.contains("rel=\"next\""))?;
    Some(address.to_owned())
}

fn variable(name: &str) -> Result<String> {
    env::var(name).with_context(|| format!("{name} is not set, as it is in a job of GitHub"))
}
