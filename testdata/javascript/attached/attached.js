// Somebody's production: the main thread and a worker do some work about 500 times a
// second each, and a server answers each line with how far they are.
const net = require("net");
const readline = require("readline");
const { Worker, isMainThread, workerData } = require("worker_threads");

let counter = 0;

function work(n) {
  counter = n + 1; //@mark hot
  return counter;
}

function risk(n) {
  if (n % 50 === 0) {
    throw new Error(`thrown at ${n}`);
  }
}

function count(counts, i) {
  let n = 0;
  setInterval(() => {
    n = work(n);
    try {
      risk(n);
    } catch {
      // as it often happens
    }
    counts[i] = n;
  }, 2);
}

if (isMainThread) {
  const counts = new Int32Array(new SharedArrayBuffer(8));
  new Worker(__filename, { workerData: counts });
  count(counts, 0);
  const server = net.createServer((socket) => {
    socket.on("error", () => {});
    readline.createInterface({ input: socket }).on("line", (line) => {
      socket.write(`${line} ${counts[0]} ${counts[1]}\n`);
    });
  });
  server.listen(0, "127.0.0.1", () => console.log("port", server.address().port));
} else {
  count(workerData, 1);
}
