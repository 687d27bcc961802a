// Package debuggee is how a language describes the programs that the benchmark measures
// it with, and how they are built and started. It measures nothing, and knows no language.
package debuggee

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"aidb-mcp/adapters/install"
)

// Set is all that the benchmark measures of a language.
type Set struct {
	Sessions []Session
	Rates    []Rate
	Wides    []Wide
	Paces    []Pace
	Holdings []Holding
	Armed    []Armed
}

// Object is the arguments of a call or a request.
type Object map[string]any

// What the server may take of the bare client's time for a step with its whole stop
// view; and for one where asking for everything at once wins time back.
const (
	StepRatio   = 1.3
	GainedRatio = 1.0
)

// Session is a program to debug, and how both the server and a bare client start it with
// the same adapter. The program is ready to run before either is timed.
type Session struct {
	Name  string  // "Python (debugpy)"
	Files fs.FS   // the programs of the language
	File  string  // the one that is debugged
	First string  // text of the line that holds the breakpoint
	Args  Object  // of session_start, beside the breakpoint
	Ratio float64 // of a step to the bare client's
	Reply float64 // bytes of a plain step's, about; 0: no target
	// Build makes what runs of the sources; nil when there is nothing to build.
	Build func(ctx context.Context, p *Program) error
	// Adapter is how a bare client starts the adapter; an error says why it is not there.
	Adapter func(p *Program) (Command, error)
	// Launch are the arguments of the launch request: those that the server
	// sends, but that the program's output comes over the protocol where it can.
	Launch func(p *Program) Object
	Ways   []Way // that are measured by themselves too

	// Embedded: the adapter is part of the server, of which more is measured then; nil: it is not.
	Embedded *Embedded
}

// Embedded is what the rows of an adapter that is part of the server say.
type Embedded struct {
	Language, Debugger string
	Build              string // what builds the program: "go build"
	Expression, Value  string // at the breakpoint
}

// Command starts an adapter.
type Command struct {
	ID   string // adapterID
	Path string
	Args []string
	Env  []string // beside ours
	// Announces is what the adapter prints on stdout before the address that it
	// listens at; empty: it speaks on its standard streams.
	Announces string
}

// Way is one in which a program comes to be debugged, where a language has more
// than one that differ in what stands between the program and the debugger.
type Way struct {
	Name string
	File string // in which the breakpoint is
	// Begin gets ready what a session is started with; end undoes it.
	Begin func(ctx context.Context, p *Program) (args Object, end func(), err error)
}

// Program is one that is ready to be debugged, in a directory of its own.
type Program struct {
	Dir    string
	File   string // absolute
	Line   int    // of the breakpoint
	Binary string // what runs, where it is not the file
	Self   string // the binary of aidb-mcp

	files fs.FS
}

// Ready lays out the program in a directory of its own, until Remove. Nothing is left
// where that fails.
func (s Session) Ready(ctx context.Context, self string) (*Program, error) {
	dir, err := Directory()
	if err != nil {
		return nil, err
	}
	p := &Program{Dir: dir, Self: self, files: s.Files}
	if p.File, p.Line, err = p.Put(s.File, s.First); err == nil && s.Build != nil {
		err = s.Build(ctx, p)
	}
	if err != nil {
		p.Remove()
		return nil, err
	}
	return p, nil
}

// Remove removes the program's directory.
func (p *Program) Remove() { _ = os.RemoveAll(p.Dir) }

// Directory makes one for a program, which the caller removes; its path has no links.
func Directory() (string, error) {
	dir, err := os.MkdirTemp("", "aidb-bench-")
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(dir)
}

// Put writes a file of the language into the program's directory and finds the line
// in which a text is first.
func (p *Program) Put(name, first string) (path string, line int, err error) {
	text, err := fs.ReadFile(p.files, "_program/"+name)
	if err != nil {
		return "", 0, err
	}
	before, _, found := strings.Cut(string(text), first)
	if !found {
		return "", 0, errors.New("no line of " + name + " says " + first)
	}
	path = filepath.Join(p.Dir, name)
	return path, 1 + strings.Count(before, "\n"), os.WriteFile(path, text, 0o600)
}

// Target is what the server is asked to debug.
func (p *Program) Target() string {
	if p.Binary != "" {
		return p.Binary
	}
	return p.File
}

// StartArgs are the arguments of session_start up to the breakpoint.
func (s Session) StartArgs(p *Program) Object {
	args := Object{
		"target": p.Target(), "cwd": p.Dir, "timeout_ms": 60_000,
		"breakpoints": []Object{{"file": p.File, "line": p.Line}},
	}
	maps.Copy(args, s.Args)
	return args
}

// Compile makes a binary of one file.
func Compile(compiler string, flags ...string) func(context.Context, *Program) error {
	return func(ctx context.Context, p *Program) error {
		p.Binary = filepath.Join(p.Dir, "program")
		cmd := exec.CommandContext(ctx, compiler, append(flags, "-o", p.Binary, p.File)...)
		return Quietly(cmd, p.Dir)
	}
}

// Component is the folder of an installed adapter in which a file must be.
func Component(name string, file ...string) (string, error) {
	dir := install.Store{Home: install.Home()}.Dir(name)
	if _, err := os.Stat(filepath.Join(append([]string{dir}, file...)...)); err != nil {
		return "", fmt.Errorf("%s is not installed (aidb-mcp adapters install --all)", name)
	}
	return dir, nil
}

// Quietly runs a command, whose output is in the error if it fails.
func Quietly(cmd *exec.Cmd, dir string) error {
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", cmd.Path, err, out)
	}
	return nil
}
