// Memory that threads share.
'use strict';
const { types } = require('util');
const [listed, viewed] = [Object.getPrototypeOf(Uint8Array.prototype), DataView.prototype].map((of) => Object.getOwnPropertyDescriptor(of, 'buffer').get);

// shared says that an object shows such memory. No code of the program's is run.
function shared(value) {
  return ArrayBuffer.isView(value) && types.isSharedArrayBuffer((types.isDataView(value) ? viewed : listed).call(value));
}

module.exports = { shared };
