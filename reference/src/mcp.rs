//! The MCP side: tool calls in, one call, results out.
//!
//! A contract brings its tools and answers their calls; the protocol and its errors are the same for all of them, over stdio
//! and over streamable HTTP.

pub(crate) mod http;
mod memory;
mod outline;
mod remnote;
pub(crate) mod stdio;

use crate::memory::store::{Store, StoreError};
use crate::outline::store as records;
use crate::quote::quoted;
use crate::remnote::corpus::{Corpus, CorpusError};
use memory::Memory;
use outline::Outline;
use remnote::Remnote;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest, CustomResult, ErrorCode,
    Implementation, JsonObject, ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
    ToolAnnotations,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::Value;
use std::path::PathBuf;
use std::sync::Arc;

/// What a contract brings to the server.
pub(crate) trait Contract: Send + Sync {
    /// The tools, under names that no other contract has.
    fn tools(&self) -> Vec<ToolText>;

    /// Answers a call of one of [`Contract::tools`], or says in plain words what is wrong with the arguments.
    fn call(&self, tool: &str, arguments: &JsonObject) -> Result<Answer, String>;
}

/// What a call is answered with.
pub(crate) enum Answer {
    /// An object, as structured content and as text.
    Json(Value),
    /// One block of text.
    Text(String),
}

/// A tool as a client reads it. None of ours changes anything or looks beyond its corpus.
pub(crate) struct ToolText {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) description: &'static str,
    /// The JSON Schema of the arguments.
    pub(crate) input: JsonObject,
    /// The JSON Schema of the answer, where it is always JSON.
    pub(crate) output: Option<JsonObject>,
}

/// The data of the contracts whose operations are tools.
#[derive(clap::Args)]
pub(crate) struct Corpora {
    /// Folder with the Rems that remnote searches: rems.ndjson and hits.json; without it there are none
    #[arg(long, value_name = "DIR")]
    remnote_corpus: Option<PathBuf>,
    /// Folder with the memories that memory searches: memories.ndjson, entries.ndjson and contexts.ndjson; without it there
    /// are none
    #[arg(long, value_name = "DIR")]
    memory_corpus: Option<PathBuf>,
    /// Folder with the records that outline lists: records.ndjson; without it there are none
    #[arg(long, value_name = "DIR")]
    outline_corpus: Option<PathBuf>,
}

/// Why there is no data to serve.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LoadError {
    #[error(transparent)]
    Remnote(#[from] CorpusError),
    #[error(transparent)]
    Memory(#[from] StoreError),
    #[error(transparent)]
    Outline(#[from] records::StoreError),
}

impl Corpora {
    /// Every contract with its data. The memories are searched over plain HTTP too.
    pub(crate) fn load(&self, memories: &Arc<Store>) -> Result<Vec<Box<dyn Contract>>, LoadError> {
        let rems = self.remnote_corpus.as_deref().map_or_else(|| Ok(Corpus::default()), Corpus::load)?;
        let records = self.outline_corpus.as_deref().map_or_else(records::Store::empty, records::Store::load)?;
        let memory = Memory(Arc::clone(memories));
        Ok(vec![Box::new(Remnote(rems)), Box::new(memory), Box::new(Outline(records))])
    }

    /// The memories.
    pub(crate) fn memories(&self) -> Result<Arc<Store>, LoadError> {
        Ok(Arc::new(self.memory_corpus.as_deref().map_or_else(Store::empty, Store::load)?))
    }
}

/// The protocol side of all contracts.
#[derive(Clone)]
struct Server {
    served: Arc<[Served]>,
}

/// A contract, and its tools as the protocol has them.
struct Served {
    contract: Box<dyn Contract>,
    tools: Vec<Tool>,
}

impl Server {
    fn new(contracts: Vec<Box<dyn Contract>>) -> Self {
        let with_tools = |contract: Box<dyn Contract>| {
            let tools = contract.tools().into_iter().map(tool).collect();
            Served { contract, tools }
        };
        Self { served: contracts.into_iter().map(with_tools).collect() }
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION")))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = self.served.iter().flat_map(|served| &served.tools);
        Ok(ListToolsResult::with_all_items(tools.cloned().collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let owner = self.served.iter().find(|served| served.tools.iter().any(|tool| tool.name == request.name));
        let Some(Served { contract, .. }) = owner else {
            let message = format!("there is no tool {}; tools/list has their names", quoted(&request.name));
            return Err(ErrorData::invalid_params(message, None));
        };
        let result = match contract.call(&request.name, &request.arguments.unwrap_or_default()) {
            Ok(Answer::Json(answer)) => CallToolResult::structured(answer),
            Ok(Answer::Text(text)) => CallToolResult::success(vec![ContentBlock::text(text)]),
            Err(refusal) => CallToolResult::error(vec![ContentBlock::text(refusal)]),
        };
        Ok(result.into())
    }

    /// Requests that the library could not read come here too: a known method with parameters of another shape.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        match request.method.as_str() {
            method @ ("initialize" | "ping" | "tools/list" | "tools/call") => {
                Err(ErrorData::invalid_params(format!("the parameters of {method} are malformed"), None))
            }
            _ => Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, "this server has no such method", None)),
        }
    }
}

/// A schema of this program, less what is not for clients: the address of its file, examples of a corpus, and notes for
/// those who check it.
fn schema(text: &str) -> JsonObject {
    let mut schema: JsonObject =
        serde_json::from_str(text).expect("schemas are compiled in, and every test reads them");
    schema.retain(|key, _| !["$schema", "$id", "title", "examples"].contains(&key.as_str()));
    for property in
        schema.get_mut("properties").and_then(Value::as_object_mut).into_iter().flat_map(|all| all.values_mut())
    {
        property.as_object_mut().into_iter().for_each(|keywords| keywords.retain(|key, _| !key.starts_with("x-")));
    }
    schema
}

fn tool(text: ToolText) -> Tool {
    let read_only = ToolAnnotations::new().read_only(true).destructive(false).idempotent(true).open_world(false);
    let tool = Tool::new_with_raw(text.name, Some(text.description.into()), Arc::new(text.input))
        .with_title(text.title)
        .with_annotations(read_only);
    match text.output {
        Some(output) => tool.with_raw_output_schema(Arc::new(output)),
        None => tool,
    }
}
