//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

package serve

import (
	"reflect"
	"slices"
	"strings"

	"github.com/go-delve/delve/pkg/proc"
	"github.com/go-delve/delve/service/api"

	"aidb-mcp/adapters/delve/wire"
)

// testified is what testify's functions are called after their package, wherever that
// lies. Those that are known here take what is expected, and what came.
const testified = "github.com/stretchr/testify/assert."

var comparing = []string{"Equal", "EqualValues", "EqualExportedValues", "Exactly", "Same", "JSONEq", "YAMLEq", "InDelta", "InEpsilon", "WithinDuration"}

// reformatting are those that put both values into words, in their own variables, before
// they fail.
var reformatting = []string{"Equal", "EqualValues", "EqualExportedValues"}

// exampleRun is the function that compares what an Example has printed.
const exampleRun = "testing.(*InternalExample).processRunResult"

// deepSides is how many frames are looked at for the function of a framework.
const deepSides = 40

// sides tells the two values of the expectation that fails a test: the arguments of the
// function of testify that was called, or what an Example printed and should have.
func sides(t *target, args wire.FrameArgs) (wire.SidesBody, error) {
	thread, name := t.crashedThread(args.Goroutine)
	if name != testFailureName {
		return wire.SidesBody{}, nil
	}
	g, err := proc.GetG(thread)
	if err != nil || g == nil {
		return wire.SidesBody{}, err
	}
	frames, err := proc.GoroutineStacktrace(t.Target, g, deepSides, 0)
	if err != nil {
		return wire.SidesBody{}, err
	}
	said := ""
	for i, f := range frames {
		if f.Call.Fn == nil {
			continue
		}
		scope := func() *proc.EvalScope {
			return proc.FrameToScope(t.Target, t.Memory(), g, thread.ThreadID(), frames[i:]...)
		}
		if f.Call.Fn.Name == exampleRun {
			want, got := printedOutput(scope())
			return wire.SidesBody{Expected: want, Actual: got, From: "what the Example printed, and its comment"}, nil
		}
		_, function, is := strings.Cut(f.Call.Fn.Name, testified)
		if is && function == "Fail" {
			said, _ = text(scope(), "failureMessage")
		}
		if is && slices.Contains(comparing, function) {
			return t.comparedSides(scope(), function, said), nil
		}
	}
	return wire.SidesBody{}, nil
}

// comparedSides are the arguments of a function of testify that has failed, as it has said. Where
// it has put both into words by then, these are told as they are; none are where that is
// not certain.
func (t *target) comparedSides(scope *proc.EvalScope, function, said string) wire.SidesBody {
	body := wire.SidesBody{From: "the arguments of assert." + function}
	expected, isText := text(scope, "expected.(string)")
	actual, areBoth := text(scope, "actual.(string)")
	if !slices.Contains(reformatting, function) || !isText || !areBoth {
		body.Expected, body.Actual = t.side(scope, "expected"), t.side(scope, "actual")
		return body
	}
	if _, words, found := strings.Cut(said, "\nexpected: "); !found || !strings.HasPrefix(words, expected+"\nactual  : "+actual) {
		return wire.SidesBody{}
	}
	body.Expected, body.Actual = expected, actual
	return body
}

// side is an argument as it is shown elsewhere; empty where it cannot be read.
func (t *target) side(scope *proc.EvalScope, name string) string {
	v, err := scope.EvalExpression(name, whole)
	if err != nil || v.Unreadable != nil {
		return ""
	}
	if v.Kind == reflect.Interface && len(v.Children) == 1 && v.Children[0].Kind != reflect.Invalid {
		v = &v.Children[0]
	}
	shown := api.ConvertVar(v)
	t.correct(shown)
	return pretty(shown)
}

// printedOutput is what an Example should have printed, and what it has.
func printedOutput(scope *proc.EvalScope) (want, got string) {
	want, _ = text(scope, "eg.Output")
	got, _ = text(scope, "stdout")
	return strings.TrimSpace(want), strings.TrimSpace(got)
}

// hasPassed says that an Example has printed what it should, or has panicked, which is
// another matter.
func hasPassed(t *target, thread proc.Thread) bool {
	scope, err := proc.GoroutineScope(t.Target, thread)
	if err != nil {
		return false
	}
	want, got := printedOutput(scope)
	if truth(scope, "eg.Unordered") {
		want, got = sortLines(want), sortLines(got)
	}
	return want == got || !truth(scope, "finished")
}

func sortLines(text string) string {
	lines := strings.Split(text, "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// failingExample describes an Example that has not printed what it should.
func failingExample(scope *proc.EvalScope) (message string, is bool) {
	name, is := text(scope, "eg.Name")
	if !is {
		return "", false
	}
	want, got := printedOutput(scope)
	return name + ": got:\n" + got + "\nwant:\n" + want, true
}
