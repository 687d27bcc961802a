//go:build !linux

package process

// Barrier is a limit of the system that keeps a debugger from attaching to a process.
type Barrier struct{ Why, Remedy string }

// BarrierTo is what keeps us from tracing a process; this system does not tell before.
func BarrierTo(int) *Barrier { return nil }

// SignalBarrier is what keeps us from sending signals to a process; this system does not tell before.
func SignalBarrier(int) *Barrier { return nil }

// InjectionBarrier is what keeps us from having code put into a process; this system does not tell before.
func InjectionBarrier(int) *Barrier { return nil }
