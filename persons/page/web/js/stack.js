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
    const rows = this.model.breakpoints.map((b) => el('div', { class: 'row' },
      el('button', { class: 'open', title: 'remove', 'aria-label': `remove breakpoint ${b.id}`, onclick: () => document.querySelector('controls-bar').act({ kind: 'remove_breakpoint', id: b.id }) }, '×'),
      el('span', { class: b.bound ? 'text' : 'text soft' }, visible([place(b) || b.function || b.expression, b.condition && `if ${b.condition}`, !b.enabled && '(off)', !b.bound && (b.message || 'not bound')].filter(Boolean).join(' ')), b.by?.kind === 'person' ? el('span', { class: 'person' }, visible(` ${b.by.name}`)) : '')));
    this.replaceChildren(...(rows.length ? rows : [el('p', { class: 'empty' }, 'none')]));
  }
}
customElements.define('breakpoints-pane', BreakpointsPane);
