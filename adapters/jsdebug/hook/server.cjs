'use strict';
// Runs js-debug, which it finds beside itself (see boot.go), from what V8 has made of it
// before: to compile it takes most of its start. That is kept beside js-debug's own files,
// for each version of node and of js-debug by itself.

const { createHash } = require('crypto');
const fs = require('fs');
const { wrap } = require('module');
const path = require('path');
const vm = require('vm');

const adapter = path.join(__dirname, 'adapter-server.js');
const source = fs.readFileSync(adapter);
// V8 itself compares no more of the source than its length.
const version = createHash('sha256').update(source).digest('hex').slice(0, 12);
const kept = path.join(path.dirname(fs.realpathSync(adapter)), '..', `code-${process.version}-${process.arch}-${version}`);

let cachedData;
try {
  cachedData = fs.readFileSync(kept);
} catch {
  // it is the first start, or nothing can be kept there
}
// Its one import() is of a package that does not come with it, and it does without.
const script = new vm.Script(wrap(String(source)), { filename: __filename, cachedData });
script.runInThisContext().call(exports, exports, require, module, __filename, __dirname);

if (!cachedData || script.cachedDataRejected) {
  const keep = () => {
    const begun = `${kept}.${process.pid}`;
    try {
      fs.writeFileSync(begun, script.createCachedData(), { mode: 0o600 });
      fs.renameSync(begun, kept); // nobody reads half of it
    } catch {
      fs.rm(begun, { force: true }, () => {});
    }
  };
  setTimeout(keep, 1000).unref(); // what it compiles as it starts is there by then
}
