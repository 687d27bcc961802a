// A scripted session of VS Code's own reference client (@vscode/debugadapter-testsupport, with
// the types of @vscode/debugprotocol): it joins at a port, sees the stop, takes the session,
// steps and gives it back. It prints what it saw as JSON.
import { createRequire } from 'node:module';

const require = createRequire(`${process.cwd()}/`);
const { DebugClient } = require('@vscode/debugadapter-testsupport');

/** @typedef {import('@vscode/debugprotocol').DebugProtocol.AttachRequestArguments & {aidbToken: string, aidbPerson: string}} Attach */

const [port, token, expression] = process.argv.slice(2);
const client = new DebugClient('', '', 'aidb');
client.defaultTimeout = 30_000;
await client.start(Number(port));

const seen = {};
/** @type {import('@vscode/debugprotocol').DebugProtocol.InitializeResponse} */
const hello = await client.initializeRequest({ adapterID: 'aidb', clientID: 'vscode', clientName: 'Visual Studio Code', linesStartAt1: true, columnsStartAt1: true, pathFormat: 'path' });
seen.capabilities = hello.body;
const initialized = client.waitForEvent('initialized');
const stopped = client.waitForEvent('stopped');
await client.attachRequest(/** @type {Attach} */ ({ aidbToken: token, aidbPerson: 'ada' }));
await initialized;
await client.setExceptionBreakpointsRequest({ filters: [] });
await client.configurationDoneRequest();
const stop = (await stopped).body;
seen.reason = stop.reason;

/** where reads the top frame and its variables, as the editor does at a stop. */
async function where(threadId) {
  const { stackFrames } = (await client.stackTraceRequest({ threadId, startFrame: 0, levels: 20 })).body;
  const { scopes } = (await client.scopesRequest({ frameId: stackFrames[0].id })).body;
  const { variables } = (await client.variablesRequest({ variablesReference: scopes[0].variablesReference })).body;
  return { frame: stackFrames[0].id, line: stackFrames[0].line, locals: Object.fromEntries(variables.map((v) => [v.name, v.value])) };
}

seen.threads = (await client.threadsRequest()).body.threads.length;
const at = await where(stop.threadId);
seen.first = at;
seen.value = (await client.evaluateRequest({ expression, frameId: at.frame, context: 'watch' })).body.result;
seen.refused = await client.nextRequest({ threadId: stop.threadId }).then(() => '', (e) => e.message);
await client.evaluateRequest({ expression: ':take', frameId: at.frame, context: 'repl' });
const again = client.waitForEvent('stopped');
await client.nextRequest({ threadId: stop.threadId });
seen.second = await where((await again).body.threadId);
await client.evaluateRequest({ expression: ':give', context: 'repl' });
await client.disconnectRequest({});
console.log(JSON.stringify(seen));
process.exit(0);
