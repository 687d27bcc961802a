package dap

import (
	"bytes"
	"strings"
	"testing"
)

func TestATraceStopsAtItsLimit(t *testing.T) {
	var out bytes.Buffer
	tracer := NewTracer(&out)
	tracer.left = 1000
	for range 100 {
		tracer.event("x", message{Event: "stopped"})
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if out.Len() > 1050 || out.Len() < 900 {
		t.Errorf("the trace has %d bytes", out.Len())
	}
	if last := lines[len(lines)-1]; last != "the trace ends here: it has reached 64 MiB" {
		t.Errorf("the last line is %q", last)
	}
	if n := strings.Count(out.String(), "ends here"); n != 1 {
		t.Errorf("the end is told %d times", n)
	}
}
