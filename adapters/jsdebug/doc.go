// Package jsdebug debugs JavaScript and TypeScript with js-debug: it says what
// a request means for Node.js, how TypeScript is run in this project, which
// test runner a test belongs to, and starts js-debug as the adapter.
//
// js-debug is a broker: the connection that we open asks for child sessions,
// one for each process and worker thread of the program. Node itself is started
// by the engine, which js-debug asks for a terminal.
//
// It knows nothing of sessions and nothing of MCP.
//
// # What stands around js-debug
//
// js-debug's server is used unchanged. It runs from a directory of links to its files,
// with our bootloader among them (boot.go, hook/bootloader.cjs). The bootloader starts
// "aidb-mcp watch-node" in place of the process that js-debug puts beside each node, and
// leaves everything else to js-debug; package inspector says why that is faster. For a
// node that is attached to, "aidb-mcp relay-node" does the same at a socket in the
// session's private directory. The relay outlives the server and js-debug: it keeps
// account of node's workers, and frees them when their debugger goes away without that.
//
// The directory of links belongs to the session. For an attached program, whose later
// child processes load the bootloader too, it lies beside js-debug's files and stays. If
// the directory or our process cannot be made, js-debug does all of it itself, more slowly.
//
// js-debug looks only once a second whether the program still exists. The engine, which
// has started the program, knows at once and ends the session. When js-debug attaches, it
// waits half a second for breakpoints in code that is loaded. They cannot be sent later: a
// program that waits for its debugger would start without them.
//
// # What runs in the program
//
// hook/hook.cjs is loaded before the program's own code. It answers what V8 cannot: whether
// an error is caught by the user's code or only by node's module loader, and where the
// stack of an error begins that ends the process. hook/tests.cjs is loaded too where tests
// run, and has the debugger stop where a test fails. Jest is reached through the events of
// its environment, mocha through Runnable, node's runner through AsyncResource, vitest
// through a runner of ours that hook/vitest-start.mjs sets. The result of each test is
// written to a file in js-debug's scratch directory and read at the end.
//
// hook/plants.cjs puts a statement in front of each line with a breakpoint that was asked for
// before the program began, as node loads its CommonJS script: V8 interprets a function as long
// as a breakpoint is set in it. The statement comes at the end of a line before, so that no
// line and no column of the code moves. What passes on node's inspector takes the breakpoint
// out until the statement stops the program, and keeps all that from js-debug (plants.go in
// package inspector). Where the program is let go, the statements do nothing any more.
//
// # Recording
//
// trace and why do not use js-debug. Node loads recorder/hook.cjs, which rewrites the
// user's sources as they are loaded: CommonJS in Module.prototype._compile, ES modules by
// node's hooks, in jest and vitest where they run modules. Lines never move, source maps
// lead back to the original, and Function.prototype.toString leaves out what was added.
// Of the processes of a test runner the one that loads a test file records. For why, what a
// statement gives to a call is looked at again when the statement has ended, so that changes
// by functions outside of the user's code are noted at it. Changes that no statement makes,
// such as those by a bound function that a timer calls, show in sums of what lists, maps,
// sets, buffers, dates and the user's own objects hold (recorder/memory.cjs). What takes long
// to sum is summed less often, and then nothing is concluded from it. The programs in
// testdata/recorded must behave the same with the recorder and without.
//
// In a program that runs on, live/hits.js counts and notes: conditions of breakpoints call it, and
// never hold. live/where.cjs finds where those belong, in a process of ours. They are set by a
// debugger in the program itself, and a process of its own (inspector/holder.go) holds our
// connection: node dies where a client vanishes to which it is just writing.
package jsdebug
