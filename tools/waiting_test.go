package tools

import (
	"bytes"
	"testing"
	"time"
)

func TestTheDefaultWaitIsTheServers(t *testing.T) {
	checkWait(t, SessionStart(), "", true)
	checkWait(t, Execute(), "", true)
	checkWait(t, Step(), "", true)
	checkWait(t, RunUntil(), `{"location":"a.go:1"}`, true)
	checkWait(t, Session(), "", true)
	checkWait(t, Inspect(), "", false)
	checkWait(t, Config(), "", false)
	params, err := Execute().Waiting(4 * time.Second).Decode([]byte(`{"timeout_ms": 9000}`))
	if err != nil || params.Timeout() != 9*time.Second {
		t.Errorf("a call's own wait: %+v, %v", params, err)
	}
}

// checkWait holds that a tool which waits does so as long as the server says, and that
// its definition elsewhere stays as it is.
func checkWait[P Params](t *testing.T, plain Typed[P], args string, waits bool) {
	t.Helper()
	short := plain.Waiting(4 * time.Second)
	if says := bytes.Contains(short.Schema, []byte(`"default":4000`)); says != waits {
		t.Errorf("%s: its schema says %s", short.Name, short.Schema)
	}
	if waits && !bytes.Contains(plain.Schema, []byte(`"default":20000`)) {
		t.Errorf("the plain definition changed too: %s", plain.Schema)
	}
	params, err := short.Decode([]byte(args))
	if err != nil {
		t.Fatal(short.Name, err)
	}
	if params.Waits() != waits || waits && params.Timeout() != 4*time.Second {
		t.Errorf("%s waits %t, %v", short.Name, params.Waits(), params.Timeout())
	}
}
