//go:build linux

package diagnosing

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

// detected is a fault that a detector finds, with what diagnose must say of it.
type detected struct {
	Start    A
	Check    string
	Verdict  string
	Accesses []string // "kind file@mark", the first ones; of races in any order
	Message  string   // a part of it
	Thread   string   // of the first one
	Has      []string // parts of the reply
}

// raceIn is a race of two marked lines in a test of testdata/go/races.
func raceIn(test string, accesses ...string) detected {
	return detected{Start: A{"test": test}, Check: "races", Verdict: "data_race", Accesses: accesses, Message: "data race", Thread: "goroutine "}
}

var goRaces = map[string]detected{
	"counter":       raceIn("TestCounter", "@counter", "@counter"),
	"map":           raceIn("TestMapWrite", "@map-write", "@map-read"),
	"append":        raceIn("TestAppended", "@append", "@append"),
	"loop variable": raceIn("TestLoopVariable", "@loop-write", "@loop-read"),
	"checked twice": raceIn("TestCheckedTwice", "@twice-read", "@twice-write"),
	"wait group":    raceIn("TestAddedInside", "write @added-write", "read @added-read"),
	"closed":        raceIn("TestClosed", "@closed-send", "@closed-close"),
	"error":         raceIn("TestErrShared", "write @err-inner", "write @err-outer"),
	"field":         raceIn("TestFieldRead", "@field-write", "@field-read"),
	"mixed":         raceIn("TestMixed", "read @mixed-read"),
	"element":       raceIn("TestElement", "@element", "@element"),
	"string":        raceIn("TestWords", "write @words-write", "read @words-read"),
	"interface":     raceIn("TestInterface", "write @iface-write", "read @iface-read"),
	"two locks":     raceIn("TestWrongLock", "@lock-one", "@lock-two"),
	"read lock":     raceIn("TestReadLocked", "@read-locked", "@read-locked"),

	"locked":      {Start: A{"test": "TestLocked"}, Check: "races", Verdict: "ok", Has: []string{"no race in this run", "the race detector of Go", `"not_seen":"what this run has not done`}},
	"handed over": {Start: A{"test": "TestHandedOver", "repeat": 3}, Check: "races", Verdict: "ok", Has: []string{"no race in 3 runs"}},
	"once":        {Start: A{"test": "TestOnce"}, Check: "races", Verdict: "ok"},
	"counted":     {Start: A{"test": "TestCounted"}, Check: "races", Verdict: "ok"},
	"wrong":       {Start: A{"test": "TestWrong"}, Check: "races", Verdict: "test_failure", Message: "got 2, want 3", Has: []string{"no race was reported"}},
	"no test":     {Start: A{"test": "TestLockd"}, Check: "races", Verdict: "no_test_ran", Message: "TestLocked"},
}

// misused is a kernel of testdata/c/misuse.
func misused(file, how, check, verdict, message string, accesses ...string) detected {
	return detected{Start: A{"target": file, "args": []string{how}}, Check: check, Verdict: verdict, Message: message, Accesses: accesses}
}

var nativeFaults = map[string]detected{
	"heap":     misused("memory.c", "heap", "memory", "memory_fault", "heap-buffer-overflow, 0 bytes to the right of 16-byte region", "read @sum", "allocated @heap-made"),
	"freed":    misused("memory.c", "freed", "memory", "memory_fault", "heap-use-after-free", "read @freed-read", "freed @freed-free", "allocated @freed-made"),
	"twice":    misused("memory.c", "twice", "memory", "memory_fault", "attempting double-free", "freed @twice", "freed @twice", "allocated @twice-made"),
	"stack":    misused("memory.c", "stack", "memory", "memory_fault", "stack-buffer-overflow, which overflows 'cells'", "write @stack"),
	"global":   misused("memory.c", "global", "memory", "memory_fault", "global variable 'table'", "read @global"),
	"returned": misused("memory.c", "returned", "memory", "memory_fault", "stack-use-after-return", "read @returned"),
	"copied":   misused("memory.c", "copied", "memory", "memory_fault", "heap-buffer-overflow", "write @copied", "allocated @copied-made"),
	"stray":    misused("memory.c", "stray", "memory", "memory_fault", "attempting free on address which was not malloc()-ed", "freed @stray"),
	"null":     misused("memory.c", "null", "memory", "memory_fault", "near null", "read @null"),
	"leaked": {
		Start: A{"target": "memory.c", "args": []string{"leaked"}}, Check: "memory", Verdict: "ok",
		Has: []string{"never freed: 100 bytes in 1 object(s), allocated at memory.c:"},
	},
	"values": {
		Start: A{"target": "memory.c", "args": []string{"stack"}}, Check: "memory", Verdict: "memory_fault", Accesses: []string{"write @stack"},
		Has: []string{`{"expression":"n","value":"4"}`, "made again under the debugger"},
	},
	"clean memory": misused("memory.c", "clean", "memory", "ok", ""),
	"exit":         {Start: A{"target": "memory.c", "args": []string{"exit"}}, Check: "memory", Verdict: "exit_code", Has: []string{`"exit_code":3`, "no memory fault was reported"}},

	"race":          misused("threads.c", "race", "races", "data_race", "data race on global 'counter'", "@count", "write @count"),
	"race on heap":  misused("threads.c", "heap", "races", "data_race", "data race", "write @fill", "write @fill", "allocated @cells"),
	"order":         misused("threads.c", "order", "races", "lock_order", "lock-order-inversion", "locks M1 while holding M0 @forth"),
	"clean threads": misused("threads.c", "clean", "races", "ok", ""),

	"overflow":        misused("undefined.c", "overflow", "undefined", "undefined_behavior", "signed integer overflow", "computed @overflow"),
	"shift":           misused("undefined.c", "shift", "undefined", "undefined_behavior", "shift exponent 33", "shifted by @shift"),
	"null member":     misused("undefined.c", "null", "undefined", "undefined_behavior", "member access within null pointer", "member of @null-member"),
	"misaligned":      misused("undefined.c", "misaligned", "undefined", "undefined_behavior", "load of misaligned address", "read @misaligned"),
	"index":           misused("undefined.c", "index", "undefined", "undefined_behavior", "index 4 out of bounds", "index @index"),
	"clean undefined": misused("undefined.c", "clean", "undefined", "ok", ""),
}

