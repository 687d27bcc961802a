// Package native debugs programs in C, C++ and Rust with the debuggers that
// speak the debug adapter protocol: CodeLLDB, LLVM's lldb-dap, and gdb from 14
// on. It chooses one, starts it, and says what each does differently.
//
// Building is package build's. It knows nothing of sessions and nothing of MCP.
//
// # Where a value is made
//
// The debuggers show values by the Python package scripts/aidb, which runs in their Python. The
// first line of each module says what it is for. From the debugger inwards:
//
//	        gdb                          LLDB
//	C, C++  debugger/gdb/cpp.py          debugger/lldb/cpp.py          registers the printers
//	        debugger/gdb/values.py       debugger/lldb/values.py       the debugger's value as one of debugger/interface.py
//	        cpp/values.py                                              containers and texts of the library
//	        cpp/words.py                                               a value in one line
//	        cpp/expression.py, cpp/meaning.py, cpp/methods.py, cpp/numbers.py
//	Rust    debugger/gdb/rust.py         debugger/lldb/rust.py         registers the printers
//	        debugger/gdb/rust_values.py  debugger/lldb/rust_values.py  the debugger's value as one of debugger/interface.py
//	        debugger/gdb/rust_frames.py  debugger/lldb/rust_frames.py  its frames
//	        rust/memory.py, rust/library.py                            containers of the library
//	        rust/words.py, rust/children.py                            a value in one line, and its parts
//	        rust/expression.py, rust/meaning.py, rust/methods.py
//
// Only the folders debugger and record know gdb or LLDB; cpp and rust know debugger/interface.py, and run without
// either, as the tests in scripts/tests do. No module imports one that imports it.
//
// What our scripts answer to requests that DAP does not have is in debugger/{lldb,gdb}/command.py;
// ask.go sends them. What is left to be put right in the debugger's answers
// is Go's: dialect.go for all, lldbdialect.go, gdbdialect.go, rust.go and rustgdb.go.
//
// Our scripts run no code of the program: values and expressions are read from memory by
// the debug information. What they do not understand of an expression of C++ they hand on to
// the debugger, which may run some. gdb's own support for Rust knows numbers, tuples, arrays and plain
// fields, but no elements of a Vec or of a map, no Some(5), and no method that the program
// has not instantiated: of 50 expressions as an agent asks them gdb 18 alone answers 12 as
// the program would print them, and 49 with the scripts. gdb crashes on enums whose tag has
// more than 64 bits; the scripts know such values by their type and do not read them.
//
// LLDB may die of a value. Which type is being read is noted in a file (guard.py), and the next start of the
// program leaves values of that type out (guard.go).
//
// LLDB knows which instructions have no line in the source. gdb leaves them out when it
// reads the line table, so that package binary reads that section of the program itself.
//
// # Recording
//
// For trace and why the debugger runs in batch mode with record/gdb/recorder.py, or with
// record/lldb/recorder.py if there is no gdb 14 or newer. Its breakpoints call the script and do not
// stop. record/recorder.py and the modules beside it, which know no debugger, decide what to note.
// record/{gdb,lldb}/frames.py read the frame in which it has been called.
// The program has the streams and the environment that it has without a debugger, and the
// debugger ends as the program does, with its code or its signal.
//
// Of a place that is written to very often the first writes are noted and the last ones, which are found by
// a clock: record/clock.py puts a jump in the place of some instructions that run with the write, to a copy
// of them that counts. A run tells to where it has come when the value is seen, and the next one watches
// the place again shortly before (record/thin.py). The number lies in a file that both map. What the last
// write was rests on the watchpoint alone: it is there from then on until the value is seen.
//
// Addresses are the same in each run, because their randomization is off. So one run finds
// where a value is and the next one who writes there, with a hardware watchpoint. why needs a
// run for each step back, and one more where a statement calls functions. If a value is not at
// the same address again, the answer says so. Expressions call no functions of the program.
//
//   - How the run failed is noted by record/fate.py. It watches __cxa_throw,
//     __cxa_begin_catch and their like, so that a handler that throws again loses nothing.
//     record/thrown.py reads an exception's type and text from its RTTI.
//   - A panic of Rust that nobody catches is noted with the test that it is of
//     (record/panics.py); a test that expects its panic has not failed.
//   - A value whose line leaves something out has a hash of all of it (cpp/whole.py,
//     rust/whole.py): at most 1 MiB and a tenth of a second a value.
//   - Where a function's body begins with a loop, a call is known by the function's first
//     instruction (debugger/{lldb,gdb}/entries.py). A loop that stands in one line has a
//     pass for each round (record/passes.py).
//   - The code of one line of Rust lies in several places of a function. A pass of the line
//     begins where it has been already, or in a new call (record/scattered.py). In an async
//     function, whose calls are left and come back to, it begins at the place to which the
//     first pass came first.
//   - rust/living.py says which variables cannot be read where a frame stands: in its
//     prologue, and in an async function that has waited since, if they are on its stack and
//     their block has an .await. rust/moved.py says which were moved away, by the source.
//
// Under LLDB a program leaves a breakpoint through a copy of the instruction with a jump
// after it, if the copy has the same effect (record/beside.py). A hit then takes four packets
// in place of eight, and one stop in place of two; and a signal at that moment does not make two
// hits of one, as it does when LLDB steps. The copies lie below the program's code, in memory
// that each recorded run has, so that no other address changes. Instructions that can fail are
// stepped over, and so are all while a place is watched, because the instruction that writes is
// known by its address. Copies are made on Linux on amd64 only. An operand is read where the
// instruction was that has just run (record/lldb/before.py), because its block may have ended
// with that.
package native
