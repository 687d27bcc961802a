// Rewrites ES modules: where node lets hooks run in the program's own thread it does so
// there, else in the thread of node's loader.
'use strict';
const { Buffer } = require('node:buffer'); // the program may take the global one away
const Module = require('module');
const path = require('path');
const { fileURLToPath, pathToFileURL } = require('url');
const { stripped } = require('./stripped.cjs');

// Scripts come to node's way of loading scripts, and to our hook in it; of TypeScript they do
// not in node 22 where a module imports them.
const OURS = /^module|^commonjs-typescript$/;

class Loads {
  constructor(recorder) {
    this.recorder = recorder;
    this.ready = false;
    const { later, modules } = recorder.how;
    if (modules || recorder.children.child) this.need(); // what a child begins with is not known
  }

  // need is called where an ES module may be loaded. Where other hooks turn something
  // else into JavaScript, ours come later than they, to see what those have made.
  need(now = false) {
    if (this.ready || this.recorder.how.later && !now) return;
    this.ready = true;
    if (Module.registerHooks) Module.registerHooks({ load: (url, context, next) => this.load(url, next(url, context)) });
    else if (Module.register) Module.register(pathToFileURL(path.join(__dirname, 'loader.mjs')), { data: { wish: this.recorder.wish, tests: [...this.recorder.tests] } });
    else this.recorder.remark('this node cannot record ES modules: it takes 18.19, 20.6 or newer');
  }

  load(url, loaded) {
    const own = users(this.recorder.weaver, url, loaded);
    if (!own) return loaded;
    const code = this.recorder.rewrite(own.source, own.name, { module: own.format === 'module' });
    if (code === own.source) return loaded;
    if (own.format === 'commonjs') this.recorder.scripts.add(code);
    return { ...loaded, source: code, format: own.format };
  }
}

// users is the name and the source of a module that is the user's own.
function users(weaver, url, loaded) {
  if (!url.startsWith('file:') || !OURS.test(loaded.format || '') || loaded.source === undefined || loaded.source === null) return undefined;
  const name = fileURLToPath(url);
  if (!weaver.users(name)) return undefined;
  const { code, format } = stripped(text(loaded.source), loaded.format);
  return { name, source: code, format };
}

// text is a source, which may come as bytes.
function text(source) {
  return typeof source === 'string' ? source : Buffer.from(source.buffer || source, source.byteOffset, source.byteLength).toString();
}

module.exports = { Loads, users };
