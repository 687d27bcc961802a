//go:build linux && amd64

package native

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/install"
	"aidb-mcp/adapters/native/build"
	"aidb-mcp/internal/recording"
	"aidb-mcp/internal/system/process"
	"aidb-mcp/internal/testkit"
)

// recorders are the debuggers that record, as the options name them.
var recorders = []string{"gdb", "codelldb"}

// underEach tells of a program under each debugger that records.
func underEach(t *testing.T, name, source string, w recording.Spec, tell func(t *testing.T, log recording.Log)) {
	t.Helper()
	for _, debugger := range recorders {
		t.Run(debugger, func(t *testing.T) {
			t.Parallel()
			if (debugger == "gdb") == strings.HasSuffix(name, ".rs") {
				testkit.Long(t, "what both recorders share notes it: gdb is asked about C++, and LLDB about Rust")
			}
			tell(t, recorded(t, debugger, name, source, w))
		})
	}
}

// recorded builds a program, runs it under a recorder and answers with what that noted.
func recorded(t *testing.T, debugger, name, source string, w recording.Spec) recording.Log {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	w.Values = slices.Clone(w.Values) // which the other debugger is given, too
	for i := range w.Values {
		w.Values[i].File = filepath.Join(dir, name)
	}
	w.Text = 200
	root := process.NewRoot(slog.Default())
	t.Cleanup(root.Close)
	found := filepath.Join(install.Home(), "gdb", "bin") + string(os.PathListSeparator) + os.Getenv("PATH")
	language := build.CPP
	if strings.HasSuffix(name, ".rs") {
		language = build.Rust
	}
	a := New(Options{Root: root, Path: found}, language).Services()
	options, err := json.Marshal(map[string]string{"debugger": debugger})
	if err != nil {
		t.Fatal(err)
	}
	r := adapters.Request{Target: filepath.Join(dir, name), Workspace: dir, Options: options}
	plan, err := a.Record(t.Context(), r, w, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer plan.Close()
	command := exec.CommandContext(t.Context(), plan.Spec.Path, plan.Spec.Args...)
	command.Dir, command.Env = plan.Spec.Dir, plan.Spec.Env
	printed, _ := command.CombinedOutput() // how it ends is the program's affair
	log, err := recording.Read(plan.Records)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range log.Events {
		if e.Kind == recording.Refused || e.Kind == recording.Remark {
			t.Errorf("the recorder says %s (%s)", e.Text, printed)
		}
	}
	return log
}

// inWords is one event in a line: its kind, its line, and its values.
func inWords(e recording.Event) string {
	values := make([]string, len(e.Values))
	for i, v := range e.Values {
		values[i] = v.Text + v.Error
	}
	raised := ""
	if e.Raised {
		raised = "raised "
	}
	return fmt.Sprintf("%s %s:%s %s%s", strings.TrimSpace(e.Text+" "+string(e.Kind)), e.Function, e.At[strings.LastIndex(e.At, ":")+1:], raised, strings.Join(values, ", "))
}

func events(log recording.Log, kind recording.Kind) []string {
	var list []string
	for _, e := range log.Events {
		if e.Kind == kind {
			if (e.Text == recording.Exited || e.Text == recording.Died) && len(e.Values) > 0 { // what decided it follows
				e.Values = e.Values[:1]
			}
			list = append(list, inWords(e))
		}
	}
	return list
}

// A run that fails says so once, at the place of the user's that made it; one that
// handles what comes, and ends as it meant to, has not failed.
func TestRecordedFailures(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ file, source, want string }{
		"exits": {"a.c", `#include <stdlib.h>
static void check(int bad) { if (bad)
  exit(3);
}
int main(void) { check(0); check(1); return 0; }`, "exited failed check:3 3"},
		"main returns":   {"a.c", "int main(void) { return 4; }", ""}, // all returns are of this line, and nothing leads to its end
		"exits with 0":   {"a.c", "#include <stdlib.h>\nint main(void) { exit(0); }", ""},
		"signal":         {"a.c", "static int at(const int *p) {\n  return *p; }\nint main(void) { return at(0); }", "died failed at:2 SIGSEGV"},
		"handled signal": {"a.c", "#include <signal.h>\n#include <setjmp.h>\nstatic sigjmp_buf b;\nstatic void on(int s) { siglongjmp(b, s); }\nint main(void) { signal(SIGSEGV, on); if (!sigsetjmp(b, 1)) return *(volatile int *)0; return 0; }", ""},
		"ignored signal": {"a.c", "#include <signal.h>\nint main(void) { signal(SIGTERM, SIG_IGN); raise(SIGTERM); return 0; }", ""},
		"assertion":      {"a.c", "#include <assert.h>\nint main(int n, char **v) {\n  assert(n == 7); }", "died failed main:3 SIGABRT"},
		"thrown": {"a.cpp", `#include <stdexcept>
int half(int n) {
  if (n % 2) throw std::invalid_argument("odd");
  return n / 2; }
int main() { return half(3); }`, "uncaught failed half:3 std::invalid_argument: odd"},
		"thrown again": {"a.cpp", `#include <stdexcept>
int other() { try { throw 5; } catch (int) { return 0; } }
int half(int n) {
  throw std::out_of_range("far"); }
int whole(int n) { try { return half(n); } catch (...) { other();
  throw; } }
int main() { return whole(3); }`, "uncaught failed half:4 std::out_of_range: far"},
		"caught": {"a.cpp", "#include <stdexcept>\nint main() { try { throw std::runtime_error(\"no\"); } catch (const std::exception &) { return 0; } }", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			underEach(t, c.file, c.source, recording.Spec{}, func(t *testing.T, log recording.Log) {
				if got := strings.Join(events(log, recording.Failed), "; "); got != c.want {
					t.Errorf("the failure is %q, want %q", got, c.want)
				}
			})
		})
	}
}

