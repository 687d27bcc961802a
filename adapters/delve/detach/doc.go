// Package detach lets go of a program that is being traced so that nothing of the
// debugger stays in it: no trap that was hit and not yet told, no signal that was meant
// to halt it, no thread that stands, no breakpoint in its code.
//
// It knows ptrace and the system's files about processes, no debugger. The debugger says
// which thread traces, where breakpoints were, and what it owes to whom.
package detach