// The race detector's reports are taken apart, and what does not race is ok.
func TestGoRaces(t *testing.T) { checkAll(t, "go", "races", "races.go", goRaces) }

// So are those of the sanitizers of C.
func TestMisuse(t *testing.T) { checkAll(t, "c", "misuse", "", nativeFaults) }

// likeOthers are kernels of the long run: their reports have the form of others'.
var likeOthers = []string{
	"loop variable", "checked twice", "wait group", "error", "field", "element", "string", "interface", "two locks", "read lock", "once", "counted",
	"append", "closed", "mixed",
	"heap", "stack", "global", "returned", "copied", "stray", "null", "race on heap", "shift", "null member", "misaligned",
}

func checkAll(t *testing.T, language, name, file string, all map[string]detected) {
	t.Parallel()
	p := testkit.NewProgramOf(t, language, name)
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	for name, f := range all {
		t.Run(name, func(t *testing.T) {
			if slices.Contains(likeOthers, name) {
				testkit.Long(t, "its report has the form of another")
			}
			call := A{"check": f.Check, "timeout_ms": 120_000, "keep": false}
			maps.Copy(call, f.Start)
			r := s.OK("diagnose", call)
			in := file
			if target, given := f.Start["target"].(string); given {
				in = target
			}
			f.holds(t, p, in, r)
			if t.Failed() {
				t.Logf("in\n%s", r)
			}
		})
	}
}

// access is a row of accesses.
type access struct {
	Kind, At, Thread string
	MadeAt           string `json:"made_at"`
}

func (f detected) holds(t *testing.T, p *testkit.Program, file string, r testkit.Reply) {
	t.Helper()
	if got := r.At("data", "verdict"); got != f.Verdict {
		t.Errorf("the verdict is %q, want %q", got, f.Verdict)
	}
	if got := r.At("data", "message"); !strings.Contains(got, f.Message) {
		t.Errorf("the message is %q, want %q in it", got, f.Message)
	}
	for _, part := range f.Has {
		if !strings.Contains(r.JSON, part) {
			t.Errorf("%q is not in the reply", part)
		}
	}
	var accesses []access
	r.Decode(&accesses, "data", "accesses")
	if len(accesses) < len(f.Accesses) || len(f.Accesses) == 0 && len(accesses) > 0 {
		t.Fatalf("there are %d accesses, want %d", len(accesses), len(f.Accesses))
	}
	isRace := f.Verdict == "data_race" || f.Verdict == "lock_order"
	for i, want := range f.Accesses {
		found := false
		for j, a := range accesses {
			kind, mark, _ := strings.Cut(want, "@")
			alike := a.At == p.At(file, mark) && strings.Contains(a.Kind, strings.TrimSpace(kind))
			found = found || alike && (i == j || isRace)
		}
		if !found {
			t.Errorf("access %d is not %s", i+1, want)
		}
	}
	if f.Thread != "" && !slices.ContainsFunc(accesses, func(a access) bool { return strings.HasPrefix(a.Thread, f.Thread) && a.MadeAt != "" }) {
		t.Error("no thread is told with where it was made")
	}
}

// The session stays at a report to which the debugger comes, too.
func TestKeptAtReport(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgramOf(t, "c", "misuse")
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	s.OK("diagnose", A{"target": "memory.c", "args": []string{"heap"}, "check": "memory", "timeout_ms": 120_000}).Want("memory_fault", "data", "verdict")
	s.OK("inspect", A{"target": "expression", "expression": "i"}).Has(`"4"`)
	s.OK("session", A{"action": "stop"})
}

