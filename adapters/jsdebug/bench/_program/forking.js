// The program whose child process the benchmark debugs.
require('node:child_process').fork(require('node:path').join(__dirname, 'average.js'));
