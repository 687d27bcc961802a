// Works in a worker as in its main thread, and says which share of the time each took, by its own clock.
'use strict';
const { Worker, isMainThread, parentPort } = require('worker_threads');

function spin(rounds) {
  let total = 0;
  for (let i = 0; i < rounds; i++) total += (i * i) % 7;
  return total;
}
function inMain() { return spin(5e7); }
function inWorker() { return spin(1e8); }

function timed(work) {
  const began = performance.now();
  work();
  return performance.now() - began;
}

if (isMainThread) {
  const worker = new Worker(__filename);
  const mine = timed(inMain);
  worker.on('message', (theirs) => {
    console.log(`inMain=${(100 * mine / (mine + theirs)).toFixed(1)}`);
    console.log(`inWorker=${(100 * theirs / (mine + theirs)).toFixed(1)}`);
    process.exitCode = 3; // so that a reply shows what was said
  });
} else {
  parentPort.postMessage(timed(inWorker));
}
