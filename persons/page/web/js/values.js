// The variables of the frame that is looked at; what is inside is asked when it is opened.
import { Pane, el, visible } from './dom.js';

const atOnce = 100;

class ValuesPane extends Pane {
  get topics() { return ['view', 'frame']; }

  async draw() {
    const m = this.model;
    if (!m.state.stopped) return this.replaceChildren(el('p', { class: 'empty' }, m.state.status === 'terminated' ? 'The program has ended.' : 'Variables are shown while the program stands.'));
    const drawing = (this.drawing = {});
    let values = m.view?.locals;
    let total = m.view?.locals_total ?? values?.length;
    if (m.frame !== 0 || m.thread !== 0) {
      try {
        ({ values, total } = await this.api.get('locals', { thread: m.thread, frame: m.frame }));
      } catch (e) {
        return this.replaceChildren(el('p', { class: 'empty' }, visible(e.message)));
      }
      if (this.drawing !== drawing) return;
    }
    const rows = (values ?? []).map((v) => this.row(v));
    for (const v of m.view?.returned ?? []) rows.unshift(this.row({ ...v, name: `→ ${v.name}` }));
    this.replaceChildren(
      ...(m.view?.exception ? [el('p', { class: 'empty bad' }, visible(m.view.exception))] : []),
      ...(m.view?.unread ? [el('p', { class: 'empty' }, visible(m.view.unread))] : []),
      rows.length ? el('div', { role: 'tree', 'aria-label': 'variables' }, ...rows) : el('p', { class: 'empty' }, 'no variables here'),
      ...(total > rows.length ? [el('p', { class: 'empty' }, `${total - rows.length} more are not shown`)] : []),
    );
    this.querySelector('[role=treeitem]')?.setAttribute('tabindex', '0');
  }

  row(v) {
    const leaf = !v.ref;
    const item = el('div', { role: 'treeitem', tabindex: -1, 'aria-expanded': leaf ? undefined : 'false', onkeydown: (e) => this.key(e, item, leaf, toggle) });
    const open = el('button', { class: 'open', tabindex: -1, 'aria-hidden': 'true' }, '▸');
    let group;
    const toggle = async () => {
      if (leaf) return;
      if (group) { group.remove(); group = undefined; } else {
        group = el('div', { role: 'group' });
        item.append(group);
        await this.more(group, v.ref, 0);
      }
      open.textContent = group ? '▾' : '▸';
      item.setAttribute('aria-expanded', String(!!group));
    };
    open.addEventListener('click', toggle);
    const text = el('span', { class: 'text' }, el('b', { class: v.changed ? 'changed' : undefined }, visible(v.name)), ' = ', visible(v.value), v.changed && v.old ? el('span', { class: 'soft' }, visible(` (was ${v.old})`)) : '', v.type ? el('span', { class: 'soft' }, visible(`  ${v.type}`)) : '');
    item.append(el('div', { class: leaf ? 'row leaf' : 'row' }, open, text));
    return item;
  }

  async more(group, ref, start) {
    try {
      const { values, total } = await this.api.get('children', { ref, start, count: atOnce });
      group.append(...(values ?? []).map((v) => this.row(v)));
      const next = start + (values?.length ?? 0);
      if (total > next && values?.length) {
        const more = el('button', { onclick: () => { more.remove(); this.more(group, ref, next); } }, `${total - next} more`);
        group.append(more);
      }
    } catch (e) {
      group.append(el('p', { class: 'empty' }, visible(e.message)));
    }
  }

  // key moves in the tree as trees are moved in (ARIA's pattern).
  key(e, item, leaf, toggle) {
    if (e.target !== item) return;
    const items = [...this.querySelectorAll('[role=treeitem]')];
    const at = items.indexOf(item);
    const go = (to) => { if (to) { item.tabIndex = -1; to.tabIndex = 0; to.focus(); } };
    const isOpen = item.getAttribute('aria-expanded') === 'true';
    const keys = {
      ArrowDown: () => go(items[at + 1]), ArrowUp: () => go(items[at - 1]), Home: () => go(items[0]), End: () => go(items.at(-1)),
      ArrowRight: () => (leaf ? undefined : isOpen ? go(items[at + 1]) : toggle()), ArrowLeft: () => (isOpen ? toggle() : go(item.parentElement.closest('[role=treeitem]'))), Enter: toggle,
    };
    if (!keys[e.key]) return;
    e.preventDefault();
    e.stopPropagation();
    keys[e.key]();
  }
}
customElements.define('values-pane', ValuesPane);
