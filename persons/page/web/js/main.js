// The page of a debug session: it comes in by a link, follows the session's stream, and
// draws it.
import { Api, enter, isIn, rename } from './api.js';
import { el, visible } from './dom.js';
import { Model } from './model.js';
import './controls.js';
import './source.js';
import './values.js';
import './stack.js';
import './output.js';
import './timeline.js';

const notice = document.getElementById('notice');
const where = document.getElementById('where');
const model = new Model();
let rows = [];
let api;
let stream;

function say(text) {
  notice.textContent = visible(text);
  notice.hidden = !text;
}

addEventListener('aidb-notice', (e) => say(e.detail));

// The link's token stands behind #, so that it is sent to nobody but by us, once.
async function begin() {
  const given = new URLSearchParams(location.hash.slice(1));
  if (given.has('link')) {
    history.replaceState(null, '', given.has('session') ? `#session=${encodeURIComponent(given.get('session'))}` : location.pathname);
    try {
      await enter(given.get('link'));
    } catch (e) {
      // Who was let in before may use an old link.
      if (e.status !== 401) throw e;
      say(e.message);
    }
  }
  const name = localStorage.getItem('aidb-name');
  if (name) await rename(name).catch(() => {});
  follow();
}

// follow reads the list of sessions; a cut is mended by the browser, which comes again.
function follow() {
  const list = new EventSource('api/sessions');
  list.addEventListener('sessions', (e) => {
    say('');
    rows = JSON.parse(e.data) ?? [];
    showList();
    const wanted = new URLSearchParams(location.hash.slice(1)).get('session');
    if (!api) show(rows.find((r) => r.id === wanted)?.id ?? rows.at(-1)?.id);
  });
  list.addEventListener('error', () => {
    if (list.readyState !== EventSource.CLOSED) return say('The connection is cut; it is tried again.');
    isIn().then(() => setTimeout(follow, 2000), (e) => {
      if (e.status === 401) return say(e.message);
      say('The server is not there; it is tried again.');
      setTimeout(follow, 2000);
    });
  });
}

function showList() {
  const select = el('select', { 'aria-label': 'session', onchange: (e) => show(e.target.value) });
  for (const r of rows) select.append(el('option', { value: r.id, selected: r.id === api?.id }, visible(`${r.id}: ${r.target || r.language} (${r.status})`)));
  const list = document.querySelector('session-list');
  list.replaceChildren(rows.length ? select : el('span', { class: 'soft' }, 'no session yet'));
}

function show(id) {
  if (!id) return;
  stream?.close();
  api = Object.assign(new Api(id), { id });
  model.reset();
  model.ended = false;
  location.hash = `session=${encodeURIComponent(id)}`;
  document.querySelector('main').hidden = false;
  for (const pane of document.querySelectorAll('controls-bar, source-pane, values-pane, stack-pane, threads-pane, breakpoints-pane, output-pane, timeline-pane, search-box')) {
    if (pane.model) Object.assign(pane, { api }), pane.changedSession?.(), pane.draw();
    else pane.use(model, api);
  }
  connect();
  showList();
}

function connect() {
  const mine = api;
  stream = new EventSource(api.events);
  stream.addEventListener('snapshot', (e) => { say(''); model.snapshot(JSON.parse(e.data)); });
  stream.addEventListener('events', (e) => model.take(JSON.parse(e.data)));
  stream.addEventListener('error', () => {
    if (api !== mine || stream.readyState !== EventSource.CLOSED) return;
    setTimeout(() => { if (api === mine) connect(); }, 2000);
  });
}

model.addEventListener('state', () => {
  const s = model.state;
  const at = model.view ? model.at : undefined;
  const text = [words(s), at && s.stopped ? `at ${at.path ?? ''}:${at.line ?? ''}${at.function ? ` in ${at.function}` : ''}` : '', s.exit_code !== undefined && s.exit_code !== null ? `with exit code ${s.exit_code}` : '', s.signal ? `by ${s.signal}` : '', s.doing ?? '', s.note ?? ''];
  where.textContent = visible(text.filter(Boolean).join(' '));
  document.title = `${words(s)} – aidb`;
});
model.addEventListener('view', () => model.dispatchEvent(new Event('state')));

const words = (s) => (s.status ?? '').replaceAll('_', ' ');

customElements.define('session-list', class extends HTMLElement {});

customElements.define('person-name', class extends HTMLElement {
  connectedCallback() {
    const input = el('input', { 'aria-label': 'your name', placeholder: 'your name', maxlength: 40, size: 12, onchange: async () => {
      localStorage.setItem('aidb-name', input.value);
      await rename(input.value).catch((e) => say(e.message));
      if (api) { stream.close(); connect(); }
    } });
    input.value = localStorage.getItem('aidb-name') ?? '';
    this.append(input);
  }
});

customElements.define('search-box', class extends HTMLElement {
  use(m) { this.model = m; }
  draw() {}
  connectedCallback() {
    this.append(el('input', { type: 'search', 'aria-label': 'search source, output and what happened', placeholder: 'search', size: 14, oninput: (e) => model.search(e.target.value) }));
  }
});

begin().catch((e) => say(e.message));
