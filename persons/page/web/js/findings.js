// What a tool has found, drawn: the chain of why, the table and curve of trace, the flame of
// profile, what attempts came to. It draws from the data that the agent was given.
import { el, svg, visible } from './dom.js';

export function drawData(tool, data, go) {
  const draw = { why: chain, trace: table, profile, attempt: attempts }[tool];
  try {
    return draw?.(data, go);
  } catch {
    return undefined; // the text beside it tells the same
  }
}

// A place "path:line" that can be gone to.
function at(text, go) {
  const m = /^(.*):(\d+)(?::\d+)?$/.exec(text ?? '');
  return m ? el('button', { class: 'line-button', onclick: () => go(m[1], Number(m[2])) }, visible(text)) : el('span', { class: 'code' }, visible(text ?? ''));
}

function chain(data, go) {
  if (!data.chain?.length) return undefined;
  return el('ol', {}, ...data.chain.map((w) => el('li', {}, at(w.at, go), w.code ? el('pre', {}, visible(w.code)) : '',
    el('div', { class: 'code' }, visible([w.kind, w.was !== undefined && `was ${w.was}`, `→ ${w.value}`].filter(Boolean).join(' '))),
    ...(w.operands ?? []).map((o) => el('div', { class: 'code soft' }, visible(`${o.name} = ${o.value}`))))));
}

function table(data) {
  if (!data.rows?.length) return undefined;
  const head = el('tr', {}, ...data.columns.map((c) => el('th', { scope: 'col' }, visible(c))));
  const rows = data.rows.slice(0, 500).map((r) => el('tr', {}, ...r.map((c) => el('td', {}, visible(c)))));
  const curves = data.columns.map((name, i) => ({ name, values: data.rows.map((r) => Number(r[i])) })).filter((c) => c.values.length > 4 && c.values.every(Number.isFinite));
  return el('div', {}, ...curves.slice(0, 3).map(curve), el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'rows' }, el('table', {}, el('thead', {}, head), el('tbody', {}, ...rows))));
}

// curve draws the values of a column in the order of its rows.
function curve({ name, values }) {
  const low = Math.min(...values);
  const high = Math.max(...values);
  const x = (i) => 4 + (i / (values.length - 1)) * 392;
  const y = (v) => 106 - ((v - low) / (high - low || 1)) * 92;
  const d = values.map((v, i) => `${i ? 'L' : 'M'}${x(i).toFixed(1)} ${y(v).toFixed(1)}`).join('');
  return svg('svg', { class: 'chart', viewBox: '0 0 400 120', role: 'img', 'aria-label': `${name} over ${values.length} rows, from ${low} to ${high}`, preserveAspectRatio: 'none' },
    svg('path', { d, 'vector-effect': 'non-scaling-stroke' }), svg('text', { x: 4, y: 10 }, `${name}: ${low} … ${high}`));
}

// profile is the hottest way as a flame, and its lines.
function profile(data) {
  const way = data.hottest ?? [];
  const flame = el('div', { class: 'flame', role: 'group', 'aria-label': 'the way on which most is spent' });
  way.forEach((line, i) => {
    const share = Number(/(\d+(?:\.\d+)?) ?%/.exec(line)?.[1] ?? 0);
    const bar = el('button', { title: visible(line) }, visible(line));
    Object.assign(bar.style, { top: `${i * 18}px`, left: '0', width: `${Math.max(share, 1)}%` });
    flame.append(bar);
  });
  flame.style.height = `${way.length * 18}px`;
  const rows = (data.rows ?? []).slice(0, 30).map((r) => el('tr', {}, el('td', {}, visible(r.at ?? r.type ?? '')), el('td', {}, visible(r.function ?? r.waits_for ?? '')), el('td', {}, share(r.self)), el('td', {}, share(r.total))));
  return el('div', {}, way.length ? flame : '', rows.length ? el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'rows' }, el('table', {}, el('thead', {}, el('tr', {}, ...['at', 'function', 'self', 'total'].map((c) => el('th', { scope: 'col' }, c)))), el('tbody', {}, ...rows))) : '');
}

const share = (n) => (n === undefined ? '' : `${n} %`);

function attempts(data) {
  if (!data.candidates?.length) return undefined;
  return el('ul', {}, ...data.candidates.map((c) => el('li', {},
    el('b', { class: c.result === 'passed' ? 'good' : 'bad' }, visible(c.result)), ' ', visible(c.hypothesis ?? ''), c.n === data.winner ? el('b', { class: 'good' }, ' the first that passes') : '',
    c.tests_passed || c.tests_failed ? el('span', { class: 'soft' }, ` ${c.tests_passed ?? 0} passed, ${c.tests_failed ?? 0} failed`) : '', c.change ? diff(c.change) : '')));
}

function diff(change) {
  const text = typeof change === 'string' ? change : change.patch ?? JSON.stringify(change, null, 1);
  return el('pre', { tabindex: 0 }, ...text.split('\n').map((l) => el('span', { class: l.startsWith('+') ? 'add' : l.startsWith('-') ? 'del' : undefined }, visible(`${l}\n`))));
}
