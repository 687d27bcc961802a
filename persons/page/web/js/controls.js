// The controls: what a person may do, marked as theirs. They need the session taken.
import { Pane, el, visible } from './dom.js';

const steps = [
  ['continue', 'Continue', 'F5'], ['pause', 'Pause', 'F6'], ['step_over', 'Step over', 'F10'], ['step_in', 'Step in', 'F11'], ['step_out', 'Step out', 'Shift+F11'],
];

class ControlsBar extends Pane {
  get topics() { return ['state', 'people']; }

  connectedCallback() {
    this.keys = (e) => {
      const key = `${e.shiftKey ? 'Shift+' : ''}${e.key}`;
      const found = steps.find(([, , k]) => k === key);
      if (!found || !this.model) return;
      e.preventDefault();
      this.act({ kind: found[0] });
    };
    addEventListener('keydown', this.keys);
  }

  disconnectedCallback() { removeEventListener('keydown', this.keys); }

  async act(act) {
    try {
      await this.api.act(act);
      dispatchEvent(new CustomEvent('aidb-notice', { detail: '' }));
      return true;
    } catch (e) {
      dispatchEvent(new CustomEvent('aidb-notice', { detail: e.message }));
      return false;
    }
  }

  draw() {
    const m = this.model;
    const { state, hold } = m;
    const over = state.status === 'terminated';
    const driving = m.holds && !over;
    const button = (kind, label, key) => el('button', {
      disabled: !driving || (kind === 'pause' ? state.stopped : !state.stopped), title: m.holds ? key : 'take the session first', 'aria-keyshortcuts': key, onclick: () => this.act({ kind }),
    }, label);
    const holder = hold ? el('span', { class: 'held' }, visible(m.holds ? 'you hold the session' : `${hold.person} holds the session`)) : el('span', { class: 'soft' }, over ? 'it has ended' : 'the agent drives');
    const had = document.activeElement?.closest?.('controls-bar') === this ? document.activeElement.textContent : '';
    this.replaceChildren(
      el('button', { disabled: over || (hold && !m.holds), onclick: () => this.act({ kind: m.holds ? 'give' : 'take' }) }, m.holds ? 'Give back' : 'Take'),
      holder,
      ...steps.map((s) => button(...s)),
      this.form ??= this.makeForm(),
      el('span', { class: 'spring' }),
      el('span', { class: 'soft' }, visible(m.present.length ? `watching: ${m.present.map((p) => (p === m.you ? `${p} (you)` : p)).join(', ')}` : '')),
      el('a', { href: this.api.report, download: '' }, 'Save report'),
    );
    for (const b of this.querySelectorAll('button')) if (had && b.textContent === had) b.focus();
  }

  // makeForm is one line for an expression or a note; it stays while all else is drawn anew.
  makeForm() {
    const input = el('input', { 'aria-label': 'expression, or note for the agent', placeholder: 'expression or note', size: 22 });
    const answer = el('output', { class: 'code', 'aria-live': 'polite' });
    const send = async (kind) => {
      if (!input.value.trim()) return;
      answer.textContent = '…';
      try {
        const { said } = await this.api.act(kind === 'note' ? { kind, text: input.value } : { kind, text: input.value, frame: this.model.frame, thread: this.model.thread });
        answer.textContent = visible(said);
        if (kind === 'note') input.value = '';
      } catch (e) {
        answer.textContent = visible(e.message);
      }
    };
    return el('form', { onsubmit: (e) => { e.preventDefault(); send('evaluate'); } }, input, ' ', el('button', { type: 'submit' }, 'Evaluate'), ' ', el('button', { type: 'button', onclick: () => send('note') }, 'Note to the agent'), ' ', answer);
  }
}
customElements.define('controls-bar', ControlsBar);
