'use strict';
// Keeps the inspector that the debugger has opened out of what the program sees and hands on. It is
// loaded by the hook. Node tells the port of an inspector by process.debugPort, and gives ports of
// their own to the workers of a cluster where its options have to do with inspectors, as ours have.
const { ChildProcess } = require('child_process');
const { isMainThread } = require('worker_threads');

const OURS = '--inspect-publish-uid=stderr';
const PORT = 9229; // node's own
const inspects = (options) => /--inspect|--debug-port/.test(options.join(' ').replaceAll(OURS, ''));
const given = /^--inspect-port=\d+$/;

// unseen does it, unless the program was given options of that kind by somebody else.
function unseen() {
  if (!isMainThread || inspects([...process.execArgv, process.env.NODE_OPTIONS || ''])) return;
  process.debugPort = PORT;
  const { prototype } = ChildProcess;
  prototype.spawn = new Proxy(prototype.spawn, { apply: (spawn, child, [options]) => Reflect.apply(spawn, child, [plain(options)]) });
}

// plain is what starts a worker of a cluster, as it would be without us.
function plain(options) {
  if (!options?.envPairs?.some((pair) => pair.startsWith('NODE_UNIQUE_ID='))) return options;
  if (inspects(require('cluster').settings.execArgv || [])) return options;
  const at = options.args.findIndex((arg) => given.test(arg));
  return at < 0 ? options : { ...options, args: options.args.filter((_, i) => i !== at) };
}

module.exports = { unseen };
