'use strict';
// js-debug loads this into each node of the program in place of its bootloader,
// which it finds beside itself (see boot.go). It lets that do its work, and only
// has what that starts beside the program, to pass on what node's inspector says,
// be this binary, which does it without delay: see the package inspector.

const child_process = require('child_process');

const { spawn } = child_process;
const ours = process.env.AIDB_WATCHDOG;

// The file of the adapter's is named, so that the process is known for what it is.
const watchdog = (args) => Array.isArray(args) && args.length === 1 && /[\\/]watchdog\.js$/.test(args[0]);

child_process.spawn = (file, args, options) => {
  if (ours && watchdog(args)) {
    const child = spawn(ours, ['watch-node', ...args], options);
    if (child.pid !== undefined) return child;
    child.on('error', () => {}); // it is not there, or not for this user: the adapter's own does it
  }
  return spawn(file, args, options);
};
try {
  require('./adapter-bootloader.js');
} finally {
  child_process.spawn = spawn;
}
