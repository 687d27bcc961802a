// Async functions that wait for promises: in a ring, behind one another, and for nobody who is known.
const timer = () => new Promise((resolve) => setTimeout(resolve, 600000));
const waiting = [];
const answer = () => new Promise((resolve) => waiting.push(resolve));

async function query(sql) {
  await answer(sql); // @mark query
}

async function order(id) {
  await query("select " + id); // @mark order
}

async function orders() {
  await Promise.all([order(1), order(2)]); // @mark orders
}

async function either() {
  await Promise.any([orders(), timer()]); // @mark either
}

let first, second;
async function ring() {
  await null;
  await second; // @mark ring
}
async function back() {
  await null;
  await first; // @mark back
}

globalThis.kept = either();
if (process.argv[2] === "ring") [first, second] = [ring(), back()];
answer().then(function answered() {}); // @mark answered
setInterval(() => {}, 600000);
