// Finds the bug with the official TypeScript SDK 1, and gives a call up.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { run } from "./story.mjs";

const transport = new StdioClientTransport({ command: "aidb-mcp", args: ["serve", "--replies", "both"], env: process.env });
const client = new Client({ name: "tester", version: "1" });
await run(client, transport, (call, options) => client.callTool(call, undefined, options));
