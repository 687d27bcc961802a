package debugpy

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/testkit/filetree"
)

const crashLog = `Fatal Python error: Segmentation fault

Thread 0x00007f8b0e682b81 [worker] (most recent call first):
  File "/w/other.py", line 1 in other

Current thread 0x00007f8b0e682b80 [main] (most recent call first):
  File "/usr/lib/python3.14/ctypes/__init__.py", line 519 in string_at
  File "/w/a shop.py", line 5 in peek
  File "<string>", line 1 in <module>

Current thread's C stack trace (most recent call first):
  Binary file "python", at _Py_DumpStack+0x37

Extension modules: _a (total: 1)
`

// What the fault handler has written is read; an interpreter that has written nothing began, and
// did not crash; where none has begun nothing was looked at.
func TestReadCrashes(t *testing.T) {
	dir := t.TempDir()
	if _, err := readCrashes(filepath.Join(dir, "log.")); err == nil {
		t.Error("a run without the fault handler is read as one without a crash")
	}
	filetree.Write(t, dir, map[string]string{"log.1": "", "log.2": crashLog, "log.3": "Fatal Python error: Aborted\n\nCurrent thread 0x1 (most recent call first):\n  File \"/w/b.py\", line 2 in f\n"})
	got, err := readCrashes(filepath.Join(dir, "log."))
	if err != nil {
		t.Fatal(err)
	}
	want := adapters.Detection{
		Faults: []adapters.DetectedFault{{
			Kind: adapters.MemoryFault, Message: "Segmentation fault", Text: crashLog,
			Accesses: []adapters.Access{{Kind: "crash", Frames: []adapters.Thrown{
				{Function: "string_at", File: "/usr/lib/python3.14/ctypes/__init__.py", Line: 519},
				{Function: "peek", File: "/w/a shop.py", Line: 5}, {Function: "<module>"},
			}}},
		}},
		Notes: []string{"the interpreter was ended: Aborted, at /w/b.py:2 in f"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
