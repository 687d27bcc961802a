// See testdata/go/pest: surrounds itself with processes, ignores signals, stays.
// The test that uses it takes the types away and writes the map that tsc would.
const { spawnSync } = require("node:child_process");

for (const name of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(name, () => {});
const mode: string = process.argv[2];
spawnSync("sh", ["pest.sh", ...process.argv.slice(3)], { stdio: "inherit" });
console.log("ready");
let ticks: number = 0;
const timer = setInterval(() => {
  ticks++; //@mark stop
  if (mode === "exit" && ticks >= 3) clearInterval(timer);
}, 10);
