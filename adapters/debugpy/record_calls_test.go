package debugpy

import (
	"fmt"
	"strings"
	"testing"

	"aidb-mcp/internal/recording"
)

// leaves are how the calls of a program ended, one line each.
func leaves(t *testing.T, names []string, lines ...string) string {
	t.Helper()
	dir, file := program(t, lines...)
	log, printed := recordedRun(t, "script", file, recording.Spec{Calls: &recording.Calls{Names: names}}, dir)
	var list []string
	for _, e := range log.Events {
		switch {
		case e.Kind == recording.Remark || e.Kind == recording.Refused:
			t.Errorf("%s (the program printed %q)", e.Text, printed)
		case e.Kind != recording.Leave:
		case e.Raised:
			list = append(list, e.Function+" raised "+e.Values[0].Text+e.Values[0].Error)
		default:
			list = append(list, e.Function+" "+e.Values[0].Text)
		}
	}
	return strings.Join(list, "\n")
}

// What a call catches it does not raise, and what rests has not ended.
func TestRecordedCallsEnd(t *testing.T) {
	for name, c := range map[string]struct{ code, want string }{
		"caught":                      {"def f():\n  try: {}['k']\n  except KeyError: return 1\nf()", "f 1"},
		"caught, with nothing":        {"def f():\n  try: {}['k']\n  except KeyError: pass\nf()", "f None"},
		"raised through finally":      {"def f():\n  try: {}['k']\n  finally: n = 1\ntry: f()\nexcept KeyError: pass", "f raised KeyError: 'k'"},
		"returned in finally":         {"def f():\n  try: {}['k']\n  finally: return 2\nf()", "f 2"},
		"raised in place of another":  {"def f():\n  try: {}['k']\n  except KeyError: raise ValueError('v')\ntry: f()\nexcept ValueError: pass", "f raised ValueError: v"},
		"yields after what it caught": {"def f():\n  try: {}['k']\n  except KeyError: pass\n  yield None\n  yield 2\nlist(f())", "f None"},
		"thrown into, and caught": {"def f():\n  while True:\n    try: yield None\n    except KeyError: pass\n    else: return 5\ng = f(); next(g); g.throw(KeyError()); next(g, 0)",
			"f 5"},
		"thrown into":   {"def f():\n  yield 1\ng = f(); next(g)\ntry: g.throw(KeyError('k'))\nexcept KeyError: pass", "f raised KeyError: 'k'"},
		"awaits before": {"import asyncio\nasync def f(n):\n  try: {}['k']\n  except KeyError: await asyncio.sleep(0)\n  return n\nasync def main(): await asyncio.gather(f(1), f(2))\nasyncio.run(main())", "f 1\nf 2"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := leaves(t, []string{"f"}, c.code); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
	// Which of two exceptions goes on is known where the interpreter says it; it is never guessed.
	again := leaves(t, []string{"f"}, "def f():\n  try: {}['k']\n  except KeyError:\n    try: int('x')\n    except ValueError: pass\n    raise\ntry: f()\nexcept KeyError: pass")
	if strings.Contains(again, "ValueError") || !strings.HasPrefix(again, "f raised ") {
		t.Errorf("raised again: %s", again)
	}
}

// Calls that run side by side are not within each other; those that await each other are.
func TestRecordedDepth(t *testing.T) {
	dir, file := program(t, "import asyncio", "async def work(n):", "    await asyncio.sleep(0)", "    if n > 10: await work(n - 10)",
		"def rows(n):", "    yield n", "    if n > 10: yield from rows(n - 10)",
		"async def main(): await asyncio.gather(work(1), work(2), work(13))", "asyncio.run(main())", "list(zip(rows(1), rows(2), rows(13)))", "list(rows(23))")
	log, _ := recordedRun(t, "script", file, recording.Spec{Calls: &recording.Calls{Names: []string{"work", "rows"}}}, dir)
	var list []string
	for _, e := range log.Events {
		if e.Kind == recording.Enter {
			list = append(list, fmt.Sprintf("%s(%s)@%d", e.Function, e.Values[0].Text, e.Depth))
		}
	}
	const want = "work(1)@0 work(2)@0 work(13)@0 work(3)@1 rows(1)@0 rows(2)@0 rows(13)@0 rows(23)@0 rows(13)@1 rows(3)@2"
	if got := strings.Join(list, " "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// A function is meant where it is called as its module is.
func TestRecordedFunctionOfItsModulesName(t *testing.T) {
	dir, file := program(t, "def app(text):", "    out = text.split()", "    return out", "def other(): pass", "app('a b'); other()")
	log, _ := recordedRun(t, "script", file, recording.Spec{Lines: &recording.Lines{Function: "app"}}, dir)
	for _, e := range log.Events {
		if e.Kind == recording.Line && e.Function != "app" {
			t.Errorf("a line of %s is shown", e.Function)
		}
	}
	if len(log.Events) < 2 {
		t.Errorf("%d events", len(log.Events))
	}
	log, _ = recordedRun(t, "script", file, recording.Spec{Calls: &recording.Calls{Names: []string{"app"}}}, dir)
	for _, e := range log.Events {
		if e.Kind == recording.Enter && e.Function != "app" {
			t.Errorf("a call of %s is shown", e.Function)
		}
	}
}

// What is nested in an expression sees the variables of the function that it stands in.
func TestRecordedExpressionsSeeVariables(t *testing.T) {
	dir, file := program(t, "def f(piece, rows):", "    return any(piece == r for r in rows)", "f('a', ['b', 'a']); f('c', [])")
	w := recording.Spec{Values: []recording.Values{{File: file, Line: 2, Condition: "any(piece == r for r in rows)", Expressions: []string{"[r + piece for r in rows]", "(lambda: piece)()"}}}}
	log, _ := recordedRun(t, "script", file, w, dir)
	var hits []string
	for _, e := range log.Events {
		if e.Kind == recording.Hit {
			hits = append(hits, fmt.Sprint(e.Values[0].Text, e.Values[0].Error, " ", e.Values[1].Text, e.Values[1].Error))
		}
	}
	if got := strings.Join(hits, "|"); got != "['ba', 'aa'] 'a'" {
		t.Errorf("got %s", got)
	}
}
