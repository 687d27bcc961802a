#!/usr/bin/env node
// Runs the binary of this platform's package in its own place: same streams,
// same signals, same end.
'use strict';
const { spawn } = require('node:child_process');
const { constants } = require('node:os');

const wanted = `@aidb-mcp/${process.platform}-${process.arch}`;
const file = process.platform === 'win32' ? 'aidb-mcp.exe' : 'aidb-mcp';

let binary;
try {
  binary = require.resolve(`${wanted}/bin/${file}`);
} catch {
  console.error(`aidb-mcp: the package ${wanted} is not installed. Either there is none for this platform, or optional ` +
    'dependencies were left out: install aidb-mcp again without --omit=optional.');
  process.exit(1);
}

// A signal to this process alone would leave the binary behind, from its first moment
// on. Those of a terminal reach both; the binary takes a second one for the same.
const passed = ['SIGINT', 'SIGTERM', 'SIGHUP'];
for (const signal of passed) process.on(signal, () => child.kill(signal)); // called no earlier than child is there

const child = spawn(binary, process.argv.slice(2), { stdio: 'inherit', windowsHide: true });

child.on('error', (error) => {
  console.error(`aidb-mcp: ${binary} cannot be run: ${error.message}`);
  process.exit(1);
});
child.on('exit', (code, signal) => {
  if (signal === null) process.exit(code);
  for (const name of passed) process.removeAllListeners(name);
  process.kill(process.pid, signal);
  // Where a signal does not end a process, its number does as shells write it.
  setTimeout(() => process.exit(128 + (constants.signals[signal] ?? 0)), 100);
});
