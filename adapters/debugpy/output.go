package debugpy

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
)

// Sift: where the program's streams are ours, only what logpoints wrote is news,
// which our own adapter knows the place of.
func (d *dialect) Sift(event godap.OutputEventBody) (kept godap.OutputEventBody, keep bool) {
	if report, ok := strings.CutPrefix(event.Output, testsMark); ok {
		d.countTests(report)
		return event, false
	}
	if report, ok := strings.CutPrefix(event.Output, leftMark); ok {
		d.noteLeftProcesses(report)
		return event, false
	}
	if report, ok := strings.CutPrefix(event.Output, blindMark); ok {
		return warnUnknownFramework(event, report)
	}
	if event.Category == "telemetry" {
		return event, false
	}
	if strings.HasPrefix(event.Output, "Attaching to PID: ") || strings.HasPrefix(event.Output, slowRepr) {
		return event, false
	}
	return event, d.attached || event.Line > 0 || event.Category == "console" || event.Category == "important"
}

// slowRepr begins debugpy's advice to itself on how long it may take to show a value.
const slowRepr = "pydevd warning: Computing repr of "

// testsMark begins the output event by which tests.py reports what a run of tests
// has come to, as JSON.
const testsMark = "\x1dtests "

// blindMark begins the output event by which tests.py reports that it could not get
// hold of a framework, as JSON.
const blindMark = "\x1dblind "

// warnUnknownFramework makes a warning of the report that a test framework's version is unknown.
func warnUnknownFramework(event godap.OutputEventBody, report string) (kept godap.OutputEventBody, keep bool) {
	var blind struct{ Framework, Why string }
	if json.Unmarshal([]byte(report), &blind) != nil {
		return event, false
	}
	event.Category = "important"
	event.Output = fmt.Sprintf("failing tests may not stop: this version of %s is unknown here (%s); read the output for what failed, and set breakpoints\n", blind.Framework, blind.Why)
	return event, true
}

// countTests keeps the report of the process that ran the most tests: of several
// only one runs those that were asked for.
func (d *dialect) countTests(report string) {
	run := &adapters.TestRun{}
	if json.Unmarshal([]byte(report), run) != nil {
		return
	}
	if known := d.testRun.Load(); known == nil || known.Ran <= run.Ran {
		d.testRun.Store(run)
	}
}

// warnings are what debugpy writes into the program's stderr.
var warnings = []string{
	"Debugger warning: It seems that frozen modules are being used",
	"make the debugger miss breakpoints. Please pass -Xfrozen_modules=off",
	"to python to disable frozen modules.",
	"Note: Debugging will proceed. Set PYDEVD_DISABLE_FILE_VALIDATION=1",
}

// Noise knows debugpy's warnings, and its frames at the far end of each stack.
func (d *dialect) Noise(stream, line string) bool {
	for _, w := range warnings {
		if stream == "stderr" && strings.Contains(line, w) {
			return true
		}
	}
	return d.stacks.drop(stream, line)
}

// stackFilters are those of a program's streams.
type stackFilters struct{ stdout, stderr stackFilter }

func (f *stackFilters) drop(stream, line string) bool {
	if stream == "stderr" {
		return f.stderr.drop(line)
	}
	return f.stdout.drop(line)
}

// stackFilter knows the frames in which we run the program: in the stacks that it prints they
// stand beyond the program's own.
type stackFilter struct {
	mu       sync.Mutex
	within   bool // a stack
	inward   bool // which begins with its innermost frame
	outside  bool // the frames of the program have not begun
	dropping bool // the lines of a frame that is left out
}

func (f *stackFilter) drop(line string) bool {
	line = strings.TrimPrefix(line, "  + Exception Group ")
	line = strings.TrimPrefix(line, "  | ") // the other lines of one
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case strings.HasSuffix(line, "(most recent call last):"):
		f.within, f.inward, f.outside, f.dropping = true, false, true, false
		return false
	case strings.HasSuffix(line, "(most recent call first):"): // of faulthandler
		f.within, f.inward, f.outside, f.dropping = true, true, true, false
		return false
	case strings.HasPrefix(line, `  File "`):
		if !f.within || beginsStack(line) { // printed without a heading
			f.within, f.inward, f.outside = true, f.within && f.inward, true
		}
		f.dropping = f.outside && runsProgram(line)
		f.outside = f.dropping || f.inward
		return f.dropping
	case f.within && strings.HasPrefix(line, "    "):
		return f.dropping
	}
	f.within, f.inward, f.outside, f.dropping = false, false, false, false
	return false
}

// beginsStack says that a line is of the frame in which an interpreter begins.
func beginsStack(line string) bool {
	return strings.HasSuffix(line, "in _run_module_as_main") || isOfRecorder(line) && strings.HasSuffix(line, "in <module>")
}

// isOfRecorder says that a line of a stack is of what runs a program that is recorded.
func isOfRecorder(line string) bool {
	return strings.Contains(line, "/"+recorderPackage+"/") || strings.Contains(line, `\`+recorderPackage+`\`)
}

// runsProgram says that a line of a traceback is of what runs the program.
func runsProgram(line string) bool {
	return isOfRecorder(line) || strings.HasPrefix(line, `  File "pydevd.py"`) || strings.Contains(line, "/debugpy/") || strings.Contains(line, `\debugpy\`) ||
		strings.Contains(line, "runpy.py\"") && (strings.Contains(line, "_run_module_as_main") || strings.Contains(line, "_run_code")) ||
		strings.Contains(line, `"<frozen runpy>"`)
}
