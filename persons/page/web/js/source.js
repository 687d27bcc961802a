// The source at the frame that is looked at, with breakpoints and the values of its variables.
import { Pane, el, visible } from './dom.js';

const kept = 20; // sources

class SourcePane extends Pane {
  get topics() { return ['frame', 'view', 'breakpoints', 'search']; }
  sources = new Map();

  changedSession() { this.sources.clear(); this.file = undefined; }

  async draw() {
    const f = this.model.at;
    if (!f && this.file && this.model.state.status !== 'terminated') return undefined; // what was shown last stays until there is more
    if (!f?.file) return this.empty(f ? 'This frame has no source.' : 'The source is shown where the program stops.');
    const drawing = (this.drawing = {});
    let source = this.sources.get(f.file);
    if (!source) {
      try {
        source = await this.api.get('source', { file: f.file, thread: this.model.thread });
      } catch (e) {
        return this.empty(e.message);
      }
      this.sources.set(f.file, source);
      if (this.sources.size > kept) this.sources.delete(this.sources.keys().next().value);
    }
    if (this.drawing !== drawing) return; // another one is drawn meanwhile
    const moved = this.file !== f.file || this.line !== f.line;
    if (this.file !== f.file || this.source !== source) this.fill(f, source);
    this.mark(f);
    if (moved) this.querySelector('.stop')?.scrollIntoView({ block: 'center' });
    Object.assign(this, { file: f.file, line: f.line, source });
  }

  empty(text) {
    this.file = undefined;
    this.replaceChildren(el('p', { class: 'empty' }, visible(text)));
  }

  fill(f, source) {
    this.lines = source.lines.map((text, i) => {
      const n = i + 1;
      const dot = el('button', { class: 'dot', 'aria-label': `breakpoint at line ${n}`, 'aria-pressed': 'false', tabindex: -1, onclick: () => this.toggle(f.file, n) }, ' ');
      const code = el('span', {}, visible(text));
      return { n, text, dot, code, row: el('div', { class: 'code-line' }, dot, el('span', { class: 'number' }, String(n)), code) };
    });
    const body = el('div', { role: 'group', tabindex: 0, 'aria-label': `source of ${visible(source.path)}`, onkeydown: (e) => this.key(e, f.file) }, ...this.lines.map((l) => l.row));
    this.replaceChildren(el('p', { class: 'empty' }, visible(source.path), source.total > source.lines.length ? ` (its first ${source.lines.length} lines of ${source.total})` : ''), body);
  }

  // key sets a breakpoint where the program stands, by the keyboard.
  key(e, file) {
    if (e.key === 'F9') {
      e.preventDefault();
      this.toggle(file, this.model.at.line);
    }
  }

  mark(f) {
    const here = new Map(this.model.breakpoints.filter((b) => b.file === f.file).map((b) => [b.line, b]));
    const values = this.model.frame === 0 && this.model.thread === 0 ? this.model.view?.locals ?? [] : [];
    for (const l of this.lines) {
      const b = here.get(l.n);
      l.dot.textContent = b ? '●' : ' ';
      l.dot.classList.toggle('unbound', !!b && !b.bound);
      l.dot.setAttribute('aria-pressed', String(!!b));
      l.dot.title = b ? visible([`breakpoint ${b.id}`, b.condition && `if ${b.condition}`, b.message].filter(Boolean).join(', ')) : '';
      const stop = l.n === f.line;
      l.row.classList.toggle('stop', stop);
      if (stop) l.row.setAttribute('aria-current', 'location');
      else l.row.removeAttribute('aria-current');
      this.text(l);
      l.inline?.remove();
      l.inline = undefined;
      if (stop) this.inline(l, values);
    }
  }

  text(l) {
    const found = this.model.found;
    if (!found && !l.found) return;
    l.found = found;
    const at = found ? l.text.toLowerCase().indexOf(found.toLowerCase()) : -1;
    if (at < 0) l.code.textContent = visible(l.text);
    else l.code.replaceChildren(visible(l.text.slice(0, at)), el('mark', {}, visible(l.text.slice(at, at + found.length))), visible(l.text.slice(at + found.length)));
  }

  // inline shows, where the program stands, the values of variables that the line names. On
  // other lines they may have been others, or be variables of another function.
  inline(l, values) {
    const own = values.filter((v) => new RegExp(`(?<![\\w$])${v.name.replace(/[^\w]/g, '\\$&')}(?![\\w$])`).test(l.text)).slice(0, 4);
    if (!own.length) return;
    l.inline = el('span', { class: 'inline' }, visible(own.map((v) => `${v.name} = ${v.value.length > 60 ? `${v.value.slice(0, 60)}…` : v.value}`).join('  ')));
    l.code.append(l.inline);
  }

  toggle(file, line) {
    const b = this.model.breakpoints.find((x) => x.file === file && x.line === line);
    document.querySelector('controls-bar').act(b ? { kind: 'remove_breakpoint', id: b.id } : { kind: 'set_breakpoint', location: `${file}:${line}` });
  }
}
customElements.define('source-pane', SourcePane);
