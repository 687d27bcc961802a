// Package debugpy debugs Python programs with debugpy, run by the user's own
// interpreter: it says what a request means for Python, finds the interpreter,
// starts the adapter and knows its dialect.
//
// It knows nothing of sessions and nothing of MCP.
//
// # The scripts
//
// The files in boot are written into the session's private directory and run by the
// program's own interpreter. The head of each says what it changes, and why. They come in
// five kinds:
//
//   - before the program: probe.py looks at the interpreter and at the program's syntax,
//     and imports nothing of the program.
//   - the adapter: adapter.py is debugpy's adapter with a few functions replaced, and lists
//     what is loaded into each process of the program. listeners.py decides who may connect:
//     where the system shows who does, no token is needed. breakpoints.py corrects what
//     debugpy says of conditions, log messages and lines without code. compiling.py has
//     debugpy compiled once where programs may not keep what Python compiles.
//   - what the debugger costs: resting.py, reaching.py and passing.py up to Python 3.11, where
//     the debugger would trace each call and each line; sparing.py and resuming.py from 3.12 on,
//     where sys.monitoring can be told to be silent about a place. A thread is traced as soon
//     as there is something to stop for that the program's code does not say itself: files are
//     compiled with calls in front of statements with breakpoints, where that is possible. Threads do not rest with gevent, nor on machines for
//     which debugpy brings no library that wakes a thread (it does for x86 and for macOS).
//     Places are not silenced without a global interpreter lock, nor with debugpy's compiled part.
//   - what the debugger shows: values.py, returning.py, raising.py, tests.py, loading.py,
//     breaking.py, children.py, saying.py.
//   - evaluated in the program: digest.py lists threads, patch.py replaces a function.
//
// recording.py has the program that diagnose starts note its own calls until it stops
// first. From Python 3.12 on it is a tool of sys.monitoring beside debugpy's, and gives way
// where the program asks for that number. Before, it stands in the place of the trace
// function, which resting.py lends it as long as the debugger does not need it. The folder
// recorder is what it uses, and what trace and why run without a debugger.
//
// The folder live is what records in a program that runs on: begin.py is evaluated apart from any
// frame and begins a thread, which finds the code that is meant (finding.py), has it call what
// counts and notes (counting.py), by sys.monitoring (monitored.py) or by code that it puts into
// functions (rewritten.py), and tells the rows at a socket (package inside). It takes all of it
// out when that closes.
//
// A program that debugpy was started in by the user has debugpy's own adapter, without
// these changes.
//
// Functions, tests and arguments are found by reading the source (internal/project/pysrc),
// not by running it.
package debugpy
