package tools

import (
	"bytes"
	"slices"
	"testing"
	"time"
)

func among(t *testing.T, list []*Definition, name string) *Definition {
	t.Helper()
	at := slices.IndexFunc(list, func(d *Definition) bool { return d.Name == name })
	if at < 0 {
		t.Fatalf("there is no %s", name)
	}
	return list[at]
}

func TestTheDefaultWaitIsTheServers(t *testing.T) {
	plain, short := All(), Waiting(All(), 4*time.Second)
	for name, waits := range map[string]bool{"session_start": true, "execute": true, "step": true, "run_until": true, "session": true, "inspect": false, "config": false} {
		d := among(t, short, name)
		if says := bytes.Contains(d.Schema, []byte(`"default":4000`)); says != waits {
			t.Errorf("%s: its schema says %s", name, d.Schema)
		}
		args := map[string]string{"run_until": `{"location":"a.go:1"}`}[name]
		params, err := d.Decode([]byte(args))
		if err != nil {
			t.Fatal(name, err)
		}
		if w, ok := params.(interface{ Timeout() time.Duration }); ok != waits || ok && w.Timeout() != 4*time.Second {
			t.Errorf("%s waits by itself otherwise", name)
		}
	}
	params, err := among(t, short, "execute").Decode([]byte(`{"timeout_ms": 9000}`))
	if err != nil || params.(*ExecuteParams).Timeout() != 9*time.Second {
		t.Errorf("a call's own wait: %+v, %v", params, err)
	}
	if again := among(t, plain, "execute"); !bytes.Contains(again.Schema, []byte(`"default":20000`)) {
		t.Errorf("the plain definitions changed too: %s", again.Schema)
	}
}
