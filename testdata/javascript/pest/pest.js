// See testdata/go/pest: surrounds itself with processes, ignores signals, stays.
const { spawnSync } = require("node:child_process");

for (const name of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(name, () => {});
const [mode, ...rest] = process.argv.slice(2);
spawnSync("sh", ["pest.sh", ...rest], { stdio: "inherit" });
console.log("ready");
let ticks = 0;
const timer = setInterval(() => {
  ticks++; //@mark stop
  if (mode === "exit" && ticks >= 3) clearInterval(timer);
}, 10);
