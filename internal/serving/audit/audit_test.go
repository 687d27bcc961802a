package audit

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func hide(raw []byte) []byte { return bytes.ReplaceAll(raw, []byte("hunter2"), []byte("‹masked›")) }

func lines(t *testing.T, file string) (all []map[string]json.RawMessage) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var one map[string]json.RawMessage
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		all = append(all, one)
	}
	return all
}

func TestLines(t *testing.T) {
	file := filepath.Join(t.TempDir(), "audit")
	l, err := Open(file, hide)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	done, err := l.Begin(Act{Principal: "ada", From: "127.0.0.1", Method: "tools/call", Name: "step", Session: "s", Arguments: []byte(`{"x":"hunter2"}`)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Begin(Act{Principal: "bob", Method: strings.Repeat("ä", 1000), Arguments: []byte(`{"x":"` + strings.Repeat("hunter2", 10_000) + `"}`)}); err != nil {
		t.Fatal(err)
	}
	done("AIDB_X")
	all := lines(t, file)
	if len(all) != 3 || string(all[0]["arguments"]) != `{"x":"‹masked›"}` || string(all[2]["outcome"]) != `"AIDB_X"` || string(all[0]["call"]) != string(all[2]["call"]) {
		t.Errorf("%s", all)
	}
	if a := string(all[1]["arguments"]); len(a) > maxArguments+100 || strings.Contains(a, "hunter2") || len(all[1]["method"]) > maxWord+10 {
		t.Errorf("%d bytes of arguments, %s", len(a), all[1]["method"])
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

// Moved away and opened again, the file begins anew; nothing is lost between.
func TestReopen(t *testing.T) {
	file := filepath.Join(t.TempDir(), "audit")
	l, err := Open(file, hide)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 100 {
				done, err := l.Begin(Act{Method: "x"})
				if err != nil {
					t.Error(err)
					return
				}
				done("ok")
			}
		})
	}
	if err := os.Rename(file, file+".1"); err != nil {
		t.Fatal(err)
	}
	if err := l.Reopen(); err != nil {
		t.Fatal(err)
	}
	all.Wait()
	if n := len(lines(t, file)) + len(lines(t, file+".1")); n != 1600 {
		t.Errorf("%d lines", n)
	}
}

func TestWhatCannotBeWritten(t *testing.T) {
	if _, err := Open(t.TempDir(), hide); err == nil {
		t.Error("a folder is a log")
	}
	l, err := Open(filepath.Join(t.TempDir(), "audit"), hide)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Begin(Act{Method: "x"}); err == nil {
		t.Error("it was noted in a closed file")
	}
	var none *Log
	if done, err := none.Begin(Act{}); err != nil || none.Reopen() != nil || none.Close() != nil {
		t.Error(err)
	} else {
		done("ok")
	}
}
