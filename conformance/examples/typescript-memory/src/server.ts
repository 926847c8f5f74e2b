// Search over memories as an MCP server on standard input and output: `server.js FOLDER`.

import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";
import { Memories } from "./memories.js";

const DESCRIPTION = `\
Finds the entries and contexts of one memory that hold words of a query.

memory_id and query are required. top_ke says how many entries come at most: default 5, range 0 to 10; 0 asks for contexts \
alone. top_kc says how many contexts come at most: default 2, range 1 to 3.

The answer always has these fields: entries (0 to top_ke, each with summary, rawEntry, score and creationTime), count (the \
number of entries), latestContext (the text of the newest context, whatever the query), latestContextTimestamp (its time), \
and contexts (0 to top_kc, each with context, timestamp and score).

Entries and contexts are sorted by relevance score, descending. Their timestamps tell how the memory changed: where two \
results contradict each other, the newer one usually holds.`;

const folder = process.argv[2];
if (folder === undefined) {
  console.error("give the folder of the memories");
  process.exit(2);
}
const memories = new Memories(folder);
const server = new McpServer({ name: "typescript-memory", version: "0.1.0" });

server.registerTool(
  "search_memories",
  {
    title: "Search memories",
    description: DESCRIPTION,
    inputSchema: z.strictObject({
      memory_id: z.string().min(1).describe("The memory to search."),
      query: z.string().trim().min(1).describe("What to look for."),
      top_ke: z.int().min(0).max(10).default(5).describe("How many entries come at most."),
      top_kc: z.int().min(1).max(3).default(2).describe("How many contexts come at most."),
    }),
    outputSchema: z.object({
      entries: z.array(
        z.object({
          entryId: z.string(),
          memoryId: z.string(),
          summary: z.string(),
          rawEntry: z.string(),
          score: z.number(),
          creationTime: z.string(),
        }),
      ),
      count: z.int(),
      latestContext: z.string(),
      latestContextTimestamp: z.string().nullable(),
      contexts: z.array(z.object({ context: z.string(), timestamp: z.string(), score: z.number() })),
    }),
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  (asked) => {
    const answer = memories.search(asked);
    return { content: [{ type: "text", text: JSON.stringify(answer) }], structuredContent: answer };
  },
);

await server.connect(new StdioServerTransport());
