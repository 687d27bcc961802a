// Package testkit drives the built server the way an agent's client does: over
// real stdio, with the official MCP client, against real programs.
//
// It knows the wire and the process table and nothing of what is behind them:
// no package of the server is imported here, only its binary is run.
//
// # Programs
//
// A program is a folder of testdata/go, or of another language, copied to a
// directory of its own for each test (see [NewProgram], [NewProgramOf]). A line
// is named by a mark in a trailing comment, whatever the language's sign for
// comments is:
//
//	total += marks[i] //@mark sum
//	total += marks[i]  #@mark sum
//
// and calls speak of "main.go:@sum" (or only "@sum") where they mean its number,
// so that a program can be edited without touching the tests.
//
// # Scenarios
//
// A scenario is a txtar archive (see [RunScenarios]) that reads as documentation:
//
//	What it shows, in a sentence or two.
//	use averages
//	-- more.go --
//	package main
//	-- calls --
//	# Why this call is made.
//	> session_start {"target": ".", "breakpoints": [{"file": "main.go", "line": @sum}]}
//	stopped at breakpoint 1, main.go:15 in main.mean   [go-1, thread 1]
//	…
//
// The line "use NAME" copies testdata/go/NAME; files of the archive are added
// to it or replace its own. "args FLAG …" is passed to the server, "built" has
// the program compiled before, so that a short start waits for little else than
// the program, and what matches "unstable REGEXP" is shown as "…".
//
// In "calls" a line "> tool {json}" is a call, a line ">   …" goes on with its
// arguments, lines with "#" explain, and what follows is the exact reply as text.
// What changes from run to run is replaced: the program's directory
// is $WORK, the temporary one $TMP, Go's own $GOROOT; addresses are 0x…,
// durations are T, ids of goroutines other than the first are G and process ids
// PID.
//
// "go test ./test -update" writes the replies anew.
//
// Whatever a scenario does, at its end no process of ours may be left, the
// temporary directory must be empty, and every reply must have said the same in
// its text and in its structured content: servers are started with "--replies both".
package testkit
