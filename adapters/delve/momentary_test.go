package delve

import (
	"testing"

	godap "github.com/google/go-dap"
)

func TestMomentary(t *testing.T) {
	frame := func(name, file string) godap.StackFrame {
		f := godap.StackFrame{Name: name, Line: 7}
		if file != "" {
			f.Source = &godap.Source{Path: file}
		}
		return f
	}
	const runtime = "/usr/local/go/src/runtime/sys_linux_amd64.s"
	signal, restorer := frame("runtime.sigtramp", runtime), frame("runtime.sigreturn__sigaction", runtime)
	const assembler, proc = "/usr/local/go/src/runtime/asm_amd64.s", "/usr/local/go/src/runtime/proc.go"
	preempt := frame("runtime.asyncPreempt", "/usr/local/go/src/runtime/preempt_amd64.s")
	spin, main := frame("main.spin", "/work/main.go"), frame("main.main", "/work/main.go")
	for _, tt := range []struct {
		what   string
		frames []godap.StackFrame
		want   bool
	}{
		{"in the user's code", []godap.StackFrame{spin, main}, false},
		{"a signal, and nothing of the user's", []godap.StackFrame{signal, restorer}, true},
		{"a signal, and the way down lost", []godap.StackFrame{signal, restorer, frame("(unknown)", ""), main}, true},
		{"a signal, and what it interrupted lost", []godap.StackFrame{signal, restorer, main}, true},
		{"preempted, and a step would be the runtime's", []godap.StackFrame{preempt, spin, main}, true},
		{"preempted, and nothing of the user's", []godap.StackFrame{preempt}, true},
		{"losing the processor, and the way down lost", []godap.StackFrame{frame("runtime.mcall", assembler)}, true},
		{"reading the clock, and the way down lost", []godap.StackFrame{frame("runtime.nanotime1", assembler)}, true},
		{"nothing but an unknown place", []godap.StackFrame{frame("(unknown)", "")}, true},
		{"deep in a library", []godap.StackFrame{frame("encoding/json.(*decodeState).value", "/usr/local/go/src/encoding/json/decode.go")}, false},
		{"given the processor, and the way down lost", []godap.StackFrame{frame("runtime.gogo", assembler)}, true},
		{"waiting, and the way down is whole", []godap.StackFrame{frame("runtime.mcall", assembler), frame("runtime.gopark", proc), main}, false},
		{"a goroutine of the runtime that waits", []godap.StackFrame{frame("runtime.gopark", proc), frame("runtime.bgsweep", proc), frame("runtime.goexit", assembler)}, false},
		{"no stack", nil, false},
		{"in a call without source, no signal", []godap.StackFrame{frame("(unknown)", ""), main}, false},
	} {
		if got := new(dialect).Transient(tt.frames); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.what, got, tt.want)
		}
	}
}
