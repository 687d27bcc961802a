package debugpy

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/project/source"
	"aidb-mcp/internal/system/process"
)

const (
	probeLimit = 10 * time.Second
	probeMark  = "\naidb:"
)

// oldest is the oldest Python that debugpy knows.
var oldest = []int{3, 8}

// question is what an interpreter is asked about a program before it is started.
type question struct {
	Program string   `json:"program,omitempty"` // to be checked for syntax errors
	Module  string   `json:"module,omitempty"`  // to be found
	Find    []string `json:"find,omitempty"`    // packages that may be there
}

// python is what an interpreter answered.
type python struct {
	Version        []int           `json:"version"`
	Executable     string          `json:"executable"`
	Implementation string          `json:"implementation"`
	Syntax         *syntaxError    `json:"syntax"`
	Module         *moduleFound    `json:"module"`
	Found          map[string]bool `json:"found"`
	Path           []string        `json:"path"` // directories of modules
}

type syntaxError struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column,omitempty"`
	Text    string `json:"text,omitempty"`
	Message string `json:"message"`
}

type moduleFound struct {
	File    string   `json:"file"`
	Missing string   `json:"missing"` // the first part that is not there
	Package bool     `json:"package"` // that cannot be run
	Names   []string `json:"names"`   // beside the missing one
}

// ask runs the interpreter once, with the program's environment and directory,
// and refuses what is no Python or too old a one.
func (j *job) ask(ctx context.Context, path, dir string, q question) (*python, error) {
	text, err := json.Marshal(q)
	if err != nil {
		return nil, err
	}
	limited, cancel := context.WithTimeout(ctx, probeLimit)
	defer cancel()
	stdout, stderr, err := process.Run(limited, process.Spec{
		Name: "python", Path: path, Args: []string{"-c", probeScript, string(text)}, Env: j.env, Dir: dir, Log: j.log,
	})
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	var py python
	at := bytes.LastIndex(stdout, []byte(probeMark))
	if at < 0 || json.Unmarshal(bytes.TrimSpace(stdout[at+len(probeMark):]), &py) != nil {
		return nil, j.noPython(path, stderr, err, limited.Err() != nil)
	}
	if slices.Compare(py.Version, oldest) < 0 {
		return nil, fault.New(fault.SessionStart, "%s is Python %s, which is too old for the debugger: it needs 3.8 or newer",
			prepare.Show(j.Request, path), formatVersion(py.Version)).WithField("runtime_path").
			WithHint("choose a newer interpreter with runtime_path, or make the virtual environment anew with one")
	}
	if py.Executable == "" {
		py.Executable = path
	}
	j.python = &py
	return &py, nil
}

// noPython says what came in place of an answer.
func (j *job) noPython(path string, stderr []byte, err error, late bool) error {
	shown := prepare.Show(j.Request, path)
	why := "it did not answer like one"
	var failed *process.ExitError
	switch {
	case late:
		why = "it gave no answer within " + probeLimit.String()
	case lastLine(string(stderr)) != "":
		why = lastLine(string(stderr))
	case errors.As(err, &failed):
		why = failed.Status.String()
	case err != nil:
		why = err.Error()
	}
	if f := fault.New(fault.SessionStart, "%s cannot be started: %s", shown, why); f.TrueCause() != f {
		return f
	}
	return fault.New(fault.SessionStart, "%s is no working Python interpreter: %s", shown, why).WithField("runtime_path").
		WithHint("try `%s -V`; choose another interpreter with runtime_path", path)
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}

// syntaxFault words a syntax error like a compiler's message.
func (j *job) syntaxFault(e *syntaxError) error {
	said := e.Message
	if _, mine := source.Below(e.File, j.Workspace); mine { // what lies elsewhere may be none of the agent's
		said += ": " + e.Text
	}
	f := fault.New(fault.BuildFailed, "%s:%d: %s", prepare.Show(j.Request, e.File), e.Line, said)
	if e.Line == 0 {
		f = fault.New(fault.BuildFailed, "%s cannot be run: %s", prepare.Show(j.Request, e.File), e.Message)
	}
	where := prepare.CompileError{File: strings.TrimPrefix(prepare.Show(j.Request, e.File), "./"), Line: e.Line, Column: e.Column, Message: e.Message}
	return f.WithHint("mend the file and start again").WithDetails(prepare.BuildDetails{Errors: []prepare.CompileError{where}})
}