// A language without a detector says so, and what to do in place of it; nothing is run.
func TestNoDetector(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgramOf(t, "python", "faulty")
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	for _, check := range []string{"races", "undefined"} {
		s.Call("diagnose", A{"target": "faulty.py", "check": check}).Want("AIDB_CAPABILITY_NOT_SUPPORTED", "error", "code").Want("check", "error", "field")
	}
	s.Call("diagnose", A{"target": "faulty.py", "check": "race"}).Want("AIDB_VALIDATION_INVALID_PARAM", "error", "code")
}

// A crash of the interpreter in native code is told with the line of Python that led to it.
func TestInterpreterCrash(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgramOf(t, "python", "crash")
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	for _, start := range []A{{"target": "crash.py"}, {"test": "test_peek"}} {
		start["check"], start["timeout_ms"] = "memory", 120_000
		r := s.OK("diagnose", start).Lacks("sitecustomize")
		misused("", "", "", "memory_fault", "Segmentation fault", "crash @peek").holds(t, p, "crash.py", r)
	}
	s.OK("diagnose", A{"test": "test_fine", "check": "memory", "timeout_ms": 120_000}).Want("ok", "data", "verdict")
	r := s.OK("diagnose", A{"target": "crash.py", "timeout_ms": 120_000, "keep": false}).Want("signal", "data", "verdict")
	r.Has(`"tool":"diagnose","params":{"target":"crash.py","check":"memory"}`)
}

// A failure behind which a fault of memory may stand names the call that finds it.
func TestSuspected(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgramOf(t, "c", "misuse")
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	r := s.OK("diagnose", A{"target": "memory.c", "args": []string{"twice"}, "keep": false, "timeout_ms": 60_000}).Want("signal", "data", "verdict")
	r.Has(`"tool":"diagnose","params":{"target":"memory.c","args":["twice"],"check":"memory"}`)
}

// A project is built with the sanitizer in a tree of its own, and nothing of that lies in the
// workspace; what was built elsewhere runs under valgrind.
func TestCheckedBuilds(t *testing.T) {
	t.Parallel()
	for _, b := range []struct {
		name, file, text, detector string
	}{
		{"cmake", "CMakeLists.txt", "cmake_minimum_required(VERSION 3.10)\nproject(memory C)\nadd_executable(memory memory.c)\n", "AddressSanitizer (-fsanitize=address)"},
		{"meson", "meson.build", "project('memory', 'c')\nexecutable('memory', 'memory.c')\n", "AddressSanitizer (-fsanitize=address)"},
		{"make", "Makefile", "memory: memory.c\n\t$(CC) $(CFLAGS) -w -o $@ $<\n", "memcheck of valgrind"},
	} {
		t.Run(b.name, func(t *testing.T) {
			p := testkit.NewProgramOf(t, "c", "misuse")
			for _, other := range []string{"threads.c", "undefined.c"} {
				if err := os.Remove(filepath.Join(p.Dir, other)); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.WriteFile(filepath.Join(p.Dir, b.file), []byte(b.text), 0o600); err != nil {
				t.Fatal(err)
			}
			s := testkit.Start(t, testkit.Options{Dir: p.Dir})
			call := A{"target": ".", "args": []string{"freed"}, "check": "memory", "timeout_ms": 240_000}
			r := s.OK("diagnose", call)
			misused("", "", "", "memory_fault", "", "read @freed-read", "freed @freed-free", "allocated @freed-made").holds(t, p, "memory.c", r)
			r.Want(b.detector, "data", "detector", "by")
			entries, err := os.ReadDir(p.Dir)
			if err != nil {
				t.Fatal(err)
			}
			if len(entries) > 2 && b.name != "make" {
				t.Errorf("the workspace has %v", entries)
			}
		})
	}
}

// What a program is that was built before is run under valgrind, and its races by helgrind.
func TestCheckedBinaries(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgramOf(t, "c", "misuse")
	for _, name := range []string{"memory", "threads"} {
		cmd := exec.Command("gcc", "-g", "-O0", "-w", "-pthread", "-o", name, name+".c")
		cmd.Dir = p.Dir
		if text, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("building %s: %v\n%s", name, err, text)
		}
	}
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	ask := func(target, how, check string) testkit.Reply {
		return s.OK("diagnose", A{"target": target, "mode": "exec", "args": []string{how}, "check": check, "timeout_ms": 120_000})
	}
	misused("", "", "", "memory_fault", "Invalid read of size 4", "read @sum", "allocated @heap-made").holds(t, p, "memory.c", ask("memory", "heap", "memory"))
	misused("", "", "", "ok", "").holds(t, p, "memory.c", ask("memory", "clean", "memory"))
	misused("", "", "", "data_race", `data symbol "counter"`, "@count", "@count").holds(t, p, "threads.c", ask("threads", "race", "races"))
	misused("", "", "", "ok", "").holds(t, p, "threads.c", ask("threads", "clean", "races"))
	s.Call("diagnose", A{"target": "memory", "mode": "exec", "check": "undefined"}).Want("AIDB_CAPABILITY_NOT_SUPPORTED", "error", "code")
}
