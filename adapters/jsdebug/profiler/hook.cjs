// Is required before the program, in each of its threads and node processes: has V8 profile
// it, and writes down what V8 has seen, in parts, so that a program that is killed leaves
// those before. AIDB_PROFILE names the directory; wish.json in it says what is wished.
'use strict';
const { isMainThread, parentPort, threadId, workerData, Worker } = require('worker_threads');
const fs = require('fs');
const path = require('path');
const KEY = Symbol.for('aidb.profiler');
const dir = process.env.AIDB_PROFILE;
const ours = workerData && workerData.aidbProfiler; // our own thread's

const PART = 5000; // ms that a part lasts

class Profiler {
  constructor() {
    const { Session } = require('inspector');
    this.wish = JSON.parse(fs.readFileSync(path.join(dir, 'wish.json'), 'utf8'));
    this.name = path.join(dir, `${process.pid}-${threadId}`);
    this.parts = 0;
    this.session = new Session();
    this.session.connect();
    this.done = false;
    this.exit = () => this.finish('ended');
  }

  // post gives the answer of V8, which comes at once in the same thread.
  post(method, params) {
    let answer;
    this.session.post(method, params, (error, result) => {
      if (error) throw new Error(`${method}: ${error.message}`);
      answer = result;
    });
    return answer;
  }

  begin() {
    this.began = process.hrtime.bigint();
    this.cpu = process.cpuUsage();
    this.memory = process.memoryUsage();
    if (this.wish.what === 'memory') {
      require('v8').writeHeapSnapshot(`${this.name}.first.heapsnapshot`);
      this.post('HeapProfiler.startSampling', { samplingInterval: this.wish.interval });
      this.spent = Number(process.hrtime.bigint() - this.began);
    } else {
      this.post('Profiler.enable');
      this.post('Profiler.setSamplingInterval', { interval: this.wish.interval });
      this.post('Profiler.start');
    }
    this.describe('running');
    process.once('exit', this.exit);
    if (isMainThread) this.watch();
    else if (this.wish.what !== 'memory') setInterval(() => this.part(), PART).unref();
  }

  // watch starts the thread that asks for what is to be done, however busy the program is.
  watch() {
    try {
      const watcher = new Worker(path.join(__dirname, 'watch.cjs'), { execArgv: [], env: {}, workerData: { aidbProfiler: dir, part: PART }, trackUnmanagedFds: false });
      watcher.on('error', () => {});
      watcher.unref();
    } catch {
      // without one, the profile is written when the program ends
    }
  }

  // part writes what was seen since the part before.
  part() {
    if (this.done || this.wish.what === 'memory') return;
    this.save('cpuprofile', JSON.stringify(this.post('Profiler.stop').profile));
    this.parts++;
    this.describe('running');
    this.post('Profiler.start');
  }

  finish(why) {
    if (this.done) return;
    this.done = true;
    process.removeListener('exit', this.exit);
    try {
      if (this.wish.what === 'memory') {
        const before = process.hrtime.bigint();
        this.save('heapprofile', JSON.stringify(this.post('HeapProfiler.stopSampling').profile));
        require('v8').writeHeapSnapshot(`${this.name}.last.heapsnapshot`);
        this.spent += Number(process.hrtime.bigint() - before);
      } else {
        this.save('cpuprofile', JSON.stringify(this.post('Profiler.stop').profile));
      }
      this.parts++;
      this.describe(why);
    } catch (e) {
      this.describe('failed', String(e && e.message));
    }
    this.session.disconnect();
  }

  save(kind, text) {
    const file = `${this.name}.${this.parts}.${kind}`;
    fs.writeFileSync(`${file}.new`, text);
    fs.renameSync(`${file}.new`, file);
  }

  // describe says what a profile does not.
  describe(why, error) {
    const cpu = process.cpuUsage(this.cpu);
    const said = {
      why, error, version: process.version, wall_ns: Number(process.hrtime.bigint() - this.began), cpu_ns: (cpu.user + cpu.system) * 1000,
      memory: [this.memory, process.memoryUsage()], spent_ns: this.spent, main: isMainThread, pid: process.pid, thread: threadId,
      script: process.argv[1], maps: why === 'running' ? undefined : this.maps(), resources: process.getActiveResourcesInfo ? process.getActiveResourcesInfo() : [],
    };
    fs.writeFileSync(`${this.name}.json.new`, JSON.stringify(said));
    fs.renameSync(`${this.name}.json.new`, `${this.name}.json`);
  }

  // maps are where scripts say that their source maps are, by their addresses.
  maps() {
    const maps = {};
    let size = 0;
    const heard = ({ params }) => {
      if (!params.sourceMapURL || (size += params.sourceMapURL.length) > 32 << 20) return;
      maps[params.url] = params.sourceMapURL;
    };
    this.session.on('Debugger.scriptParsed', heard);
    this.post('Debugger.enable');
    this.post('Debugger.setSkipAllPauses', { skip: true });
    this.post('Debugger.disable');
    this.session.off('Debugger.scriptParsed', heard);
    return maps;
  }
}

// The thread of node's loader, which runs nothing of the program, requires this too.
if (dir && !ours && (isMainThread || parentPort) && !globalThis[KEY]) {
  const profiler = new Profiler();
  Object.defineProperty(globalThis, KEY, { value: profiler, enumerable: false });
  profiler.begin();
}
