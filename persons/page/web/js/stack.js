// The stack, the threads, and the breakpoints.
import { Pane, el, place, visible } from './dom.js';

class StackPane extends Pane {
  get topics() { return ['view', 'frame']; }

  draw() {
    const m = this.model;
    const frames = m.state.stopped ? m.stack ?? m.view?.stack ?? [] : [];
    if (!frames.length) return this.replaceChildren(el('p', { class: 'empty' }, m.state.stopped ? 'The stack is being read.' : 'The program does not stand.'));
    const rows = frames.map((f) => el('button', { class: f.internal ? 'line-button soft' : 'line-button', 'aria-current': String(f === m.at), onclick: () => m.look(f.index) }, visible(f.function), ' ', el('span', { class: 'soft' }, visible(place(f)))));
    const more = (m.stackTotal ?? m.view?.stack_total ?? 0) - frames.length;
    if (more > 0) rows.push(el('button', { onclick: () => this.more() }, `${more} more frames`));
    this.replaceChildren(...rows);
  }

  async more() {
    const m = this.model;
    const epoch = m.state.epoch;
    const { frames, total } = await this.api.get('stack', { thread: m.thread, start: 0, count: 200 });
    if (epoch !== m.state.epoch) return;
    Object.assign(m, { stack: frames, stackTotal: total });
    this.draw();
  }
}
customElements.define('stack-pane', StackPane);

class ThreadsPane extends Pane {
  get topics() { return ['state']; }

  async draw() {
    const m = this.model;
    if (m.epochOfStack !== m.state.epoch) Object.assign(m, { stack: undefined, stackTotal: undefined, epochOfStack: m.state.epoch });
    if (!m.state.stopped) return this.replaceChildren(el('p', { class: 'empty' }, 'shown while the program stands'));
    if (this.epoch === m.state.epoch && this.of === this.api) return;
    Object.assign(this, { epoch: m.state.epoch, of: this.api });
    try {
      const { threads, total, system } = await this.api.get('threads');
      if (this.epoch !== m.state.epoch) return;
      this.replaceChildren(...threads.slice(0, 500).map((t) => el('button', { class: 'line-button', 'aria-current': String(!!t.current), onclick: () => this.look(t) }, visible(t.name || `thread ${t.id}`), t.count > 1 ? ` × ${t.count}` : '', ' ', el('span', { class: 'soft' }, visible([t.waiting, t.at].filter(Boolean).join(', '))))),
        ...(system ? [el('p', { class: 'empty' }, `${system} of the runtime's own are not shown, of ${total + system}`)] : []));
    } catch (e) {
      this.replaceChildren(el('p', { class: 'empty' }, visible(e.message)));
    }
  }

  async look(t) {
    const m = this.model;
    const { frames, total } = await this.api.get('stack', { thread: t.id, start: 0, count: 50 });
    Object.assign(m, { thread: t.id, stack: frames, stackTotal: total, frame: (frames ?? []).find((f) => !f.internal && f.file)?.index ?? 0 });
    m.say('frame');
  }
}
customElements.define('threads-pane', ThreadsPane);

class BreakpointsPane extends Pane {
  get topics() { return ['breakpoints']; }

  draw() {
    const act = (a) => document.querySelector('controls-bar').act(a);
    const rows = this.model.breakpoints.map((b) => {
      const where = place(b) || b.function || b.expression;
      return el('div', { class: 'row' },
        el('button', { class: 'open', title: 'remove', 'aria-label': `remove breakpoint ${b.id}`, onclick: () => act({ kind: 'remove_breakpoint', id: b.id }) }, '×'),
        b.kind !== 'watch' && el('button', { class: 'open', title: 'change', 'aria-label': `change breakpoint ${b.id}`, onclick: () => this.change(b, where) }, '✎'),
        el('span', { class: b.bound ? 'text' : 'text soft' }, visible([where, b.condition && `if ${b.condition}`, b.hit_condition && `at hit ${b.hit_condition}`, b.log_message && `logs ${b.log_message}`, !b.enabled && '(off)', !b.bound && (b.message || 'not bound')].filter(Boolean).join(' ')), b.by?.kind === 'person' ? el('span', { class: 'person' }, visible(` ${b.by.name}`)) : ''));
    });
    this.list ??= el('div', {});
    this.list.replaceChildren(...(rows.length ? rows : [el('p', { class: 'empty' }, 'none')]));
    this.form ??= this.makeForm(act);
    this.more ??= el('details', {}, el('summary', {}, 'with a condition, or at a function'), this.form);
    if (!this.more.isConnected) this.replaceChildren(this.list, this.more);
  }

  // makeForm sets a breakpoint with conditions, at a line or a function; it stays while the
  // list is drawn anew.
  makeForm(act) {
    const field = (name, label) => el('input', { name, 'aria-label': label, placeholder: label, size: 12 });
    const form = el('form', { class: 'breakpoint-form', onsubmit: async (e) => {
      e.preventDefault();
      const given = Object.fromEntries([...form.elements].filter((i) => i.name && i.value.trim()).map((i) => [i.name, i.value.trim()]));
      if (!given.location || !(await act({ kind: 'set_breakpoint', id: this.changed, ...given }))) return;
      form.reset();
      this.changed = undefined;
    } }, field('location', 'file:line or function'), field('condition', 'condition'), field('hit_condition', 'hits, as >5'), field('log_message', 'log instead of stop'), el('button', {}, 'Set'), el('button', { type: 'reset', onclick: () => { this.changed = undefined; } }, 'Clear'));
    return form;
  }

  change(b, where) {
    const values = { location: b.file && b.line ? `${b.file}:${b.line}` : where, condition: b.condition, hit_condition: b.hit_condition, log_message: b.log_message };
    for (const [name, value] of Object.entries(values)) this.form.elements[name].value = value ?? '';
    this.more.open = true;
    this.changed = b.id; // in whose place the next one is set
    this.form.elements.condition.focus();
  }
}
customElements.define('breakpoints-pane', BreakpointsPane);
