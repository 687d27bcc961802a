package process

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestAnOrderSurvivesTheCommandLine(t *testing.T) {
	orders := []order{
		{lifeline: 3, report: 4, remove: []string{}, path: "/bin/true", args: []string{}},
		{lifeline: 5, report: 6, farewell: 1500 * time.Millisecond, remove: []string{"/tmp/a b", "/tmp/ü"}, path: "/x", args: []string{"--", "-v", ""}},
		{lifeline: 3, report: 4, lingers: true, remove: []string{}, path: "/x", args: []string{}},
	}
	for _, want := range orders {
		line := want.command()
		if line[0] != superviseCommand {
			t.Errorf("the command is %q", line[0])
		}
		got, err := parseOrder(line[1:])
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, %v; want %+v", got, err, want)
		}
	}
}

func TestABadOrderIsRefused(t *testing.T) {
	for _, line := range []string{"", "--", "3 4 0", "3 4 0 --", "3 4 -- /x", "a b 0 -- /x", "3 -4 0 -- /x", "3 4 -1 -- /x"} {
		if o, err := parseOrder(strings.Fields(line)); err == nil {
			t.Errorf("%q is taken as %+v", line, o)
		}
	}
}

func TestReportsAreReadAsTheyWereMeant(t *testing.T) {
	var wire bytes.Buffer
	lines := bufio.NewReader(&wire)

	reportStarted(&wire, 42)
	if pid, err := readStarted(lines); pid != 42 || err != nil {
		t.Errorf("started: %d, %v", pid, err)
	}
	reportFailed(&wire, errors.New("exec \"x\": no\nsuch file"))
	if _, err := readStarted(lines); err == nil || err.Error() != "exec \"x\": no\nsuch file" {
		t.Errorf("failed: %v", err)
	}
	reportExited(&wire, ending{code: 3, parent: true})
	if status, left, parent, err := readExited(lines); len(left) != 0 || !parent || status != (ExitStatus{Code: 3}) || err != nil {
		t.Errorf("exited: %v, %v", status, err)
	}
	reportExited(&wire, ending{signal: 11})
	if status, _, parent, err := readExited(lines); parent || status.Code != -1 || status.Signal != "segmentation fault" || err != nil {
		t.Errorf("signaled: %v, %v", status, err)
	}
	if _, _, _, err := readExited(lines); !errors.Is(err, io.EOF) {
		t.Errorf("at the end: %v", err)
	}
	if _, err := readStarted(lines); !errors.Is(err, io.EOF) {
		t.Errorf("at the end: %v", err)
	}
}
