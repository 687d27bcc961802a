//go:build linux

// Package frameworks starts a project of every framework as init proposes it: what
// it answers for the project is sent back with a breakpoint added, and must stop
// there, in the user's code, with a value that only the real run has. Servers are
// asked from outside once the reply says that they listen. docs/frameworks.md shows
// the calls and the replies.
package frameworks

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"aidb-mcp/internal/testkit"
)

// A is the arguments of a call.
type A = testkit.A

// sample is a project of a framework, and what must be seen in it.
type sample struct {
	Name string // "Flask": the title in the documentation
	Dir  string // below testdata/frameworks
	Note string // what a reader should know besides; one or two sentences
	Long string // why it is left to the long run: which other test starts such a project; empty: it is not

	// Prepare puts what the project depends on into its copy; nil for nothing.
	Prepare func(t *testing.T, dir string)

	Init A // the arguments of init that ask for this start; nil for none: then it is the first proposal
	With A // what a user adds to the proposed call, as a name of a test that init cannot know, or takes away (nil); nil for nothing

	File, Mark string // where it is to stop
	Ask, Want  string // an expression there, and what its value contains

	Caches string // the pattern of what its tools keep in the directory of temporary files; empty for nothing

	// For a server: the path and query of a request, and what its answer contains.
	Request, Answer string

	Code string // the exit code of a program that ends by itself; empty: 0
}

// shown is what the documentation shows of a sample: calls and replies.
type shown struct {
	sample *sample
	text   string
}

// longest is how long a call may take that builds.
const longest = 170_000

// play starts the sample as init proposes it.
func (x *sample) play(t *testing.T) shown {
	if x.Long != "" {
		testkit.Long(t, x.Long)
	}
	p := testkit.NewProgramOf(t, "frameworks", x.Dir)
	if x.Prepare != nil {
		x.Prepare(t, p.Dir)
	}
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	if x.Caches != "" {
		t.Cleanup(func() { removeAll(t, filepath.Join(s.Tmp, x.Caches)) }) // before the server ends
	}
	tool, call := x.proposal(t, s)
	call["breakpoints"] = []A{{"file": x.File, "line": p.Line(x.Mark)}}
	for name, value := range x.With {
		if call[name] = value; value == nil {
			delete(call, name)
		}
	}
	doc := shown{sample: x}
	began := maps.Clone(call)
	began["timeout_ms"] = longest
	r := s.OK(tool, began)
	doc.add(p.Dir, tool, call, r)
	var answer <-chan string
	if x.Request != "" {
		answer = ask(t, listening(t, r), x.Request)
		r = s.OK("execute", A{"action": "wait", "timeout_ms": longest})
		doc.add(p.Dir, "execute", A{"action": "wait"}, r)
	}
	r.Stopped("stopped_at_breakpoint", p.At(x.File, x.Mark))
	s.OK("inspect", A{"target": "expression", "expression": x.Ask}).Has(x.Want)
	x.end(t, s, answer)
	return doc
}

// removeAll removes what a pattern matches.
func removeAll(t *testing.T, pattern string) {
	t.Helper()
	found, err := filepath.Glob(pattern)
	for _, name := range found {
		err = cmp.Or(err, os.RemoveAll(name))
	}
	if err != nil {
		t.Error(err)
	}
}

// proposal is the first call that init proposes for the sample.
func (x *sample) proposal(t *testing.T, s *testkit.Server) (tool string, params A) {
	t.Helper()
	var steps []struct {
		Tool   string
		Params A
	}
	r := s.OK("init", x.Init)
	if r.At("next_steps") != "" {
		r.Decode(&steps, "next_steps")
	}
	if len(steps) == 0 || steps[0].Tool != "session_start" {
		t.Fatalf("init proposes no start:\n%s", r.Text)
	}
	return steps[0].Tool, steps[0].Params
}

// listening is an address that a reply tells of.
func listening(t *testing.T, r testkit.Reply) string {
	t.Helper()
	var all []string
	if r.At("data", "listening") == "" {
		t.Fatalf("nothing is told to listen:\n%s", r.Text)
	}
	r.Decode(&all, "data", "listening")
	_, port, err := net.SplitHostPort(all[0])
	if err != nil {
		t.Fatal(err)
	}
	return "localhost:" + port
}

// ask sends a request, and gives what is answered, when it is.
func ask(t *testing.T, address, request string) <-chan string {
	t.Helper()
	at, err := url.Parse("http://" + address + request)
	if err != nil {
		t.Fatal(err)
	}
	answer := make(chan string, 1)
	go func() {
		client := http.Client{Timeout: testkit.CallLimit}
		r, err := client.Get(at.String())
		if err != nil {
			answer <- err.Error()
			return
		}
		defer r.Body.Close()
		text, err := io.ReadAll(r.Body)
		if err != nil {
			text = []byte(err.Error())
		}
		answer <- string(text)
	}()
	return answer
}

// end lets the program go on: a server answers and is stopped, all else ends by itself.
func (x *sample) end(t *testing.T, s *testkit.Server, answer <-chan string) {
	t.Helper()
	s.OK("breakpoint", A{"action": "clear_all"})
	if answer == nil {
		code := x.Code
		if code == "" {
			code = "0"
		}
		s.OK("execute", A{"timeout_ms": longest}).Want("terminated", "data", "execution_state", "status").
			Want(code, "data", "execution_state", "exit_code")
		return
	}
	s.OK("execute", A{"timeout_ms": 0})
	select {
	case got := <-answer:
		if !strings.Contains(got, x.Answer) {
			t.Errorf("the answer to %s: %q, want %q", x.Request, got, x.Answer)
		}
	case <-time.After(testkit.CallLimit):
		t.Errorf("no answer to %s", x.Request)
	}
	s.OK("session", A{"action": "stop"})
}

// add shows a call and its reply, without the names of directories that are made
// for the test.
func (d *shown) add(dir, tool string, params A, r testkit.Reply) {
	text := fmt.Sprintf("→ %s %s\n%s\n", tool, ordered(params), strings.TrimSpace(r.Text))
	d.text += strings.ReplaceAll(text, dir, "…")
}

// ordered are parameters as one would write them: what is started first, and where
// it is to stop last.
func ordered(params A) string {
	names := slices.SortedFunc(maps.Keys(params), func(a, b string) int {
		return cmp.Or(cmp.Compare(slices.Index(places, a), slices.Index(places, b)), cmp.Compare(a, b))
	})
	var members []string
	for _, name := range names {
		value, err := json.Marshal(params[name])
		if err != nil {
			panic(err) // it has come as JSON
		}
		members = append(members, fmt.Sprintf("%q:%s", name, value))
	}
	return "{" + strings.Join(members, ",") + "}"
}

var places = []string{"language", "target", "module", "mode", "test", "build_args", "args", "env", "cwd", "breakpoints"}

// shared is a directory in which tests keep what they install, once for all of them.
func shared(t *testing.T, name string) string {
	t.Helper()
	dir := filepath.Join(testkit.Home(), "frameworks", name)
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}
