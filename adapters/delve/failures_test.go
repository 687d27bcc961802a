package delve

import (
	"strings"
	"testing"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/delve/wire"
	"aidb-mcp/internal/testkit"
)

// failed runs the tests of a program of one file to the stop at the first that fails.
func failed(t *testing.T, files map[string]string) (*debuggee, adapters.Stop) {
	t.Helper()
	p := testkit.NewProgram(t, "")
	for name, text := range files {
		p.Write(name, text)
	}
	d := launch(t, plan(t, adapters.Request{Target: ".", Mode: adapters.Test, Workspace: p.Dir}))
	filters, err := d.plan.Dialect.Filters([]string{"uncaught"}, []godap.ExceptionBreakpointsFilter{{Filter: wire.TestFailure}})
	if err != nil {
		t.Fatal(err)
	}
	d.call("setExceptionBreakpoints", godap.SetExceptionBreakpointsArguments{Filters: filters}, nil)
	d.run()
	stop := d.stop()
	if stop.Reason != "exception" {
		t.Fatalf("stopped for %+v", stop)
	}
	return d, stop
}

func (d *debuggee) sides(thread int) adapters.Sides {
	d.t.Helper()
	sides, err := d.plan.Dialect.(adapters.SidesReader).Sides(d.t.Context(), d.Conn, thread)
	if err != nil {
		d.t.Fatal(err)
	}
	return sides
}

func TestSidesOfAnExample(t *testing.T) {
	t.Parallel()
	d, stop := failed(t, map[string]string{
		"go.mod": "module example.com/shown\n\ngo 1.25\n",
		"a_test.go": `package shown

import "fmt"

func ExampleRight() {
	fmt.Println(1)
	// Output: 1
}

func ExampleMixed() {
	fmt.Println("b\na")
	// Unordered output:
	// a
	// b
}

func ExampleWrong() {
	fmt.Println("two")
	// Output: one
}
`,
	})
	if s := d.sides(stop.ThreadID); s.Expected != "one" || s.Actual != "two" || s.From == "" {
		t.Errorf("the sides are %+v", s)
	}
	if said := d.exception(stop.ThreadID).Description; said != "ExampleWrong: got:\ntwo\nwant:\none" {
		t.Errorf("it says %q", said)
	}
}

func TestSidesOfTestify(t *testing.T) {
	t.Parallel()
	d, stop := failed(t, map[string]string{
		"go.mod":         "module example.com/sided\n\ngo 1.25\n\nrequire github.com/stretchr/testify v1.9.0\n\nreplace github.com/stretchr/testify => ./testify\n",
		"testify/go.mod": "module github.com/stretchr/testify\n\ngo 1.25\n",
		"testify/assert/a.go": `package assert

type TestingT interface{ Errorf(format string, args ...any) }

func Equal(t TestingT, expected, actual any, msgAndArgs ...any) bool {
	if expected != actual {
		t.Errorf("Not equal")
		return false
	}
	return true
}
`,
		"a_test.go": `package sided

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func sum(a, b int) int { return a + b + 1 }

func TestSum(t *testing.T) { assert.Equal(t, 5, sum(2, 3)) }
`,
	})
	if s := d.sides(stop.ThreadID); s.Expected != "5" || s.Actual != "6" || s.From != "the arguments of assert.Equal" {
		t.Errorf("the sides are %+v", s)
	}
}

// A plain message has no sides, whatever it looks like.
func TestNoSidesInAMessage(t *testing.T) {
	t.Parallel()
	d, stop := failed(t, map[string]string{
		"go.mod":    "module example.com/plain\n\ngo 1.25\n",
		"a_test.go": "package plain\n\nimport \"testing\"\n\nfunc TestPlain(t *testing.T) { t.Errorf(\"expected 5, got %d\", 6) }\n",
	})
	if s := d.sides(stop.ThreadID); s.Told() {
		t.Errorf("the sides are %+v", s)
	}
}

// When the collector has run a variable that the code is through with may be anything;
// what the failing statement reads is what it was.
func TestVariablesOutOfUse(t *testing.T) {
	t.Parallel()
	d, stop := failed(t, map[string]string{
		"go.mod": "module example.com/used\n\ngo 1.25\n",
		"a_test.go": `package used

import (
	"runtime"
	"strings"
	"testing"
)

func TestUsed(t *testing.T) {
	old := strings.Repeat("a", 64)
	n := len(old)
	read := strings.Repeat("b", 64)
	for range 3 {
		runtime.GC()
	}
	t.Fatalf("%d %s", n, read)
}
`,
	})
	values := map[string]string{}
	var scopes godap.ScopesResponseBody
	d.call("scopes", godap.ScopesArguments{FrameId: d.userFrame(stop.ThreadID).Id}, &scopes)
	for _, s := range scopes.Scopes {
		var vars godap.VariablesResponseBody
		d.call("variables", godap.VariablesArguments{VariablesReference: s.VariablesReference}, &vars)
		for _, v := range vars.Variables {
			values[v.Name] = v.Value
		}
	}
	if !strings.HasPrefix(values["old"], "(no longer in use") || !strings.Contains(values["read"], "bbb") || values["n"] != "64" {
		t.Errorf("the variables are %v", values)
	}
	frame := d.userFrame(stop.ThreadID).Id
	if got := d.evaluate(frame, "old[3]"); !strings.HasPrefix(got, "(no longer in use") {
		t.Errorf("a part of it is %s", got)
	}
	if got := d.evaluate(frame, "read[3:5]"); !strings.Contains(got, "bb") {
		t.Errorf("a part of what is read is %s", got)
	}
}
