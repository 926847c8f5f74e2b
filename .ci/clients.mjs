// What the official TypeScript client gets of a server: everything that it is told, as JSON.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [kind, ...words] = process.argv.slice(2);
const transport =
  kind === "http"
    ? new StreamableHTTPClientTransport(new URL(words[0]))
    : new StdioClientTransport({ command: words[0], args: words.slice(1), stderr: "ignore" });
const client = new Client({ name: "clients", version: "1" });
await client.connect(transport);

const received = [client.getServerVersion(), client.getServerCapabilities()];
const receive = async (answer) => received.push(await answer.catch(String));
const { tools } = await client.listTools();
received.push(tools);
for (const given of [{ memory_id: "m1", query: "tea" }, { memory_id: "m1" }, { query: 5 }]) {
  for (const { name } of tools) await receive(client.callTool({ name, arguments: given }));
}
await receive(client.callTool({ name: "nothing", arguments: {} }));
await receive(client.ping());
await client.close();
console.log(JSON.stringify(received, null, 1));
