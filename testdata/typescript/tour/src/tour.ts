// Tour goes through what a debugger is asked for; its first argument names the
// part. The same program stands in testdata for every language. It is a module,
// and what is TypeScript in it leaves no trace in the compiled one, so that no
// line stands there where it stands here.
import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { Worker, isMainThread, parentPort, workerData } from "node:worker_threads";

interface Address {
  city: string;
  tags: string[];
}

interface Person {
  name: string;
  age: number;
  address: Address;
}

type Link = {
  depth: number;
  next: Link | null;
};

type Part = () => void;

const print = (...words: unknown[]): number => writeSync(1, words.join(" ") + "\n");

function main(): void {
  let part = "loop"; //@mark main
  if (process.argv.length > 2) {
    part = process.argv[2]!;
  }
  const parts: Record<string, Part> = {
    loop, calls, values, big, watch, throw: throw_, catch: catch_, exit3, streams, echo, spin, sleep, threads, recursion,
  };
  parts[part]!();
}

function loop(): void {
  const items: number[] = [3, 1, 4, 1, 5, 9, 2, 6, 5, 4];
  let total = 0; //@mark loop-start
  for (let i = 0; i < 10; i++) {
    const item = items[i]!;
    total += item; //@mark sum
  }
  print("total", total); //@mark loop-end
}

function twice(n: number): number {
  const result = n * 2; //@mark twice
  return result; //@mark twice-return
}

function combine<T extends number>(a: T, b: T): number {
  const both = a + b; //@mark combine
  return both; //@mark combine-return
}

function calls(): void {
  let count = 6; //@mark calls-start
  const first = twice(count); //@mark call
  const second = combine(twice(first), count); //@mark nested
  count = count + second; //@mark after
  print("calls", count, first); //@mark calls-end
}

function values(): void {
  const yes = true;
  const whole = 42;
  const huge = 9007199254740993n;
  const ratio = 1.5;
  const name = "grüße 🙂";
  const lines = 'one\n"two"';
  const list = [10, 20, 30];
  const ages = new Map<string, number>([["one", 1], ["two", 2]]);
  const ada: Person = { name: "Ada", age: 36, address: { city: "Paris", tags: ["x", "y"] } };
  const nothing = null;
  print("values", yes, whole, huge, ratio, name, lines, list, ages, ada, nothing); //@mark values-end
}

function big(): void {
  const million = Array.from({ length: 1_000_000 }, (_, i) => i);
  const text = "0123456789".repeat(100_000);
  let deep!: Link;
  for (let i = 50; i > 0; i--) {
    deep = { depth: i, next: deep ?? null };
  }
  print("big", million.length, text.length, deep.depth); //@mark big-end
}

let counter = 10;

function bump(): void {
  counter++; //@mark write
  print("bumped"); //@mark written
  print("for sure"); //@mark written-after
}

function watch(): void {
  print("watch", counter); //@mark watch-start
  bump();
  print("counter", counter); //@mark watch-end
}

function fail(code: number): never {
  throw new RangeError("tour failed: " + code); //@mark throw
}

function throw_(): void {
  print("before");
  fail(7); //@mark throw-call
}

function catch_(): void {
  try {
    fail(8);
  } catch (error) {
    print("caught", (error as Error).message); //@mark caught
  }
}

function exit3(): void {
  print("last words");
  writeSync(2, "last complaint\n");
  process.exit(3); //@mark exit
}

function streams(): void {
  for (let i = 1; i <= 3; i++) {
    print("out", i);
    writeSync(2, `err ${i}\n`); //@mark stream
  }
  writeSync(1, "no newline at the end");
}

function echo(): void {
  let n = 0;
  const lines = createInterface({ input: process.stdin });
  lines.on("line", (line) => {
    n++;
    print(n + ":", line); //@mark line
  });
  lines.on("close", () => print("end after", n, "lines"));
}

function spin(): void {
  let limit = -1;
  let busy = 0;
  writeSync(1, "spinning\n"); // here, so that a pause right after it is in spin
  for (let n = 0; limit < 0 || n < limit; n++) {
    busy = n * 2; //@mark spin
  }
  print("spun", busy >= 0 ? "" : "-");
}

function tick(n: number): void {
  print("tick", n); //@mark tick
}

function sleep(): void {
  let n = 0;
  const timer = setInterval(() => {
    tick(n++);
    if (n === 2400) {
      clearInterval(timer);
    }
  }, 50);
}

function hold(gate: Int32Array<SharedArrayBuffer>): void {
  Atomics.add(gate, 1, 1);
  Atomics.notify(gate, 1);
  Atomics.wait(gate, 0, 0); //@mark hold
}

// threads are workers: each is a program of its own to the debugger.
function threads(): void {
  const gate = new Int32Array(new SharedArrayBuffer(8));
  let gone = 0;
  const workers = Array.from({ length: 20 }, () => new Worker(new URL(import.meta.url), { workerData: gate }));
  const gather = setInterval(() => {
    if (Atomics.load(gate, 1) < workers.length) {
      return;
    }
    clearInterval(gather);
    print("gathered"); //@mark gathered
    Atomics.store(gate, 0, 1);
    Atomics.notify(gate, 0);
  }, 100);
  for (const worker of workers) {
    worker.on("exit", () => gone++);
  }
}

function dive(depth: number): number {
  if (depth === 0) {
    return 0; //@mark bottom
  }
  return dive(depth - 1) + 1;
}

function recursion(): void {
  print("depth", dive(500));
}

if (isMainThread) {
  main();
} else {
  hold(workerData);
  parentPort?.close();
}
