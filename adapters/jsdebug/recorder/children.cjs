// Goes on noting in the worker threads and the node processes that the program starts, each in a
// folder of its own beside the program's files: package recording reads them behind those. So it
// is where each of them can be asked the same by itself; where it cannot, that is said.
'use strict';
const fs = require('fs');
const Module = require('module');
const path = require('path');
const processes = require('child_process');
const threads = require('worker_threads');

const MOST = 16; // that are followed
const CHILD = 'child-'; // recording.Child
const NAME = 'name'; // recording.ChildName
const HEAD = 'head'; // recording.Head
const PROCESS = 'pid'; // is written by each process
const FOLLOWS = 'follows'; // recording.Follows
const LOADED = 'loaded'; // what the others have loaded, a line of JSON for each file
const VARIABLE = 'AIDB_RECORD'; // recording.Variable
const HOOK = path.join(__dirname, 'hook.cjs');
const UNNOTED = 'what worker threads do is not noted';
const UNSEEN = 'the program has started other programs: what they do is not recorded';
const GIVEN = 'code that a worker thread is given as text is not recorded';
const MORE = `the program has started more than ${MOST} threads and processes: what the others do is not recorded`;
const FAILED = 'a thread or process that the program has started could not be recorded';
const OUTLIVED = 'a process that the program has started went on when the program had ended: what it did then is not recorded';
const ORDER = 'what worker threads and child processes do is noted behind what the program does: which of it came first is not told';

// isChild says that a recording is that of a thread or process which the program has started.
function isChild(records) {
  return path.basename(records).startsWith(CHILD);
}

// followed says that each thread and process can be asked the same by itself.
function followed({ first }) {
  return !first?.each && !first?.changes;
}

class Children {
  constructor(recorder, records) {
    this.recorder = recorder;
    this.records = records;
    this.child = isChild(records);
    this.home = this.child ? path.dirname(records) : records;
    this.started = false; // one that is followed
    this.beside = !threads.isMainThread; // there are other threads of the program
  }

  // name is what the reader of the recording calls this thread or process; empty for the program itself.
  name() {
    return this.child ? read(this.records, NAME) : '';
  }

  // claimed: this is a process that records, from now on.
  claimed() {
    if (this.child && threads.isMainThread) write(this.records, PROCESS, process.pid);
    else if (!this.child && this.able()) write(this.home, FOLLOWS, '');
  }

  // able says that what the program starts can be followed. Of a test runner it is where the first
  // process runs the tests: else it is not known here what the other ones do.
  able() {
    return followed(this.recorder.wish) && threads.setEnvironmentData !== undefined && this.recorder.top !== false;
  }

  follows() {
    return this.able() && this.recorder.notes.file !== undefined;
  }

  say(text) {
    this.recorder.remark(text, 'apart');
  }

  // other says that something has been started that is not followed.
  other() {
    if (this.able() && !translates()) this.say(UNSEEN); // where it cannot be followed at all, the kernel tells it
  }

  // begin starts a thread or process, which is given a folder if it is followed.
  begin(kind, start) {
    const folder = this.next(kind);
    let begun = false;
    try {
      const result = start(folder);
      begun = !(result < 0); // the number of a failure
      return result;
    } finally {
      if (!begun && folder) [[NAME, ''], [HEAD, '']].forEach(([name, text]) => write(folder, name, text)); // there is none
    }
  }

  // next makes a folder; none where it cannot be done, or there are too many.
  next(kind) {
    try {
      for (let n = 1; n <= MOST; n++) {
        const folder = path.join(this.home, CHILD + n);
        if (!made(folder)) continue; // by another thread or process, or before
        write(folder, NAME, `${kind} ${n}`);
        this.started = true;
        if (!this.recorder.wish.lines) this.recorder.remark(ORDER); // those are of one call
        return folder;
      }
      this.say(MORE);
    } catch {
      this.say(FAILED);
    }
    return undefined;
  }

