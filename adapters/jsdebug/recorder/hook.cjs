// Is required before the program: rewrites what the program loads, and notes what the
// statements that are put in give it. AIDB_RECORD names the directory of the recording: a variable
// of the process, or what a worker thread was given.
'use strict';
// The thread of node's loader, which runs nothing of the program, requires this too.
const { isMainThread, parentPort, getEnvironmentData } = require('worker_threads');
const records = (isMainThread || parentPort) && (process.env.AIDB_RECORD || getEnvironmentData?.('AIDB_RECORD'));
if (records && !globalThis[Symbol.for('aidb.recorder')]) require('./recorder.cjs').begin(records);