// A call is counted once, whatever loop its body begins with; what a jump left has not
// raised, and what an exception left says which.
func TestRecordedEndsOfCalls(t *testing.T) {
	t.Parallel()
	const source = `#include <csetjmp>
#include <stdexcept>
static std::jmp_buf back;
static int drain(int *n) {
  for (;;) { if (--*n <= 0) return *n; }
}
static int leap(int n) { if (n) std::longjmp(back, 1);
  return 7; }
static int fail(int n) { if (n)
    throw std::runtime_error("full");
  return 8; }
int main() {
  int n = 4;
  drain(&n);
  if (!setjmp(back)) leap(1);
  leap(0);
  try { fail(1); } catch (const std::exception &) {}
  return fail(0) - 8;
}`
	underEach(t, "a.cpp", source, recording.Spec{Calls: &recording.Calls{Names: []string{"drain", "leap", "fail"}}}, func(t *testing.T, log recording.Log) {
		want := []string{
			"leave drain:6 0", "leave leap:7 it did not return: a jump left it", "leave leap:8 7",
			"leave fail:10 raised std::runtime_error: full", "leave fail:11 8",
		}
		if got := events(log, recording.Leave); !slices.Equal(got, want) {
			t.Errorf("the ends are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		if n := len(events(log, recording.Enter)); n != 5 {
			t.Errorf("%d calls", n)
		}
	})
}

// The lines of a call that an exception has left are those that it ran.
func TestRecordedLinesOfACallThatThrew(t *testing.T) {
	t.Parallel()
	const source = `#include <stdexcept>
static int count(int n) {
  int twice = 2 * n;
  if (twice > 4) throw std::runtime_error("too many");
  return twice;
}
int main() { count(1); try { count(3); } catch (...) {} return 0; }`
	underEach(t, "a.cpp", source, recording.Spec{Lines: &recording.Lines{Function: "count", Call: 2}}, func(t *testing.T, log recording.Log) {
		if got := strings.Join(events(log, recording.Line), "; "); got != "line count:3 6; line count:4 " {
			t.Errorf("the lines are %q", got)
		}
	})
}

// Each round of a loop that stands in one line is a pass, and a loop without rounds is one.
func TestRecordedRounds(t *testing.T) {
	t.Parallel()
	const source = `static int sum(const int *v, int n) {
  int acc = 0;
  for (int i = 0; i < n; i++) acc += v[i];
  return acc;
}
int main() { int v[] = {3, 7, 6}; return sum(v, 3) + sum(v, 0) - 16; }`
	w := recording.Spec{Values: []recording.Values{{Line: 3, Expressions: []string{"acc", "n"}}}}
	underEach(t, "a.cpp", source, w, func(t *testing.T, log recording.Log) {
		got := events(log, recording.Hit)
		slices.Sort(got) // which sum is worked out first is the compiler's affair
		if want := []string{"hit sum:3 0, 0", "hit sum:3 0, 3", "hit sum:3 10, 3", "hit sum:3 3, 3"}; !slices.Equal(got, want) {
			t.Errorf("the passes are %q", got)
		}
	})
}

// What a text leaves out is in the hash: of values that look alike the equal ones have
// equal hashes, in whatever order a set has them, and others have not. They are few: a value
// may take a tenth of a second, in which a busy machine reads less.
func TestRecordedWholeValues(t *testing.T) {
	t.Parallel()
	const source = `#include <unordered_map>
#include <vector>
struct Node { int v; Node *next; };
static int look(const std::vector<int> &v, const Node *n, const std::unordered_map<int, int> &u, int plain) { return plain; }
int main() {
  std::vector<int> v(100, 3);
  Node b{2, nullptr}, a{1, &b};
  b.next = &a;
  std::unordered_map<int, int> up, down;
  for (int i = 0; i < 14; i++) { up[i] = i; down[13 - i] = 13 - i; }
  look(v, &a, up, 1);
  v[99] = 4; b.v = 5;
  look(v, &a, down, 1);
  v[99] = 3; b.v = 2;
  look(v, &a, up, 1);
  return 0;
}`
	underEach(t, "a.cpp", source, recording.Spec{Calls: &recording.Calls{Names: []string{"look"}}}, func(t *testing.T, log recording.Log) {
		var calls [][]recording.Value
		for _, e := range log.Events {
			if e.Kind == recording.Enter {
				calls = append(calls, e.Values)
			}
		}
		if len(calls) != 3 || len(calls[0]) != 4 {
			t.Fatalf("the calls are %v", calls)
		}
		for i, differs := range []bool{true, true, false} {
			first, second, third := calls[0][i], calls[1][i], calls[2][i]
			if !first.Cut || first.Whole() == "" || first.Whole() != third.Whole() || (first.Whole() != second.Whole()) != differs {
				t.Errorf("argument %d: %+v, %+v, %+v", i, first, second, third)
			}
			if recording.Compare(first, third) != recording.Equal || differs && recording.Compare(first, second) != recording.Different {
				t.Errorf("argument %d is not compared by all of it", i)
			}
		}
		if plain := calls[0][3]; plain.Cut || plain.Whole() != "" {
			t.Errorf("a number is %+v", plain)
		}
	})
}

// A result that lies in several registers is put together from them.
func TestRecordedResultsInRegisters(t *testing.T) {
	t.Parallel()
	const source = `struct mixed { double d; int n; };
struct two { float a, b; };
struct mixed m(int n) { struct mixed x = {n + 0.5, n}; return x; }
struct two w(void) { struct two x = {1.5f, 2.5f}; return x; }
float f(void) { return 0.25f; }
_Bool b(void) { return 1; }
int main(void) { m(4); w(); f(); b(); return 0; }`
	spec := recording.Spec{Calls: &recording.Calls{Names: []string{"m", "w", "f", "b"}}}
	underEach(t, "a.c", source, spec, func(t *testing.T, log recording.Log) {
		got := strings.Join(events(log, recording.Leave), "; ")
		want := "leave m:3 {d:4.5, n:4}; leave w:4 {a:1.5, b:2.5}; leave f:5 0.25; leave b:6 true"
		if got != want {
			t.Errorf("the results are %s, want %s", got, want)
		}
	})
}

// What main gives back is the exit code: the run fails where the return stands by which it
// was left, and nowhere where an optimizing compiler has made one of several.
func TestRecordedReturnsOfMain(t *testing.T) {
	t.Parallel()
	const c = `#include <unistd.h>
static int check(int n) { return n > 2 ? n : 0; }
int main(int argc, char **argv) {
  if (check(argc - 1))
    return 7;
  for (int i = 0; i < 9; i++)
    if (check(i) == 5) return 7;
  return 0;
}`
	const several = `int main(int argc, char **argv) {
  if (argc > 9) return 7;
  if (argc > 8)
    return 7;
  if (argc == 1)
    return 7;
  return 0;
}`
	const cpp = `#include <string>
struct Note { std::string text; ~Note() { text = ""; } };
static int check(const Note &n) { return n.text.size() > 2 ? 4 : 0; }
int main() {
  Note a{"ab"};
  if (check(a)) return 1;
  for (int i = 0; i < 3; i++) {
    Note b{std::string(i + 1, 'x')};
    if (i == 1) continue;
    if (int rc = check(b)) {
      Note c{"leaving"};
      return rc;
    }
  }
  return 0;
}`
	const handler = `#include <stdlib.h>
#include <unistd.h>
static void last(void) {
  _exit(6); }
int main(void) {
  atexit(last);
  return 3;
}`
	const rust = `use std::process::ExitCode;
fn check(n: u8) -> u8 { if n > 2 { n } else { 0 } }
fn main() -> ExitCode {
    let name = String::from("a");
    if check(1) != 0 { return ExitCode::from(9); }
    match check(name.len() as u8 + 4) {
        0 => ExitCode::SUCCESS,
        rc => {
            let note = format!("{rc}");
            ExitCode::from(rc + note.len() as u8)
        }
    }
}`
	const question = `fn parse(s: &str) -> Result<i32, std::num::ParseIntError> { s.parse() }
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let _a = parse("12")?;
    let _b = parse("x1")?;
    Ok(())
}`
	for name, c := range map[string]struct {
		file, source string
		want         string
	}{
		"one of several":  {"a.c", c, "exited failed main:7 7"},
		"optimized":       {"a.c", "__attribute__((optimize(\"O2\"))) " + several, ""},
		"without names":   {"a.c", "volatile int n = 1;\n__attribute__((optimize(\"O2\"))) " + strings.NewReplacer("int argc, char **argv", "void", "argc", "n").Replace(several), ""},
		"function within": {"a.cpp", "int main(int n, char **) {\n  auto f = [](int n) {\n    return n + 1;\n  };\n  return f(n);\n}", "exited failed main:5 2"},
		"with ends":       {"a.cpp", cpp, "exited failed main:12 4"},
		"another's code":  {"a.c", handler, "exited failed main:7 3; exited failed last:4 6"},
		"end of a match":  {"a.rs", rust, "exited failed a::main:10 6"},
		"an error":        {"a.rs", question, "exited failed a::main:4 1"},
		"ends well":       {"a.c", "int main(void) {\n  return 0;\n}", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := recording.Spec{Calls: &recording.Calls{Names: []string{"main", "*::main"}}}
			underEach(t, c.file, c.source, w, func(t *testing.T, log recording.Log) {
				if got := strings.Join(events(log, recording.Failed), "; "); got != c.want {
					t.Errorf("the failure is %q, want %q", got, c.want)
				}
			})
		})
	}
}

