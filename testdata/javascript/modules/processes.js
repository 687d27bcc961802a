import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Worker, isMainThread, workerData } from 'node:worker_threads';

const me = fileURLToPath(import.meta.url);

function work(n) {
  return n * 2; //@mark work
}

if (process.argv[2] === 'child') {
  console.log('child', work(21));
} else if (isMainThread) {
  new Worker(me, { workerData: 5 }).on('exit', () => {
    fork(me, ['child']).on('exit', (code) => console.log('gone', code));
  });
} else {
  console.log('worker', work(workerData));
}
