// Works in a worker as in its main thread, and ends when both are done.
'use strict';
const { Worker, isMainThread } = require('worker_threads');

function spin(rounds) {
  let total = 0;
  for (let i = 0; i < rounds; i++) total += (i * i) % 7;
  return total;
}
function inMain() { return spin(3e8); }
function inWorker() { return spin(6e8); }

if (isMainThread) {
  new Worker(__filename);
  inMain();
} else {
  inWorker();
}
