// A thread beside the program's: when a file asks for the profile's end, it has the main
// thread write what there is. V8 interrupts what runs there for that.
'use strict';
const { workerData } = require('worker_threads');
const { Session } = require('inspector');
const fs = require('fs');
const path = require('path');

const session = new Session();
session.connectToMainThread();
const asked = path.join(workerData.aidbProfiler, 'finish');
const ask = (what) => session.post('Runtime.evaluate', { expression: `globalThis[Symbol.for('aidb.profiler')].${what}` }, () => {});
let next = Date.now() + workerData.part;
const look = setInterval(() => {
  if (fs.existsSync(asked)) {
    clearInterval(look);
    ask(`finish('time')`);
  } else if (Date.now() > next) {
    ask('part()');
    next = Date.now() + workerData.part;
  }
}, 50);
