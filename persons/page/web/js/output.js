// What the program prints, as it comes. It is added to, never drawn anew, but for a search.
import { Pane, el, visible } from './dom.js';

class OutputPane extends Pane {
  get topics() { return ['output', 'search']; }

  changedSession() { this.upTo = 0; this.pre = undefined; }

  draw() {
    const m = this.model;
    if (!this.pre || !m.output.length) {
      this.pre = el('pre', { tabindex: 0, role: 'log', 'aria-live': 'off', 'aria-label': 'output of the program' });
      this.gone = el('p', { class: 'empty', hidden: true });
      this.replaceChildren(this.gone, this.pre);
      this.upTo = 0;
    }
    const atEnd = this.scrollHeight - this.scrollTop - this.clientHeight < 40;
    this.gone.hidden = m.cut === 0;
    this.gone.textContent = `${m.cut} earlier characters are shown no more`;
    const first = m.output[0]?.n ?? 0;
    while (this.pre.firstChild && Number(this.pre.firstChild.dataset.n) < first) this.pre.firstChild.remove();
    const fresh = m.output.filter((o) => o.n > this.upTo);
    this.pre.append(...fresh.map((o) => el('span', { class: o.stream, 'data-n': o.n }, visible(o.text))));
    if (fresh.length) this.upTo = fresh.at(-1).n;
    this.find();
    if (atEnd) this.scrollTop = this.scrollHeight;
  }

  // find goes to the newest place of what is searched.
  find() {
    const text = this.model.found.toLowerCase();
    if (text === this.had) return;
    this.had = text;
    for (const span of this.pre.children) span.style.background = '';
    const found = text && [...this.pre.children].reverse().find((s) => s.textContent.toLowerCase().includes(text));
    if (found) { found.style.background = 'var(--stop)'; found.scrollIntoView({ block: 'nearest' }); }
  }
}
customElements.define('output-pane', OutputPane);
