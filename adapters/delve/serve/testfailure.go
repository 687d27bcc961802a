//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

package serve

import (
	"fmt"
	"go/constant"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-delve/delve/pkg/proc"
	godap "github.com/google/go-dap"

	"aidb-mcp/internal/text/pattern"
)

// describeFailure describes the test that is about to be failed: its name, and the message, or
// what can be told of that from the arguments where it is not put together yet.
func (t *target) describeFailure(thread proc.Thread) (godap.ExceptionInfoResponseBody, error) {
	body := godap.ExceptionInfoResponseBody{ExceptionId: "test failure", BreakMode: "always"}
	scope, err := proc.GoroutineScope(t.Target, thread)
	if err != nil {
		return body, err
	}
	if message, is := failingExample(scope); is {
		body.Description = message
		return body, nil
	}
	if message, is := text(scope, "s"); is {
		body.Description = strings.TrimSuffix(message, "\n")
	} else {
		body.Description = formattedMessage(scope)
	}
	body.Description = strings.TrimLeft(tidyAssertion(body.Description), "\n")
	if body.Description == "" {
		body.Description = "failed without a message"
	}
	if name, ok := text(scope, "c.name"); ok {
		body.Description = name + ": " + body.Description
	}
	return body, nil
}

// formattedMessage is the message that the arguments of the call make, as far as the debugger can
// tell how they are printed.
func formattedMessage(scope *proc.EvalScope) string {
	var args []string
	if v, err := scope.EvalExpression("args", whole); err == nil {
		for i := range v.Children {
			value := &v.Children[i]
			if len(value.Children) == 1 {
				value = &value.Children[0]
			}
			args = append(args, formatPrinted(value))
		}
	}
	if format, ok := text(scope, "format"); ok {
		return fill(format, args)
	}
	return strings.Join(args, " ")
}

// failsWith are the functions that fail a test with a message.
var failsWith = []string{"testing.(*common).Error", "testing.(*common).Errorf", "testing.(*common).Fatal", "testing.(*common).Fatalf"}

// isOnlyLog says that a test says something, and does not fail with it; or that it fails of
// a data race.
func isOnlyLog(t *target, thread proc.Thread) bool {
	frames, err := proc.ThreadStacktrace(t.Target, thread, 2)
	if err != nil || len(frames) < 2 || frames[1].Call.Fn == nil || !slices.Contains(failsWith, frames[1].Call.Fn.Name) {
		return true
	}
	return len(frames) > 2 && isRaceCheck(frames[2])
}

// hasFailedBefore says that the call that marks a test as failed tells nothing
// new: it comes from within package testing, where the call with the message
// was stopped at, or the test has failed before.
func hasFailedBefore(t *target, thread proc.Thread) bool {
	scope, err := proc.GoroutineScope(t.Target, thread)
	if err != nil {
		return false
	}
	if truth(scope, "c.failed") {
		return true
	}
	frames, err := proc.ThreadStacktrace(t.Target, thread, 1)
	if err != nil || len(frames) < 2 || frames[1].Call.Fn == nil {
		return false
	}
	return frames[1].Call.Fn.PackageName() == "testing"
}

// isAfterRace says that a test is failed because of a data race, which happened before: where
// it did the detector has reported, and nothing here shows it.
func isAfterRace(t *target, thread proc.Thread) bool {
	frames, err := proc.ThreadStacktrace(t.Target, thread, 1)
	return err == nil && len(frames) > 1 && isRaceCheck(frames[1])
}

func isRaceCheck(frame proc.Stackframe) bool {
	return frame.Call.Fn != nil && frame.Call.Fn.Name == "testing.(*common).checkRaces"
}

// label matches how testify begins a part of its message: "	Error:      	Not equal".
var label = pattern.New(`^\t([A-Z][A-Za-z ]*):\s*\t(.*)$`)

// tidyAssertion leaves of testify's message what is not known without it: the
// error, what was expected and what came, and the user's own words.
func tidyAssertion(message string) string {
	if !strings.HasPrefix(message, "\n\tError Trace:") {
		return message
	}
	var kept []string
	keep := false
	for line := range strings.Lines(message) {
		line = strings.TrimRight(line, "\r\n")
		if m := label.FindStringSubmatch(line); m != nil {
			keep = m[1] == "Error" || m[1] == "Messages"
			line = m[2]
		}
		if line = strings.TrimSpace(line); keep && line != "" {
			kept = append(kept, line)
		}
	}
	if len(kept) > 2 && strings.HasPrefix(kept[1], "expected: ") && strings.HasPrefix(kept[2], "actual  :") {
		actual := strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(kept[2], "actual"), "  :"))
		kept = append([]string{fmt.Sprintf("%s %s, actual: %s", kept[0], kept[1], actual)}, kept[3:]...)
	}
	return strings.Join(kept, "\n")
}

// formatPrinted writes a value as package fmt prints it, where it asks the value itself.
func formatPrinted(v *proc.Variable) string {
	if v.TypeString() == "time.Duration" && v.Value != nil {
		if n, exact := constant.Int64Val(v.Value); exact {
			return time.Duration(n).String()
		}
	}
	return valueText(v)
}

// durationNumber is a duration as a number, which %d prints of it.
func durationNumber(text string) string {
	if d, err := time.ParseDuration(text); err == nil && d != 0 {
		return strconv.FormatInt(int64(d), 10)
	}
	return text
}

// verb matches a formatting verb of package fmt.
var verb = pattern.New(`%[-+# 0]*[\d.]*[a-zA-Z%]`)

// fill puts the arguments, as the debugger shows them, where the verbs stand.
func fill(format string, args []string) string {
	return verb.ReplaceAllStringFunc(format, func(verb string) string {
		switch {
		case verb == "%%":
			return "%"
		case len(args) == 0:
			return verb
		}
		arg := args[0]
		args = args[1:]
		if strings.HasSuffix(verb, "d") {
			return durationNumber(arg)
		}
		return arg
	})
}
