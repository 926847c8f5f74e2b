//! The protocol of MCP over a list of tools.

use crate::quote::quoted;
use crate::tool::{Answer, Call, Tool};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest, CustomResult, ErrorCode,
    Implementation, ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, ToolAnnotations,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use std::sync::Arc;

/// Tools, served to any number of clients.
#[derive(Clone)]
pub(super) struct Server {
    tools: Arc<[Served]>,
}

/// A tool as the protocol describes it, and what answers its calls.
struct Served {
    described: rmcp::model::Tool,
    call: Call,
}

impl Server {
    pub(super) fn new(tools: Vec<Tool>) -> Self {
        Self { tools: tools.into_iter().map(Served::from).collect() }
    }
}

impl From<Tool> for Served {
    fn from(tool: Tool) -> Self {
        let read_only = ToolAnnotations::new().read_only(true).destructive(false).idempotent(true).open_world(false);
        let described = rmcp::model::Tool::new_with_raw(tool.name, Some(tool.description.into()), Arc::new(tool.input))
            .with_title(tool.title)
            .with_annotations(read_only);
        let described = match tool.output {
            Some(output) => described.with_raw_output_schema(Arc::new(output)),
            None => described,
        };
        Self { described, call: tool.call }
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
        Ok(ListToolsResult::with_all_items(self.tools.iter().map(|tool| tool.described.clone()).collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = self.tools.iter().find(|tool| tool.described.name == request.name) else {
            let message = format!("there is no tool {}; tools/list has their names", quoted(&request.name));
            return Err(ErrorData::invalid_params(message, None));
        };
        let result = match (tool.call)(&request.arguments.unwrap_or_default()) {
            Ok(Answer::Json(answer)) => CallToolResult::structured(answer),
            Ok(Answer::Text(text)) => CallToolResult::success(vec![ContentBlock::text(text)]),
            Err(refusal) => CallToolResult::error(vec![ContentBlock::text(refusal)]),
        };
        Ok(result.into())
    }

    /// Receives requests that the library could not read too: a known method with malformed parameters.
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
