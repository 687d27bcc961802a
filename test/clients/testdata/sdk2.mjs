// Finds the bug with the official TypeScript SDK 2, in the era named first, and
// gives a call up.
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { run } from "./story.mjs";

const transport = new StdioClientTransport({ command: "aidb-mcp", args: ["serve", "--replies", "both"], env: process.env });
const client = new Client({ name: "tester", version: "1" }, { versionNegotiation: { mode: process.argv[2] } });
await run(client, transport, (call, options) => client.callTool(call, options));
