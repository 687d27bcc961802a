'use strict';

function average(lines) {
  let total = 0;
  for (const line of lines) {
    total += line.price * line.n;
  }
  return lines.length ? total / lines.length : undefined;
}

module.exports = { average };
