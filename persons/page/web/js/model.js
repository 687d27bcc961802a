// Model is what the page knows of one session. It follows the session's stream and says
// which of its topics have changed: state, view, breakpoints, output, timeline, people, frame.
const mostEvents = 10_000;
const mostOutput = 1 << 20;

export class Model extends EventTarget {
  constructor() {
    super();
    this.reset();
  }

  reset() {
    this.seen = 0;
    this.state = {};
    this.view = undefined;
    this.breakpoints = [];
    this.hold = undefined;
    this.questions = [];
    this.present = [];
    this.you = '';
    this.timeline = []; // events that are shown in it, oldest first
    this.dropped = 0; // of them, that are shown no more
    this.output = []; // {n, stream, text}
    this.printed = 0;
    this.cut = 0; // bytes of output that are shown no more
    this.frame = 0; // index of the frame that is looked at
    this.thread = 0; // that is looked at, 0: the one that stopped
    this.found = ''; // what is searched
  }

  say(...topics) {
    for (const t of new Set(topics)) this.dispatchEvent(new Event(t));
  }

  // snapshot is where the session stands, at the start and after a cut.
  snapshot(s) {
    Object.assign(this, { state: s.state, view: s.view, breakpoints: s.breakpoints ?? [], hold: s.hold, questions: s.questions ?? [], present: s.present ?? [], you: s.you });
    this.say('state', 'view', 'breakpoints', 'people', 'timeline', 'frame');
  }

  // take takes a batch of events.
  take({ events = [], lost = 0 }) {
    const topics = new Set();
    if (lost > 0) {
      this.timeline.push({ n: this.seen + 1, kind: 'lost', lost, by: { kind: 'program' }, at: events?.[0]?.at });
      topics.add('timeline');
    }
    for (const e of events ?? []) {
      if (e.n <= this.seen) continue; // it was told before a cut
      this.seen = e.n;
      this.one(e, topics);
    }
    const over = this.timeline.length - mostEvents;
    if (over > 0) {
      this.timeline.splice(0, over);
      this.dropped += over;
    }
    this.say(...topics);
  }

  // one event changes what is known, where it is newer than the snapshot as well as before it.
  one(e, topics) {
    switch (e.kind) {
      case 'state':
        if ((e.state.epoch ?? 0) >= (this.state.epoch ?? 0)) {
          if (e.state.epoch !== this.state.epoch) Object.assign(this, { frame: 0, thread: 0 });
          this.state = e.state;
          if (this.view && this.view.epoch !== e.state.epoch) this.view = undefined;
        }
        topics.add('state').add('view').add('frame');
        break;
      case 'view':
        if (e.view.epoch === this.state.epoch) {
          this.view = e.view;
          topics.add('view').add('frame');
        }
        return; // the timeline shows the state
      case 'output':
        this.print(e);
        topics.add('output');
        return;
      case 'breakpoint':
        this.breakpoints = this.breakpoints.filter((b) => b.id !== e.breakpoint.id);
        if (e.breakpoint.what !== 'removed') this.breakpoints.push(e.breakpoint);
        this.breakpoints.sort((a, b) => a.id - b.id);
        topics.add('breakpoints');
        break;
      case 'question':
        if (!this.questions.some((q) => q.id === e.question.id)) this.questions.push(e.question);
        topics.add('people');
        break;
      case 'answer':
        this.questions = this.questions.filter((q) => q.id !== e.answer.question);
        topics.add('people');
        break;
      case 'hold':
        this.hold = e.hold.person ? e.hold : undefined;
        topics.add('people');
        return; // what was done says it
      case 'presence':
        this.present = this.present.filter((p) => p !== e.presence.person);
        if (e.presence.here) this.present.push(e.presence.person);
        topics.add('people');
        break;
    }
    this.timeline.push(e);
    topics.add('timeline');
  }

  print(e) {
    this.output.push({ n: e.n, stream: e.output.stream, text: e.output.text });
    this.printed += e.output.text.length;
    this.cut += e.output.cut ?? 0;
    while (this.printed > mostOutput && this.output.length > 1) {
      const gone = this.output.shift().text.length;
      this.printed -= gone;
      this.cut += gone;
    }
  }

  get holds() { return this.hold?.person === this.you; }

  // at is the frame that is looked at.
  get at() {
    const stack = this.stack ?? this.view?.stack ?? [];
    return stack.find((f) => f.index === this.frame) ?? stack.find((f) => !f.internal && f.file) ?? stack[0];
  }

  look(frame) {
    this.frame = frame;
    this.say('frame');
  }

  search(text) {
    this.found = text;
    this.say('search');
  }
}
