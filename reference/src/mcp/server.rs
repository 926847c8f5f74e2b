//! The protocol of MCP over a list of tools.

use super::era::Era;
use super::message::no_such_method;
use crate::quote::quoted;
use crate::tool::{Answer, Call, Tool};
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest, CustomResult,
    DiscoverResult, Implementation, InitializeRequestParams, InitializeResult, ListToolsResult, MetaObject,
    PaginatedRequestParams, ProtocolVersion, ServerCapabilities, ServerConfig, SubscriptionFilter, ToolAnnotations,
};
use rmcp::service::{RequestContext, SubscriptionContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::json;
use std::borrow::Cow;
use std::num::NonZeroUsize;
use std::sync::Arc;
use tokio::sync::watch;

/// How long a client may keep what never changes while the process runs, in milliseconds. An hour, as in the examples of the protocol.
const FRESH: u64 = 3_600_000;

/// How MCP is spoken, by each command that speaks it.
#[derive(Clone, Copy, clap::Args)]
pub(crate) struct Speaking {
    /// Which clients of MCP to serve
    #[arg(long, value_name = "ERA", value_enum, default_value_t)]
    pub(super) era: Era,
    /// List so many tools at a time, for clients that follow pages; all without this
    #[arg(long, value_name = "COUNT")]
    tools_per_page: Option<NonZeroUsize>,
}

/// Tools, served to any number of clients.
#[derive(Clone)]
pub(crate) struct Server {
    tools: Arc<[Served]>,
    speaking: Speaking,
    /// Its other half is dropped when serving ends.
    closed: watch::Receiver<()>,
}

/// A tool as the protocol describes it, and what answers its calls.
struct Served {
    described: rmcp::model::Tool,
    call: Call,
}

impl Server {
    /// Subscriptions end when the other half of `closed` is dropped.
    pub(crate) fn new(tools: Vec<Tool>, speaking: Speaking, closed: watch::Receiver<()>) -> Self {
        Self { tools: tools.into_iter().map(Served::from).collect(), speaking, closed }
    }

    pub(super) fn era(&self) -> Era {
        self.speaking.era
    }

    /// A page of the tools and the cursor of the next; nothing where no page has this cursor. A cursor counts the tools before it.
    fn page(&self, cursor: Option<&str>) -> Option<(Vec<rmcp::model::Tool>, Option<String>)> {
        let size = self.speaking.tools_per_page.map_or(usize::MAX, NonZeroUsize::get);
        let start =
            cursor.map_or(Some(0), |cursor| cursor.parse().ok().filter(|start| *start > 0 && start % size == 0))?;
        let (page, rest) = match self.tools.get(start..)? {
            [] if cursor.is_some() => return None,
            tools => tools.split_at(size.min(tools.len())),
        };
        let next = (!rest.is_empty()).then(|| (start + page.len()).to_string());
        Some((page.iter().map(|tool| tool.described.clone()).collect(), next))
    }
}

impl From<Tool> for Served {
    fn from(tool: Tool) -> Self {
        let read_only = ToolAnnotations::new().read_only(true).destructive(false).idempotent(true).open_world(false);
        let described = rmcp::model::Tool::new_with_raw(tool.name, Some(tool.description), Arc::new(tool.input))
            .with_title(tool.title)
            .with_annotations(read_only);
        let described = match tool.output {
            Some(output) => described.with_raw_output_schema(Arc::new(output)),
            None => described,
        };
        Self { described, call: tool.call }
    }
}

/// Who answers.
fn implementation() -> Implementation {
    Implementation::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"))
}

/// Whether a request belongs to the era without a handshake.
fn is_modern(context: &RequestContext<RoleServer>) -> bool {
    context.protocol_version().is_some_and(|version| !version.has_initialize())
}

/// What a result says of its server, which older clients learned from the handshake.
fn meta(context: &RequestContext<RoleServer>) -> Option<MetaObject> {
    is_modern(context).then(|| {
        let mut meta = MetaObject::default();
        meta.insert("io.modelcontextprotocol/serverInfo".to_owned(), json!(implementation()));
        meta
    })
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build()).with_server_info(implementation())
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(self.speaking.era.versions())
    }

    /// The SDK would go on with the version that the client asked for, also where another was agreed on.
    async fn initialize(
        &self,
        mut request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        let answer = self.negotiate_initialize(&request)?;
        request.protocol_version = answer.protocol_version.clone();
        context.peer.set_peer_info(request);
        Ok(answer)
    }

    async fn discover(&self, _: RequestContext<RoleServer>) -> Result<DiscoverResult, ErrorData> {
        let found = DiscoverResult::from_server_info(self.speaking.era.versions().to_vec(), self.get_info());
        Ok(found.with_ttl_ms(FRESH).with_cache_scope(CacheScope::Public))
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let cursor = request.and_then(|request| request.cursor);
        let Some((tools, next)) = self.page(cursor.as_deref()) else {
            return Err(ErrorData::invalid_params("no page has this cursor; begin without one", None));
        };
        let mut list = ListToolsResult::with_all_items(tools);
        list.next_cursor = next;
        if is_modern(&context) {
            list = list.with_ttl_ms(FRESH).with_cache_scope(CacheScope::Public);
        }
        list.meta = meta(&context);
        Ok(list)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = self.tools.iter().find(|tool| tool.described.name == request.name) else {
            let message = format!("there is no tool {}; tools/list has their names", quoted(&request.name));
            return Err(ErrorData::invalid_params(message, None));
        };
        let mut result = match (tool.call)(&request.arguments.unwrap_or_default()) {
            Ok(Answer::Json(answer)) => CallToolResult::structured(answer),
            Ok(Answer::Text(text)) => CallToolResult::success(vec![ContentBlock::text(text)]),
            Err(refusal) => CallToolResult::error(vec![ContentBlock::text(refusal)]),
        };
        result.meta = meta(&context);
        Ok(result.into())
    }

    /// Everyone may subscribe, and nothing ever changes: of each subscription no part is promised.
    fn accepted_subscription_filter(&self, _: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(SubscriptionFilter::default())
    }

    async fn listen(&self, subscription: SubscriptionContext) -> Result<(), ErrorData> {
        let mut closed = self.closed.clone();
        tokio::select! {
            () = subscription.cancelled() => {}
            // It fails when the other half is dropped, and nothing is ever sent.
            _ = closed.changed() => {}
        }
        Ok(())
    }

    /// Receives requests that the SDK could not read too: a known method with malformed parameters.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        match request.method.as_str() {
            method @ ("initialize" | "ping" | "tools/list" | "tools/call" | "subscriptions/listen") => {
                Err(ErrorData::invalid_params(format!("the parameters of {method} are malformed"), None))
            }
            _ => Err(no_such_method()),
        }
    }
}