// A function is where it is declared, whatever its code begins with, or where it calls what
// was put into it first, and its arguments come in the order of its parameters.
func TestRecordedCallsOfWhatHasAnotherPutIn(t *testing.T) {
	t.Parallel()
	const source = `struct item { int w, v; };
static inline __attribute__((always_inline)) int score(const struct item *it, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) s += it[i].v / it[i].w;
  return s;
}
__attribute__((noinline, optimize("O2"))) int best(const struct item *it, int n) {
  return score(it, n) + 1;
}
int main(void) {
  struct item it[] = {{2, 5}, {1, 20}};
  return best(it, 2) == 0;
}`
	w := recording.Spec{Calls: &recording.Calls{Names: []string{"best"}}}
	underEach(t, "a.c", source, w, func(t *testing.T, log recording.Log) {
		for _, e := range log.Events {
			if e.Kind == recording.Enter && (!strings.HasSuffix(e.At, "a.c:7") && !strings.HasSuffix(e.At, "a.c:8") || strings.Join(e.Names, " ") != "it n") {
				t.Errorf("it is called at %s with %v", e.At, e.Names)
			}
		}
	})
}

// A function that is called often is left alone, of which it is said after how many calls:
// those of others are whole, in all threads.
func TestRecordedCallsOfWhatIsCalledOften(t *testing.T) {
	t.Parallel()
	const source = `#include <thread>
static long twice(long n) { return 2 * n; }
static long down(long n) { return n == 0 ? 0 : down(n - 1) + twice(n); }
static long each(long n) { long sum = 0; for (long i = 0; i < n; i++) sum += down(i % 40); return sum; }
int main() {
  std::thread other(each, 100000);
  other.join();
  return each(200000) == 0;
}`
	underEach(t, "a.cpp", source, recording.Spec{Calls: &recording.Calls{Names: []string{"*"}, Thin: &recording.Thin{First: 50}}}, func(t *testing.T, log recording.Log) {
		left, results := map[string]int64{}, map[string]int{}
		for _, e := range log.Events {
			switch {
			case e.Kind == recording.Unwatched:
				left[e.Function] = e.Hit
			case e.Kind == recording.Leave && len(e.Values) > 0:
				results[e.Function+" "+e.Values[0].Text]++
			}
		}
		if len(left) != 2 || left["twice"] < 50 || left["down"] < 50 || !log.Thinned {
			t.Errorf("left alone are %v", left)
		}
		if results["each 53300000"] != 1 || results["each 106600000"] != 1 || results["main 0"] != 1 {
			t.Errorf("calls have given %v", results)
		}
	})
}
