package debugpy

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"aidb-mcp/internal/recording"
)

// recordedRun runs a program under the recorder with the Python of this machine, and
// answers with what was noted and printed.
func recordedRun(t *testing.T, kind, name string, w recording.Spec, dir string) (recording.Log, string) {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Fatal(err)
	}
	records := filepath.Join(t.TempDir(), "rec")
	if w.Text == 0 {
		w.Text = 200
	}
	w.Roots = []string{dir}
	if err := recording.Equip(records, w, recorder, "recorder", recorderPackage); err != nil {
		t.Fatal(err)
	}
	command := exec.Command(python, filepath.Join(records, recorderPackage, "run.py"), records, kind, name, "x")
	command.Dir = dir
	printed, _ := command.CombinedOutput() // how it ends is the program's affair
	log, err := recording.Read(records)
	if err != nil {
		t.Fatal(err)
	}
	return log, string(printed)
}

func program(t *testing.T, lines ...string) (dir, file string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(dir, "app.py")
	if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir, file
}

// However a program ends, what was noted is there; and it prints what it prints by itself.
func TestRecordedEnds(t *testing.T) {
	for name, c := range map[string]struct {
		end, printed, remark string
		hits                 int
	}{
		"by itself":   {"pass", "", "", 3},
		"exception":   {"raise SystemExit('over')", "over\n", "", 3},
		"at once":     {"import os; os._exit(3)", "", "", 3},
		"killed":      {"import os; os.kill(os.getpid(), 9)", "", "", 3},
		"crash":       {"import ctypes; ctypes.string_at(0)", "", "", 3},
		"fork":        {"import os; p = os.fork(); say(4); p or os._exit(0); os.wait()", "", "forked processes", 5},
		"trace":       {"import sys; sys.settrace(None) if sys.version_info < (3, 12) else 0", "", "", 3},
		"spoilt main": {"globals().clear()", "", "", 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, file := program(t, "def say(n):", "    m = n", "    return m", "for n in range(3): say(n)", c.end)
			log, printed := recordedRun(t, "script", file, recording.Spec{Values: []recording.Values{{File: file, Line: 3, Expressions: []string{"m"}}}}, dir)
			hits, remarks := 0, ""
			for _, e := range log.Events {
				if e.Kind == recording.Hit {
					hits++
				} else {
					remarks += e.Text
				}
			}
			if hits != c.hits || printed != c.printed || !strings.Contains(remarks, c.remark) {
				t.Errorf("%d hits, printed %q, remarks %q", hits, printed, remarks)
			}
		})
	}
}

// A program finds itself as the interpreter would have started it, however it is started.
func TestRecordedStarts(t *testing.T) {
	const look = `import sys; print(__name__, __file__ is not None, sys.argv[1:], sys.path[0] != "", [k for k in globals() if "aidb" in k or k == "script"])`
	const want = "__main__ True ['x'] True []\n"
	dir, file := program(t, look)
	for _, pack := range []string{"pack", "zipped"} {
		if err := os.MkdirAll(filepath.Join(dir, pack), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, pack, "__main__.py"), []byte(look+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("python3", "-m", "zipapp", filepath.Join(dir, "zipped"), "-o", filepath.Join(dir, "app.pyz")).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, c := range [][2]string{{"script", file}, {"script", filepath.Join(dir, "pack")}, {"script", filepath.Join(dir, "app.pyz")}, {"module", "app"}, {"module", "pack"}} {
		if _, printed := recordedRun(t, c[0], c[1], recording.Spec{Calls: &recording.Calls{Names: []string{"*"}}}, dir); printed != want {
			t.Errorf("%s prints %q", c, printed)
		}
	}
}

// What shows all that another object holds is written to where that is; what is not seen to
// change is found as it is asked about, and a view of memory does not outlive its last name.
func TestRecordedWritesBehindViews(t *testing.T) {
	t.Parallel()
	dir, file := program(t,
		"data = bytearray(b'abc')",
		"view = memoryview(data)",
		"view[1] = 9",
		"part = view[1:]",
		"part[0] = 8",
		"entries = {'x': 1}",
		"items = entries.items()",
		"entries['x'] = 2",
		"apart = [entries.pop]",
		"del view, part",
		"data.append(7)",
		"apart[0]('x')",
		"print(len(data))")
	for expression, want := range map[string]string{"data": "[1] 3:9 [1] 11:8 [3] 11:7", "entries": "['x'] 8:2 ['x'] 13:", "items": "['x'] 8:2 ['x'] 13:"} {
		w := recording.Spec{Values: []recording.Values{{File: file, Line: 13, Expressions: []string{expression}, Places: true}}, Writes: &recording.Writes{All: true}}
		log, printed := recordedRun(t, "script", file, w, dir)
		if strings.TrimSpace(printed) != "4" {
			t.Errorf("it prints %q", printed)
		}
		var of string
		for _, e := range log.Events {
			if e.Kind == recording.Hit {
				of = e.Values[0].Same
			}
		}
		var got []string
		for _, e := range log.Events {
			if e.Kind == recording.Write && of != "" && e.Values[1].Of == of {
				got = append(got, strings.TrimPrefix(e.Place, of)+" "+e.At[strings.LastIndexByte(e.At, ':')+1:]+":"+e.Values[1].Text)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s was written to at %q, not %q", expression, strings.Join(got, " "), want)
		}
	}
}

// The variable that is asked about is that of the function at the place, and no other's of
// the same name.
func TestRecordedWritesOfOneFunction(t *testing.T) {
	t.Parallel()
	dir, file := program(t,
		"def one(n):",
		"    found = n",
		"    def inner():",
		"        nonlocal found",
		"        found += 1",
		"    inner()",
		"    return found",
		"def two(n):",
		"    found = -n",
		"    return found",
		"one(3); two(4)",
		"found = 9")
	for line, want := range map[int]string{7: "2 5", 10: "9", 11: "12"} {
		log, _ := recordedRun(t, "script", file, recording.Spec{Writes: &recording.Writes{Expression: "found", File: file, Line: line}}, dir)
		var at []string
		for _, e := range log.Events {
			if e.Kind == recording.Write {
				at = append(at, e.At[strings.LastIndex(e.At, ":")+1:])
			}
		}
		if got := strings.Join(at, " "); got != want {
			t.Errorf("line %d: writes at lines %q, want %q", line, got, want)
		}
	}
}

// A private member is found by either of its names: as its class writes it, and as it is
// called from outside. Another class's of the same name is another.
func TestRecordedWritesOfPrivateMembers(t *testing.T) {
	t.Parallel()
	dir, file := program(t,
		"class Box:",
		"    def __init__(self):",
		"        self.__kept = []",
		"        self.__size = 0",
		"    def add(self, n):",
		"        self.__kept.append(n)",
		"        self.__size += n",
		"class Lid(Box):",
		"    def __init__(self):",
		"        super().__init__()",
		"        self.__size = 7",
		"lid = Lid()",
		"lid.add(3)")
	for expression, want := range map[string]string{
		"self.__kept": "3 6", "lid._Box__kept": "3 6",
		"self.__size": "4 11 7", "lid._Box__size": "4 7", "self._Lid__size": "11",
	} {
		log, _ := recordedRun(t, "script", file, recording.Spec{Writes: &recording.Writes{Expression: expression}}, dir)
		var at []string
		for _, e := range log.Events {
			if e.Kind == recording.Write {
				at = append(at, e.At[strings.LastIndex(e.At, ":")+1:])
			}
		}
		if got := strings.Join(at, " "); got != want {
			t.Errorf("%s: writes at lines %q, want %q", expression, got, want)
		}
	}
}