  join() {
    const children = this, { prototype } = processes.ChildProcess;
    threads.Worker = new Proxy(threads.Worker, { construct: (target, args, made) => children.thread(target, args, made) });
    prototype.spawn = new Proxy(prototype.spawn, { apply: (spawn, child, [options]) => children.process(spawn, child, options) });
    for (const [object, name] of [[processes, 'spawnSync'], [processes, 'execFileSync'], [processes, 'execSync'], [process, 'execve']]) {
      if (object[name]) object[name] = new Proxy(object[name], { apply: (...call) => { children.other(); return Reflect.apply(...call); } });
    }
    Module.syncBuiltinESMExports();
  }

  thread(target, args, made) {
    const start = () => Reflect.construct(target, args, made), [file, options] = args;
    if (translates()) return start();
    this.beside = true;
    if (!this.follows() || this.recorder.how.later && options?.execArgv) {
      this.say(UNNOTED);
      return start();
    }
    if (options?.eval || /^(?:data|blob):/.test(String(file))) this.say(GIVEN);
    return this.begin('worker', (folder) => {
      if (!folder) return start();
      if (options?.execArgv) args = [file, { ...options, execArgv: hooked(options.execArgv) }];
      threads.setEnvironmentData(VARIABLE, folder);
      try {
        return start();
      } finally {
        threads.setEnvironmentData(VARIABLE);
      }
    });
  }

  process(spawn, child, options) {
    const start = (given) => Reflect.apply(spawn, child, [given]), { file, args = [], envPairs } = options || {};
    if (!this.follows() || !isNode(file) || translates() || this.recorder.how.later && !args.includes(HOOK)) {
      this.other();
      return start(options);
    }
    return this.begin('child', (folder) => {
      if (!folder) return start(options);
      try {
        return start({ ...options, args: [args[0], ...hooked(args.slice(1))], envPairs: [...(envPairs || []), `${VARIABLE}=${folder}`] });
      } finally {
        child.spawnargs = args;
      }
    });
  }

  // tell has the program know of a file that another thread or process has loaded, or that it
  // follows the call whose lines are wanted.
  tell({ name, bound, counted, named, judged, unknown, functions, followed }) {
    if (this.child) fs.appendFileSync(path.join(this.home, LOADED), `${JSON.stringify({ name, bound, counted, named, judged, unknown, functions, followed })}\n`, { mode: 0o600 });
  }

  // ended takes what was told, and says whether that is all. One of them tells nothing more.
  ended() {
    if (this.child) return false;
    for (const line of read(this.home, LOADED).split('\n')) if (line) this.recorder.knows(JSON.parse(line));
    for (let n = 1; n <= MOST; n++) {
      const folder = path.join(this.home, CHILD + n);
      if (!read(folder, NAME).startsWith('child') || !lives(read(folder, PROCESS))) continue;
      this.say(OUTLIVED);
      return false;
    }
    return true;
  }
}

// translates says that who starts something here has it make JavaScript of sources.
function translates() {
  const by = String(new Error().stack).split('\n').slice(1).find((line) => !line.includes(__filename) && !/\(?node:/.test(line)) || '';
  return /[\\/]node_modules[\\/](?:tsx|esbuild)[\\/]/.test(by);
}

function isNode(file) {
  return file === process.execPath || /^node(?:js)?(?:\.exe)?$/.test(path.basename(String(file)));
}

// hooked are node's arguments with those by which it records.
function hooked(args) {
  return args.includes(HOOK) ? args : ['--require', HOOK, ...args];
}

// made says that a folder was made, and not there already.
function made(folder) {
  try {
    fs.mkdirSync(folder, 0o700);
    return true;
  } catch (e) {
    if (e.code !== 'EEXIST') throw e;
    return false;
  }
}

function write(folder, name, text) {
  fs.writeFileSync(path.join(folder, name), String(text), { mode: 0o600 });
}

// read is the text of a file; empty where there is none.
function read(folder, name) {
  try {
    return fs.readFileSync(path.join(folder, name), 'utf8');
  } catch {
    return '';
  }
}

// lives says of a process that it may be there still.
function lives(pid) {
  if (!pid) return true; // it has not begun
  try {
    process.kill(Number(pid), 0);
  } catch (e) {
    return e.code !== 'ESRCH';
  }
  return !/\) [ZX]/.test(read(`/proc/${pid}`, 'stat'));
}

module.exports = { Children };
