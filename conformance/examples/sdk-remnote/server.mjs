// Search and read of notes with the TypeScript SDK: `node server.mjs FOLDER --release 0.6|0.15|0.16`, on standard input and output.
// What a release takes and answers is in RELEASES; the tools are made from it.

import { parseArgs } from "node:util";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";
import { Rems } from "./rems.mjs";
import { Search } from "./search.mjs";

// Of a Rem of several kinds, the first is its type. Before 0.16 the document does not say which.
const CONCEPT_FIRST = ["concept", "descriptor", "portal", "dailyDocument", "document"];
const DOCUMENT_FIRST = ["dailyDocument", "document", "concept", "descriptor", "portal"];

const RELEASES = {
  "0.6": { mode: "includeContent", readModes: ["none", "markdown"], typeOrder: CONCEPT_FIRST },
  "0.15": { mode: "includeContent", typeOrder: CONCEPT_FIRST, hasLaterRems: true, hasTags: true, tagsById: true },
  "0.16": {
    mode: "contentMode",
    typeOrder: DOCUMENT_FIRST,
    hasLaterRems: true,
    hasTags: true,
    tagsById: true,
    hasPages: true,
    hasInlineRefs: true,
    hasHierarchy: true,
  },
};

const { values, positionals } = parseArgs({ allowPositionals: true, options: { release: { type: "string" } } });
const [folder] = positionals;
const release = RELEASES[values.release];
if (folder === undefined || release === undefined) {
  console.error("usage: node server.mjs FOLDER --release 0.6|0.15|0.16");
  process.exit(2);
}
const rems = new Rems(folder, release);
const search = new Search(folder, release, rems);

/** The fields of `shape` if the release has them. */
const when = (has, shape) => (has ? shape : {});

const MODES = ["none", "markdown", "structured"];
const content = (mode, depth, childLimit, maxContentLength, modes = MODES) => ({
  [release.mode]: z.enum(modes).default(mode).describe("How what is below a note is shown."),
  depth: z.int().min(0).max(10).default(depth).describe("How many levels below a note are shown."),
  childLimit: z.int().min(1).max(500).default(childLimit).describe("How many children of one parent are shown at most."),
  maxContentLength: z.int().min(100).max(200000).default(maxContentLength).describe("How long markdown may be."),
  ...when(release.hasHierarchy, {
    view: z.enum(["compact", "standard", "full"]).default("standard").describe("How much is said of a note."),
    ancestorDepth: z.int().min(0).max(20).default(0).describe("How many ancestors are named, the parent first."),
  }),
});
const found = {
  limit: z.int().min(1).max(150).default(50).describe("How many results there are at most."),
  ...when(release.hasPages, { cursor: z.string().optional().describe("Where the next page begins.") }),
  ...content("none", 1, 20, 3000),
};

const remType = z.enum(["document", "dailyDocument", "concept", "descriptor", "portal", "text"]);
const face = {
  remId: z.string(),
  title: z.string(),
  headline: z.string(),
  remType,
  aliases: z.array(z.string()).optional(),
  cardDirection: z.enum(["forward", "reverse", "bidirectional"]).optional(),
  ...when(release.hasTags, { tags: z.array(z.object({ tagRemId: z.string(), name: z.string() })).optional() }),
  ...when(release.hasInlineRefs, {
    inlineRefs: z.array(z.object({ text: z.string(), targetRemId: z.string(), kind: z.literal("rem") })).optional(),
  }),
};
const node = z.object({
  ...face,
  get children() {
    return z.array(node).optional();
  },
});
const place = {
  ...face,
  parentRemId: z.string().optional(),
  parentTitle: z.string().optional(),
  ...when(release.hasHierarchy, {
    ancestors: z.array(z.object({ remId: z.string(), title: z.string(), remType: remType.optional() })).optional(),
    ancestorsTruncated: z.boolean().optional(),
  }),
};
const below = {
  content: z.string().optional(),
  contentProperties: z
    .object({ childrenRendered: z.int(), childrenTotal: z.int(), contentTruncated: z.boolean() })
    .optional(),
};
const structured = { contentStructured: z.array(node).optional() };
const result = {
  ...place,
  ...below,
  ...structured,
  ...when(release.hasPages, {
    matchedRems: z.array(z.object(place)).optional(),
    contextRemId: z.string().optional(),
    contextTitle: z.string().optional(),
    contextReason: z.enum(["ancestor-document", "ancestor-concept", "ancestor-context", "self"]).optional(),
  }),
};
const results = z.object({
  results: z.array(z.object(result)),
  ...when(release.hasPages, {
    hasMore: z.boolean(),
    nextCursor: z.string().optional(),
    truncated: z.boolean(),
    truncationReason: z.literal("cursor_snapshot_limit").optional(),
  }),
});

const server = new McpServer({ name: "sdk-remnote", version: `${values.release}.0` });

function register(name, description, inputs, outputSchema, answer) {
  const annotations = { readOnlyHint: true, openWorldHint: false };
  server.registerTool(name, { description, inputSchema: z.strictObject(inputs), outputSchema, annotations }, (asked) => {
    const structuredContent = answer(asked);
    return { content: [{ type: "text", text: JSON.stringify(structuredContent) }], structuredContent };
  });
}

register(
  "remnote_search",
  "Finds notes by words.",
  { query: z.string().describe("The words to look for."), ...found },
  results,
  (asked) => search.byWords(asked),
);

const tag = release.tagsById
  ? { tagRemId: z.string().min(1).describe("The id of the Rem that is the tag.") }
  : { tag: z.string().min(1).describe("The name of the tag, with or without #.") };
const resultMode = z.enum(["context", "tagged"]).default("context");
register(
  "remnote_search_by_tag",
  "Finds the documents in which a tag is used, or what is above a note with the tag.",
  {
    ...tag,
    ...when(release.hasPages, { resultMode: resultMode.describe("Whether results are contexts, or the notes with the tag.") }),
    ...found,
  },
  results,
  (asked) => search.byTag(asked),
);

register(
  "remnote_read_note",
  "Reads one note, and what is below it.",
  { remId: z.string().describe("The id of the note."), ...content("markdown", 5, 100, 100000, release.readModes) },
  z.object({ ...place, ...below, ...when(!release.readModes, structured) }),
  (asked) => {
    const rem = rems.get(asked.remId);
    if (!rem) throw new Error(`there is no Rem ${asked.remId}`);
    return rems.item(rem, asked);
  },
);

await server.connect(new StdioServerTransport());
