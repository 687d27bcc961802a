// What counts and notes the hits of one trace, in the program. The conditions of breakpoints that
// never stop call it; what has armed it takes the rows. When nobody has for a while it goes.
(function (name, asked, texts, require) {
  'use strict';
  const builtin = process.getBuiltinModule ? (n) => process.getBuiltinModule(n) : require;
  const loaded = {};
  function load(file) {
    if (!(file in texts)) return builtin(file);
    if (!loaded[file]) {
      const module = loaded[file] = { exports: {} };
      new Function('module', 'require', texts[file])(module, load);
    }
    return loaded[file].exports;
  }
  const { look } = load('./shown.cjs');
  const WAITING = 20000, LENGTH = 200, SILENT = 4000, STARVED = 2000;
  const clock = process.hrtime.bigint, now = Date.now;
  const began = clock();
  const rows = [], stacks = new Map();
  let head = 0, hits = 0, matched = 0, unread = 0, dropped = 0, read = 0, calls = 0, second = began, before = 0, out = '', taken = now(), busy = false;

  function value(label, f) {
    try {
      const { text, cut } = look(f(), LENGTH);
      return text.length > LENGTH ? [label, text.slice(0, LENGTH), '', true] : [label, text, '', cut];
    } catch (e) {
      return [label, '', String(e && e.message || e).slice(0, LENGTH), false];
    }
  }

  // hidden words a value at a return, where V8 shows no more than a function's outermost variables.
  function hidden(v) {
    if (v[2].endsWith(' is not defined')) v[2] = 'not readable here: V8 shows no variables of blocks at a return';
    return v;
  }

  function note(place, kind, call, values) {
    const p = asked.places[place];
    read++;
    if (rows.length - head >= WAITING) {
      rows[head++] = undefined;
      dropped++;
    }
    rows.push([read, Number(clock() - began), kind, process.pid, 'main', p.name, p.file, p.line, call, values]);
  }

  // counts says whether there is room for one more in this second.
  function counts() {
    hits++;
    const t = clock();
    if (t - second > 1000000000n) {
      second = t;
      before = hits;
    }
    if (hits - before > asked.most && !out) {
      out = `there were more than ${asked.most} hits within a second: it was taken out of the program, so that this is not slowed down`;
      still(out);
    }
    if (!out && now() - taken > STARVED) {
      still('the program was so busy with its hits that nothing else got through for two seconds: it was taken out of the program, so that this is not slowed down');
    }
    return !out;
  }

  function holds(test) {
    if (test) {
      try {
        if (!test()) return false;
      } catch {
        unread++;
        return false;
      }
    }
    matched++;
    return true;
  }

  // depth is how many frames there are, by which a call is told from another.
  function depth() {
    const { stackTraceLimit, prepareStackTrace } = Error;
    Error.stackTraceLimit = Infinity;
    Error.prepareStackTrace = (_, frames) => frames.length;
    try {
      return new Error().stack;
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
      Error.prepareStackTrace = prepareStackTrace;
    }
  }

  function guarded(f) {
    if (busy || out) return;
    busy = true;
    try {
      f();
    } catch {
      unread++;
    } finally {
      busy = false;
    }
  }

  const pass = (place, test, list) => guarded(() => {
    if (counts() && holds(test)) note(place, 0, 0, list.map((f, i) => {
      const v = value(asked.expressions[i], f);
      return asked.places[place].ends ? hidden(v) : v;
    }));
  });
  const enter = (place, test, list) => guarded(() => {
    if (!counts()) return;
    const p = asked.places[place];
    const d = p.open ? 0 : depth();
    const stack = stacks.get(p.of) || [];
    stacks.set(p.of, stack);
    while (stack.length && stack[stack.length - 1].d >= d) stack.pop(); // they have ended by an exception
    if (!holds(test)) return;
    const call = ++calls;
    if (!p.open) stack.push({ d, call });
    note(place, 1, call, list.map((f, i) => value(p.params[i], f)));
  });
  // ready is called where a return statement begins, in whose blocks more is seen than at its end.
  const ready = (place, f) => guarded(() => {
    if (out) return;
    const d = depth(), stack = stacks.get(asked.places[place].of) || [];
    const top = stack[stack.length - 1];
    if (!top || top.d !== d) return;
    const v = value('', f);
    top.value = v[2] ? undefined : v; // where it fails, that statement does not return
  });
  const leave = (place, test, f) => guarded(() => {
    if (!counts()) return;
    const p = asked.places[place], d = depth(), stack = stacks.get(p.of) || [];
    while (stack.length && stack[stack.length - 1].d > d) stack.pop();
    const top = stack.length && stack[stack.length - 1].d === d ? stack.pop() : undefined;
    if (!top && test) return;
    let result = top && top.value;
    if (!result && f) result = value('', f);
    if (!result) result = ['', '', 'not readable here: the return statement computes it', false];
    hidden(result);
    note(place, 2, top ? top.call : 0, [result]);
  });

  // The breakpoints are those of a debugger in the program itself: V8 dies where they are taken out
  // while it judges one of their conditions, as it would when what has armed them is gone.
  const keeper = new (load('inspector').Session)();
  function post(method, params) {
    let failed;
    keeper.post(method, params, (e) => { failed = e; });
    if (failed) throw new Error(`${method}: ${failed.message}`);
  }

  // At the end of the program nothing can be asked of it any more: it tells the rest itself.
  const tell = globalThis[name + '_tell'];
  delete globalThis[name + '_tell'];
  function exits() {
    still('closed');
    try {
      tell(take(WAITING));
    } catch {
      // nobody listens any more
    }
  }

  // begin is called with nothing of the program's under way.
  function begin() {
    keeper.connect();
    process.on('exit', exits);
    try {
      post('Debugger.enable', {});
      post('Debugger.setSkipAllPauses', { skip: true }); // a debugger statement included; conditions are judged
      for (const [location, condition] of asked.hooks) post('Debugger.setBreakpoint', { location, condition });
    } catch (e) {
      end();
      throw e;
    }
  }

  // end is called so too.
  function end() {
    clearInterval(timer);
    process.removeListener('exit', exits);
    keeper.disconnect();
    delete globalThis[name];
  }

  // still has the breakpoints do nothing any more; that harms no condition that is judged.
  function still(why) {
    out = out || why;
    try {
      post('Debugger.setBreakpointsActive', { active: false });
    } catch {
      // it has ended
    }
  }

  const turn = (f) => new Promise((done, fail) => setTimeout(() => {
    try {
      f();
      done('done');
    } catch (e) {
      fail(e);
    }
  }, 0));

  let closing;
  function close() {
    still('closed');
    return (closing = closing || turn(end));
  }

  const timer = setInterval(() => {
    if (now() - taken > SILENT) close();
  }, 1000);
  timer.unref();

  function take(most) {
    taken = now();
    const some = rows.slice(head, head + most);
    head += some.length;
    if (head > 1000) {
      rows.splice(0, head);
      head = 0;
    }
    return JSON.stringify({ rows: some, hits, matched, unread, dropped, read, out: out === 'closed' ? '' : out, more: rows.length - head });
  }

  Object.defineProperty(globalThis, name, { value: { pass, enter, ready, leave, take, close, quiet: () => still('closed') }, configurable: true });
  return turn(begin);
})
