package judge

import (
	"strconv"
	"strings"

	"aidb-mcp/internal/pattern"
)

// Printed is an uncaught exception as a runtime has printed it.
type Printed struct {
	Message string
	Frames  []Place // the innermost first
	Before  string  // what the program has printed before it
}

var (
	tracebacks = pattern.New(`(?m)^Traceback \(most recent call last\):\n`)
	traced     = pattern.New(`^  File "(.+)", line (\d+), in (.+)$`)
	repeated   = pattern.New(`^  \[Previous line repeated (\d+) more times?\]$`)
	conftest   = pattern.New(`(?m)^ImportError while loading conftest .*\n`)
	entered    = pattern.New(`^(\S.*):(\d+): in (.+)$`)
	unreadIn   = pattern.New(`^E {5}File "(.+)", line (\d+)$`)
	failing    = pattern.New(`^E {3}(\S.*)$`)
	thrown     = pattern.New(`(?m)^\S.*:\d+\n.*\n\s*\^*\n+(?:Uncaught )?(\w*(?:Error|Exception)\b.*)\n`)
	nodeFrame  = pattern.New(`^\s*at (?:async )?(?:(.+) \()?(?:file://)?(/[^()]+):(\d+):\d+\)?$`)
)

var fatal = pattern.New(`(?mi)^(?:.*\] )?(?:memory allocation of \d+ bytes failed|fatal error|terminate called|.*panicked at)\b.*`)

// Fatal is what a runtime printed as it gave up; empty where it did not say.
func Fatal(stderr string) string { return strings.TrimSpace(fatal.FindString(stderr)) }

// PrintedIn is the exception at the end of what a program printed to stderr; its message
// is empty where there is none.
func PrintedIn(stderr string) Printed {
	if all := tracebacks.FindAllStringSubmatchIndex(stderr, -1); len(all) > 0 {
		last := all[len(all)-1]
		return python(stderr[:last[0]], stderr[last[1]:])
	}
	if m := conftest.FindStringIndex(stderr); m != nil {
		return collecting(stderr[:m[0]], stderr[m[1]:])
	}
	if m := thrown.FindStringSubmatchIndex(stderr); m != nil {
		return node(stderr[:m[0]], stderr[m[2]:m[3]], stderr[m[1]:])
	}
	return Printed{}
}

func python(before, text string) Printed {
	p := Printed{Before: before}
	var frames []Place
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if m := traced.FindStringSubmatch(line); m != nil {
			frames = append(frames, Place{File: m[1], Line: atoi(m[2]), Function: m[3], Times: 1})
		} else if m := repeated.FindStringSubmatch(line); m != nil && len(frames) > 0 {
			frames[len(frames)-1].Times += atoi(m[1])
		} else if line != "" && !strings.HasPrefix(line, " ") {
			if p.Message != "" { // the program has printed more
				return Printed{}
			}
			p.Message = line
		}
	}
	for i := len(frames) - 1; i >= 0; i-- {
		p.Frames = append(p.Frames, frames[i])
	}
	return p
}

// collecting is what pytest prints of an exception in the modules that it needs itself.
func collecting(before, text string) Printed {
	p := Printed{Before: before}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if m := entered.FindStringSubmatch(line); m != nil {
			p.Frames = append([]Place{{File: m[1], Line: atoi(m[2]), Function: m[3], Times: 1}}, p.Frames...)
		} else if m := unreadIn.FindStringSubmatch(line); m != nil {
			p.Frames = append([]Place{{File: m[1], Line: atoi(m[2]), Times: 1}}, p.Frames...)
		} else if m := failing.FindStringSubmatch(line); m != nil {
			p.Message = strings.TrimSpace(m[1])
		}
	}
	return p
}

func node(before, message, text string) Printed {
	p := Printed{Before: before, Message: message}
	for line := range strings.Lines(text) {
		m := nodeFrame.FindStringSubmatch(strings.TrimRight(line, "\n"))
		if m == nil {
			continue
		}
		n, _ := strconv.Atoi(m[3])
		p.Frames = append(p.Frames, Place{File: m[2], Line: n, Function: m[1], Times: 1})
	}
	return p
}

// Qualified is the type of an exception with its module, as the last line of its stack
// has it.
func Qualified(stack string) string {
	lines := strings.Split(strings.TrimSpace(stack), "\n")
	for i := len(lines) - 1; i >= 0; i-- {
		if m := qualified.FindStringSubmatch(lines[i]); m != nil {
			return m[1]
		}
	}
	return ""
}

var qualified = pattern.New(`^([A-Za-z_]\w*(?:\.\w+)+)(?::|$)`)

// Folded are places of which those that follow each other are one.
func Folded(frames []Place) []Place {
	var list []Place
	for _, f := range frames {
		f.Times = max(f.Times, 1)
		if n := len(list); n > 0 && list[n-1].File == f.File && list[n-1].Line == f.Line && list[n-1].Function == f.Function {
			list[n-1].Times += f.Times
			continue
		}
		list = append(list, f)
	}
	return list
}

// progress is what a test runner prints of its own on the way, and tells nobody anything
// who is told what failed.
var progress = pattern.New(`^(?:=== (?:RUN|PAUSE|CONT|NAME) .*|--- (?:FAIL|PASS): .*|[.FEsx]+|RUN  v.*|#.*Subtest: .*|TAP version \d+|\[(?:={10}|-{10}| RUN      )\] .*|Note: Google Test filter = .*|Running main\(\) from .*gtest_main.*|Filters: .*|[-~=]{70,}|\S+ is a Catch v.*|Run with -\? for options|running \d+ tests?|test \S+ \.\.\.)$`)

// Untold is what a program printed without what the diagnosis says already.
func Untold(printed, message string) string {
	var b strings.Builder
	for line := range strings.Lines(printed) {
		text := strings.TrimSpace(line)
		if progress.MatchString(text) || len(text) > 8 && strings.Contains(message, text) {
			continue
		}
		b.WriteString(line)
	}
	if strings.TrimSpace(b.String()) == "" {
		return ""
	}
	return b.String()
}
