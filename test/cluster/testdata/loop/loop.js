const fs = require("fs");

function mark(i, total) {
  return i + total;
}

let total = 0;
for (let i = 1; i < 100000; i++) {
  total += i;
  fs.appendFileSync(process.argv[2], i + "\n");
  mark(i, total); // here
}
