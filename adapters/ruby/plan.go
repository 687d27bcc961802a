package ruby

import (
	"context"
	"path/filepath"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
)

// Plan understands the request, asks the interpreter whether it could run the program, and
// answers how to start.
func (a *adapter) Plan(ctx context.Context, r adapters.Request, progress func(string)) (*adapters.Plan, error) {
	j, err := understand(r, a.Log)
	if err != nil {
		return nil, err
	}
	if progress == nil {
		progress = func(string) {}
	}
	if j.Mode == adapters.RemoteAttach {
		return j.planAttach()
	}
	s, err := j.start(ctx, progress)
	if err != nil {
		return nil, err
	}
	return a.plan(j, s)
}

// start is what the mode runs.
func (j *job) start(ctx context.Context, progress func(string)) (start, error) {
	progress("looking at the interpreter")
	if j.Mode == adapters.Test {
		return j.startTest(ctx)
	}
	return j.startScript(ctx)
}

// start is what is to be run.
type start struct {
	target string   // for people
	dir    string   // where it runs
	beside string   // the directory of its first file
	main   string   // the file that it begins with
	words  []string // what the interpreter is given
	ruby   *interpreter
}

// startScript is of a file.
func (j *job) startScript(ctx context.Context) (start, error) {
	if err := j.needTarget(); err != nil {
		return start{}, err
	}
	dir, err := prepare.Workdir(j.Request, filepath.Dir(j.target))
	if err != nil {
		return start{}, err
	}
	ruby, err := j.askInterpreter(ctx, dir, j.target)
	if err != nil {
		return start{}, err
	}
	words := append([]string{j.target}, j.Args...)
	switch {
	case isRakefile(j.target):
		words = append([]string{"-e", `require "rake"; Rake.application.run`, "--", "-f", j.target}, j.Args...)
	case isRackup(j.target):
		words = append([]string{"-S", "rackup", j.target}, j.Args...)
	}
	return start{
		target: prepare.Show(j.Request, j.target), dir: dir, beside: filepath.Dir(j.target), main: j.target, words: words, ruby: ruby,
	}, nil
}

func (j *job) needTarget() error {
	switch {
	case j.target == "":
		return j.suggest(fault.New(fault.MissingParam, "target is missing: which program is to be debugged?").WithField("target"), j.Workspace)
	case !prepare.Exists(j.target):
		f := prepare.Missing(j.Request, j.target)
		if f.Hint != "" {
			return f
		}
		return j.suggest(f, j.Workspace)
	case prepare.IsDir(j.target):
		return j.suggest(fault.New(fault.InvalidTarget, "%s is a directory", prepare.Show(j.Request, j.target)).WithField("target"), j.target)
	}
	return nil
}

// suggest names the files that there are.
func (j *job) suggest(f *fault.Error, dir string) error {
	files := scripts(dir)
	if len(files) == 0 {
		return f.WithHint(`give a Ruby file, for example {"target":"app.rb"}`)
	}
	return f.WithHint("give one of its files: %s", strings.Join(files[:min(len(files), 8)], ", ")).
		WithDetails(prepare.Candidates{Candidates: files[:min(len(files), 20)]})
}

// plan starts the program, which serves DAP itself.
func (a *adapter) plan(j *job, s start) (*adapters.Plan, error) {
	scratch, err := a.Root.Sockets("rb-")
	if err != nil {
		return nil, err
	}
	j.scratch = scratch
	d := newDialect()
	return &adapters.Plan{
		Mode:      j.Mode,
		Target:    s.target,
		Dir:       s.dir,
		Modules:   prepare.Roots(j.Request, s.beside),
		Open:      a.open(j, s),
		Request:   "launch",
		Arguments: struct{}{},
		Warnings:  s.ruby.warnings,
		Dialect:   d, Capabilities: d.Capabilities(),
		Close: func() {},
	}, nil
}
