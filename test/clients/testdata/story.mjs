// What both TypeScript clients do. A reply that the client does not expect, to a
// call that was given up among others, is one of its errors.
export async function run(client, transport, callTool) {
  const errors = [];
  client.onerror = (error) => errors.push(String(error));
  await client.connect(transport);
  const { tools } = await client.listTools();
  const progress = [];
  const result = await callTool(
    { name: "session_start", arguments: { target: "." } },
    { onprogress: (p) => progress.push(p.message) },
  );

  const start = { target: process.env.ENDLESS, timeout_ms: 1 };
  await callTool({ name: "session_start", arguments: start });
  const abort = new AbortController();
  const waiting = callTool({ name: "execute", arguments: { action: "wait", timeout_ms: 60000 } }, { signal: abort.signal });
  await client.listTools(); // answered after the call was read
  abort.abort("enough");
  const gaveUp = await waiting.then(() => "answered", () => "given up");
  await callTool({ name: "execute", arguments: { action: "pause" } }); // what was given up does not hold the next call

  const era = client.getNegotiatedProtocolVersion?.(); // unknown to SDK 1

  const left = performance.now();
  await client.close();
  console.log(JSON.stringify({
    era,
    tools: tools.map((tool) => tool.name),
    failed: result.isError ?? false,
    shown: result.content.map((block) => block.text),
    structured: result.structuredContent,
    gave_up: gaveUp,
    left_in: (performance.now() - left) / 1000,
    errors,
  }));
}
