// A view of a tool's result inside of a client: MCP Apps (io.modelcontextprotocol/ui,
// 2026-01-26). It speaks with the client that shows it, and with nobody else.
const view = document.getElementById('view');
const waiting = new Map();
let last = 0;
let host = {};

const send = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
const notify = (method, params = {}) => send({ method, params });
function request(method, params) {
  const id = ++last;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    send({ id, method, params });
  });
}

addEventListener('message', (e) => {
  if (e.source !== parent || e.data?.jsonrpc !== '2.0') return;
  const { id, method, params, result, error } = e.data;
  if (!method) {
    const who = waiting.get(id);
    waiting.delete(id);
    if (error) who?.reject(new Error(error.message ?? 'the client refuses it'));
    else who?.resolve(result);
    return;
  }
  if (method === 'ui/notifications/tool-result') draw(params);
  else if (method === 'ui/notifications/tool-cancelled') view.replaceChildren(el('p', { class: 'soft' }, 'The call was cancelled.'));
  else if (method === 'ui/notifications/host-context-changed') dress(params);
  if (id === undefined) return;
  if (method === 'ping' || method === 'ui/resource-teardown') send({ id, result: {} });
  else send({ id, error: { code: -32601, message: `${method} is not known here` } });
});

// dress takes over how the client looks.
function dress(context = {}) {
  if (context.theme) document.documentElement.style.colorScheme = context.theme;
  for (const [name, value] of Object.entries(context.styles?.variables ?? {})) if (name.startsWith('--') && value) document.documentElement.style.setProperty(name, value);
}

async function call(args) {
  const r = await request('tools/call', { name: 'view', arguments: args });
  if (r.isError) throw new Error(r.content?.[0]?.text ?? 'it failed');
  return r.structuredContent.data;
}

// A result that has nothing to draw is shown as its text.
function draw(result = {}) {
  const reply = result.structuredContent ?? {};
  const data = reply.data ?? {};
  const session = reply.session_id;
  const text = (result.content ?? []).filter((c) => c.type === 'text').map((c) => c.text).join('\n');
  const open = host.serverTools && session ? (ref) => call({ session_id: session, ref }) : undefined;
  const drawn = reply.success === false ? undefined : data.execution_state ? drawStop(data, open)
    : drawData(data.chain ? 'why' : data.candidates ? 'attempt' : data.hottest || data.samples !== undefined ? 'profile' : 'trace', data, () => {});
  view.replaceChildren(
    ...(reply.summary ? [el('p', { class: reply.success === false ? 'bad' : 'place' }, visible(reply.summary))] : []),
    drawn ?? el('pre', { tabindex: 0 }, visible(text)),
    ...(host.serverTools && host.openLinks && session ? [page(session)] : []),
  );
}

// page opens the page on which the person can take over.
function page(session) {
  const said = el('output', { class: 'soft' });
  return el('p', {}, el('button', { onclick: async () => {
    said.textContent = '';
    try {
      await request('ui/open-link', { url: (await call({ session_id: session })).page });
    } catch (e) {
      said.textContent = visible(e.message);
    }
  } }, 'Watch and take over'), ' ', said);
}

new ResizeObserver(() => notify('ui/notifications/size-changed', { width: Math.ceil(document.documentElement.scrollWidth), height: Math.ceil(view.getBoundingClientRect().height) + 16 })).observe(view);

request('ui/initialize', { appInfo: { name: 'aidb', version: '1' }, appCapabilities: { availableDisplayModes: ['inline'] }, protocolVersion: '2026-01-26' }).then((answer) => {
  host = answer?.hostCapabilities ?? {};
  dress(answer?.hostContext);
  notify('ui/notifications/initialized');
}, (e) => view.replaceChildren(el('p', { class: 'bad' }, visible(e.message))));
