// What node makes of TypeScript by itself, which it does later than our hooks see a source.
'use strict';
const Module = require('module');

const KIND = /^(?:(commonjs|module)-)?typescript$/;

// stripped is a source as JavaScript, and as what node loads that: TypeScript without its types.
// What node itself cannot strip stays as it is, and node says why.
function stripped(code, format) {
  const kind = KIND.exec(format || ''), { emitWarning } = process;
  if (!kind) return { code, format };
  try {
    const how = transforms() ? { mode: 'transform', sourceMap: true } : { mode: 'strip' };
    process.emitWarning = () => {}; // that it is experimental is nothing for the program to say
    return { code: Module.stripTypeScriptTypes(code, how), format: kind[1] };
  } catch {
    return { code, format };
  } finally {
    process.emitWarning = emitWarning;
  }
}

// transforms says that node was told to turn enums and the like into JavaScript too.
function transforms() {
  const flag = '--experimental-transform-types';
  return process.execArgv.includes(flag) || (process.env.NODE_OPTIONS || '').split(/\s+/).includes(flag);
}

module.exports = { stripped };
