package debugpy

import (
	"context"
	"path/filepath"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
)

// aloneStart is how a program is started without debugpy.
type aloneStart struct {
	arguments
	job  *job
	plan *adapters.Plan // which is closed
}

// planAlone plans such a start. An attached one is refused in the words that are given; nil:
// it does not come here.
func (a *adapter) planAlone(ctx context.Context, r adapters.Request, attached *fault.Error, progress func(string)) (s aloneStart, err error) {
	if s.job, err = understand(r, a.Log); err != nil {
		return s, err
	}
	if attached != nil && (s.job.Mode == adapters.Attach || s.job.Mode == adapters.RemoteAttach) {
		return s, attached
	}
	if progress == nil {
		progress = func(string) {}
	}
	if s.plan, err = a.planStart(ctx, s.job, progress); err != nil {
		return s, err
	}
	s.plan.Close()
	s.arguments, _ = s.plan.Arguments.(arguments)
	return s, nil
}

// command are the arguments of the interpreter with which it runs the program by itself.
func (args arguments) command() []string {
	command := args.Python[1:len(args.Python):len(args.Python)]
	if args.Module != "" {
		command = append(command, "-m", args.Module)
	} else {
		command = append(command, args.Program)
	}
	return append(command, args.Args...)
}

// commandBy are those with which run.py of a package of ours runs the program, which is told
// the directory that the package lies in.
func (args arguments) commandBy(dir, name string) []string {
	kind, program := "script", args.Program
	if args.Module != "" {
		kind, program = "module", args.Module
	}
	command := append(args.Python[1:len(args.Python):len(args.Python)], filepath.Join(dir, name, "run.py"), dir, kind, program)
	return append(command, args.Args...)
}
