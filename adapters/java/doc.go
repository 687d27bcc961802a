// Package java debugs Java programs: it says what a request means for Java,
// builds what must be built with the project's own tools, and starts the bridge,
// which speaks DAP on one side and the JDK's debug interface (JDI) on the other.
//
// What runs in JVMs is Java, in one source root (src): package aidb.bridge; package
// aidb.recorder, an agent in the program's own JVM; aidb.planting, with which the bridge keeps
// breakpoints cheap (Plants.java); and what the first two use: aidb.expression (the
// parser, and the operators over an interface of values, which Evaluation.java of the bridge
// implements with JDI and Scope.java of the recorder with reflection) and aidb.text. The
// sources are part of this binary and are compiled once with the user's own JDK.
//
// The package knows nothing of sessions and nothing of MCP.
//
// # Recording
//
// Package aidb.recorder is an agent that puts bytecode into the program's classes as they are
// loaded; trace and why run it without a debugger. It reads and writes class files with ASM, which
// is installed as a component and gets a package of ours (aidb.asm) when the recorder is compiled.
// The bridge does without: to debug Java nothing is needed but a JDK. Where ASM is not installed,
// or a class was not loaded as its class file is, a breakpoint has its method interpreted, which
// makes hot ones several times slower.
//
// The part of it that notes calls while the debugger is in the program is Flight.java. It puts
// no handler into the program. So a call is known to have failed where a handler of the
// program's own begins, by the debugger where a library is about to catch, or by the stack. At the
// first stop the bridge (Recorder.java) switches it off without a call into the program, adds
// the counts, and reads from a constant of each class where its handlers lie now. Such a run is no
// witness for an exception that the program may handle, but only for one of which the bridge is
// sure that nobody does (Dying.java, told as DAP's break mode unhandled).
package java
