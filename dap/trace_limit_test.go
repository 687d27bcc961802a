package dap

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

func TestATraceStopsAtItsLimit(t *testing.T) {
	var out bytes.Buffer
	tracer := NewTracer(&out, nil)
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

// full is a disk with no room left.
type full struct{ writes int }

func (f *full) Write([]byte) (int, error) {
	f.writes++
	return 0, errors.New("no space left on device")
}

func TestATraceThatCannotBeWrittenIsGivenUp(t *testing.T) {
	disk := new(full)
	tracer := NewTracer(disk, nil)
	for range 3 {
		tracer.event("x", message{Event: "stopped"})
	}
	if disk.writes != 1 {
		t.Errorf("it was tried %d times", disk.writes)
	}
}
