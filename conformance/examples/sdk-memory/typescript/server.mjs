// Search over memories with the TypeScript SDK: `node server.mjs FOLDER [--port PORT] [--legacy on|off]`.
// On standard input and output, or with a port over streamable HTTP.

import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { localhostHostValidation, localhostOriginValidation, toNodeHandler } from "@modelcontextprotocol/node";
import { McpServer, createMcpHandler } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { port: { type: "string" }, legacy: { type: "string", default: "on" } },
});
const [folder] = positionals;
if (folder === undefined || !["on", "off"].includes(values.legacy)) {
  console.error("usage: node server.mjs FOLDER [--port PORT] [--legacy on|off]");
  process.exit(2);
}

const lines = (name) => readFileSync(join(folder, name), "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line));
const all = { entries: lines("entries.ndjson"), contexts: lines("contexts.ndjson") };

/** What has words of the query, the best first; the newer of two that are equally good. */
function best(items, query, most, text, time) {
  const words = query.toLowerCase().split(/\s+/u).filter(Boolean);
  const occurrences = (whole) => words.reduce((sum, word) => sum + whole.split(word).length - 1, 0);
  return items
    .map((item) => ({ ...item, score: occurrences(text(item).toLowerCase()) }))
    .filter((item) => item.score > 0)
    .sort((one, other) => other.score - one.score || Date.parse(other[time]) - Date.parse(one[time]))
    .slice(0, most);
}

function search({ memory_id, query, top_ke, top_kc }) {
  const own = (items) => items.filter((item) => item.memoryId === memory_id);
  const contexts = own(all.contexts);
  const [newest] = contexts.toSorted((one, other) => Date.parse(other.timestamp) - Date.parse(one.timestamp));
  const entries = best(own(all.entries), query, top_ke, (entry) => `${entry.summary}\n${entry.rawEntry}`, "creationTime");
  return {
    entries,
    count: entries.length,
    latestContext: newest?.context ?? "",
    latestContextTimestamp: newest?.timestamp ?? null,
    contexts: best(contexts, query, top_kc, (context) => context.context, "timestamp"),
  };
}

// A strict object has `additionalProperties: false`, and refuses arguments that the schema does not name.
const input = z.strictObject({
  memory_id: z.string().min(1).describe("The memory to search."),
  query: z.string().trim().min(1).describe("What to look for."),
  top_ke: z.int().min(0).max(10).default(5).describe("How many entries to return at most; 0 returns contexts only."),
  top_kc: z.int().min(1).max(3).default(2).describe("How many contexts to return at most."),
});
const scored = { memoryId: z.string(), score: z.number() };
const output = z.object({
  entries: z.array(
    z.object({ ...scored, entryId: z.string(), summary: z.string(), rawEntry: z.string(), creationTime: z.string() }),
  ),
  count: z.int(),
  latestContext: z.string(),
  latestContextTimestamp: z.string().nullable(),
  contexts: z.array(z.object({ ...scored, contextId: z.string(), context: z.string(), timestamp: z.string() })),
});
const description = `\
Searches one memory for entries and contexts that contain words of a query.

memory_id and query are required. top_ke is the most entries to return: default 5, range 0 to 10; 0 returns contexts only. \
top_kc is the most contexts to return: default 2, range 1 to 3.

The answer always has these fields: entries (each with summary, rawEntry, score and creationTime), count (the number of \
entries), latestContext (the text of the newest context, whatever the query), latestContextTimestamp (its time), and contexts \
(each with context, timestamp and score).

Entries and contexts are sorted by relevance score, descending. Their timestamps show how the memory changed: where two \
results contradict each other, the newer one usually holds.`;

/** A server for one conversation: the SDK asks for a new one for each process, or for each request over HTTP. */
function build() {
  const server = new McpServer({ name: "sdk-memory-typescript", version: "0.1.0" });
  const tool = {
    title: "Search memories",
    description,
    inputSchema: input,
    outputSchema: output,
    annotations: { readOnlyHint: true, openWorldHint: false },
  };
  server.registerTool("search_memories", tool, (asked) => {
    const answer = search(asked);
    return { content: [{ type: "text", text: JSON.stringify(answer) }], structuredContent: answer };
  });
  return server;
}

if (values.port === undefined) {
  serveStdio(build, { legacy: values.legacy === "on" ? "serve" : "reject" });
} else {
  const handle = toNodeHandler(createMcpHandler(build, { legacy: values.legacy === "on" ? "stateless" : "reject" }));
  // The handler leaves these to its host. Each answers by itself what it refuses.
  const isAllowed = [localhostHostValidation(), localhostOriginValidation()];
  const http = createServer((request, response) => {
    if (!isAllowed.every((allows) => allows(request, response))) return;
    if (request.url === "/mcp") handle(request, response);
    else response.writeHead(404).end();
  });
  http.listen(Number(values.port), "127.0.0.1", () => console.error(`http://127.0.0.1:${http.address().port}/mcp`));
}
