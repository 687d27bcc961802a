'use strict';
// The stack that V8 has kept of an error as it was made, whatever its text says. It is
// loaded by the hook.
const url = require('url');

const key = '__aidbKept';
let session;

// keptBy are the frames of it, the innermost first; undefined where V8 has none.
function keptBy(error) {
  try {
    if (!session) {
      session = new (require('inspector').Session)();
      session.connect();
    }
    Object.defineProperty(globalThis, key, { value: error, configurable: true });
    let stack;
    session.post('Runtime.evaluate', { expression: key, silent: true }, (_, answer) => {
      const errorObjectId = answer?.result.objectId;
      if (errorObjectId) session.post('Runtime.getExceptionDetails', { errorObjectId }, (_, told) => (stack = told?.exceptionDetails?.stackTrace));
    });
    return stack?.callFrames.length ? stack.callFrames.map(frameOf) : undefined;
  } catch {
    return undefined; // it is too old
  } finally {
    delete globalThis[key];
  }
}

function frameOf({ functionName, url: address, lineNumber, columnNumber }) {
  const frame = { async: false, name: functionName, url: address, line: lineNumber + 1, column: columnNumber + 1 };
  if (/^(?:file:|\/|[A-Za-z]:[\\/])/.test(address)) frame.file = address.startsWith('file:') ? url.fileURLToPath(address.replace(/\?.*$/, '')) : address;
  return frame;
}

module.exports = { keptBy };
