// Reads the stacks of errors.
'use strict';
const { fileURLToPath } = require('url');

const AT = /^\s*at (?:async )?(?:(.*?) \()?((?:file:\/\/)?(?:\/|[A-Za-z]:[\\/]).*?):(\d+):(\d+)\)?$/;

// frames are those of the user's code in an error's own stack, the innermost first. What
// was put into the sources has moved their columns: where no map follows that, the
// statement is found by what was put in.
function frames(recorder, error) {
  const list = [];
  if (typeof error !== 'object' || error === null) return list;
  for (const line of String(error.stack).split('\n')) {
    const m = AT.exec(line);
    if (!m || m[2].includes('/node_modules/') || m[2].startsWith(__dirname)) continue;
    const file = m[2].startsWith('file:') ? fileURLToPath(m[2]) : m[2];
    const found = mapped() ? undefined : recorder.statement(file, +m[3], +m[4]);
    list.push(found || `${m[1] || '(module)'} ${file}:${m[3]}`);
  }
  return list;
}

// mapped says that stacks are told in terms of what the code was made from.
function mapped() {
  return process.sourceMapsEnabled ?? process.execArgv.includes('--enable-source-maps');
}

module.exports = { frames };
