// Package ruby debugs Ruby programs with rdbg, of the gem debug: it says what a request means
// for Ruby, finds the interpreter and its debugger, and starts the program, which is itself
// the server of DAP.
//
// It knows nothing of sessions and nothing of MCP.
//
// # What runs in the program
//
// The files of the folder boot are written into the session's private directory and loaded
// before the program (ruby -r). They load rdbg, put our server in place of rdbg's own
// (boot/server.rb), and connect to a socket in that directory at which we listen. Of rdbg
// they use what stops threads and reads frames; its server of DAP has breakpoints on lines
// alone, takes none of them back, reports what fails as a success, and tells of no thread but
// the one that has stopped. Nothing of this is left in the environment of the program, so
// that no other Ruby which it starts waits for a debugger.
//
// A breakpoint is a TracePoint on one line of the code that has it (boot/points.rb); which
// lines can hold one is known before the file is loaded, for it can be compiled without being
// run. Frames of exceptions are kept at the moment at which they are raised, with their
// variables; one that has come to the end of the program, or of a test, stops there with
// those frames (boot/raising.rb).
package ruby
