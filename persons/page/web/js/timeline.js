// What happened, oldest first: what the agent asked and learned, how long it took, what
// persons did, where the program stopped. And the questions that wait for an answer.
import { Pane, el, place, visible } from './dom.js';
import { drawData } from './findings.js';

class TimelinePane extends Pane {
  get topics() { return ['timeline', 'people', 'search']; }

  changedSession() { this.rows = undefined; }

  draw() {
    const m = this.model;
    if (!this.rows) {
      this.asks = el('div', { class: 'asks', 'aria-live': 'polite' });
      this.rows = el('div', { role: 'feed', 'aria-label': 'what happened' });
      this.replaceChildren(this.asks, this.rows);
      this.calls = new Map();
      this.upTo = 0;
      this.search = '';
    }
    this.questions();
    let from = m.timeline.length; // of what is not drawn yet, looked for from the end
    while (from > 0 && m.timeline[from - 1].n > this.upTo) from--;
    const fresh = m.timeline.slice(from);
    if (!fresh.length && m.found === this.search) return;
    const atEnd = this.scrollHeight - this.scrollTop - this.clientHeight < 60;
    const rows = fresh.map((e) => this.row(e)).filter(Boolean);
    this.rows.append(...rows);
    if (fresh.length) this.upTo = fresh.at(-1).n;
    const first = m.timeline[0]?.n ?? 0;
    while (this.rows.firstChild && Number(this.rows.firstChild.dataset.n) < first) this.rows.firstChild.remove();
    if (m.found || m.found !== this.search) {
      const wanted = m.found.toLowerCase();
      const unlike = m.found !== this.search;
      this.search = m.found;
      for (const r of unlike ? this.rows.children : rows) r.hidden = wanted !== '' && !r.textContent.toLowerCase().includes(wanted);
    }
    if (atEnd && fresh.length) this.scrollTop = this.scrollHeight;
  }

  questions() {
    const open = this.model.questions;
    const known = new Set([...this.asks.children].map((q) => Number(q.dataset.id)));
    for (const q of [...this.asks.children]) if (!open.some((o) => o.id === Number(q.dataset.id))) q.remove();
    for (const q of open) {
      if (known.has(q.id)) continue;
      const input = el('input', { 'aria-label': `answer to: ${q.text}` });
      this.asks.append(el('form', { class: 'question', 'data-id': q.id, onsubmit: (e) => { e.preventDefault(); document.querySelector('controls-bar').act({ kind: 'answer', id: q.id, text: input.value }); } },
        el('span', {}, 'The agent asks: ', el('b', {}, visible(q.text))), input, el('button', {}, 'Answer')));
    }
  }

  row(e) {
    if (e.kind === 'reply' && this.reply(e)) return undefined;
    if (e.kind === 'breakpoint' && e.breakpoint.what === 'changed') return undefined; // its pane shows it
    const body = this.body(e);
    if (!body) return undefined;
    const at = new Date(e.at ?? Date.now());
    const article = el('article', { class: `event ${e.by?.kind ?? ''}${['state', 'presence', 'breakpoint', 'lost'].includes(e.kind) ? ' quiet' : ''}`, 'data-n': e.n },
      el('time', { datetime: at.toISOString() }, at.toLocaleTimeString()), el('span', { class: 'who' }, visible(e.by?.kind === 'person' ? e.by.name : e.by?.kind ?? '')), ' ', ...body);
    if (e.kind === 'call') this.calls.set(e.n, article);
    return article;
  }

  // reply stands with its call.
  reply(e) {
    const call = this.calls.get(e.reply.call);
    if (!call) return false;
    this.calls.delete(e.reply.call);
    call.append(...this.answered(e.reply));
    return true;
  }

  answered(r) {
    const took = r.took >= 1e9 ? `${(r.took / 1e9).toFixed(1)} s` : `${Math.round(r.took / 1e6)} ms`;
    return [
      el('div', { class: r.ok ? undefined : 'bad' }, '→ ', visible(r.summary), ' ', el('span', { class: 'soft' }, took)),
      r.data ? drawData(r.tool, r.data, (file, line) => this.go(file, line)) : undefined,
      r.text ? el('details', {}, el('summary', {}, 'what it was told'), el('pre', { tabindex: 0 }, visible(r.text)), r.cut ? el('span', { class: 'soft' }, `${r.cut} more bytes are not shown`) : '') : undefined,
    ].filter(Boolean);
  }

  body(e) {
    switch (e.kind) {
      case 'call': return [el('b', {}, visible(e.call.tool)), ' ', visible(e.call.what ?? ''), e.call.args ? el('details', {}, el('summary', {}, 'what it asked'), el('pre', { tabindex: 0 }, visible(e.call.args))) : ''];
      case 'reply': return [el('b', {}, visible(e.reply.tool)), ...this.answered(e.reply)];
      case 'state': return [visible((e.state.status ?? '').replaceAll('_', ' ')), e.state.exit_code !== undefined && e.state.exit_code !== null ? ` with exit code ${e.state.exit_code}` : '', e.state.note ? visible(`: ${e.state.note}`) : ''];
      case 'breakpoint': return [`${e.breakpoint.what} breakpoint ${e.breakpoint.id}`, visible(` ${place(e.breakpoint) || e.breakpoint.function || e.breakpoint.expression || ''}`)];
      case 'did': return [visible(e.did.did), e.did.text ? el('pre', {}, visible(e.did.text)) : ''];
      case 'question': return ['asks: ', visible(e.question.text)];
      case 'answer': return ['answers: ', visible(e.answer.text)];
      case 'presence': return [e.presence.here ? 'watches' : 'has left'];
      case 'lost': return [`${e.lost} events before this are kept no more`];
    }
    return undefined;
  }

  go(file, line) {
    const m = this.model;
    m.stack = [{ index: -1, function: '', file, path: file, line }];
    m.look(-1);
  }
}
customElements.define('timeline-pane', TimelinePane);
