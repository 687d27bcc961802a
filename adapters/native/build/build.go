// Package build turns source of C, C++ and Rust into a program with debug
// information and says how it is run: a single file, a target of a Makefile,
// of CMake or of Cargo, or one test of a test binary.
//
// It knows compilers and build tools; no debugger, no session, no MCP.
package build

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/native/project/cpp"
	"aidb-mcp/adapters/native/project/rust"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/project/workspace"
	"aidb-mcp/internal/system/process"
)

// Language says whose program it is.
type Language string

// The languages that are built here; CPP is C too.
const (
	CPP  Language = "cpp"
	Rust Language = "rust"
)

// Product is a program that is ready to be debugged.
type Product struct {
	Program  string            // absolute path of the binary
	Args     []string          // all of the program's: the test framework's own first, then the user's
	Dir      string            // working directory, absolute
	Env      map[string]string // to be set for the program, below what the user sets
	Modules  []string          // roots of the user's code, absolute
	Scratch  string            // directory to remove at the end of the session; empty: none
	Entry    string            // function to break on in place of a stop on entry
	Target   string            // for people: "./calc.cpp", "test Foo.Bar in ./build/tests"
	Warnings []string
	Tests    bool // it is Rust's own test harness
}

// Options configure builds; the zero value is usable.
type Options struct {
	Log     *slog.Logger  // nil is slog's default
	Timeout time.Duration // of one build, 0 is 300 s
	Root    *process.Root // where the tools' temporary files lie; nil is one of the build's own
	Cache   string        // where programs and build trees of ours are kept; empty: the user's cache directory
	Within  string        // the only place where trees of the user's are built in; empty: anywhere
	// Sanitizer is built into what is built here, in a tree of its own. What does not take it is
	// built without: the program shows that.
	Sanitizer Sanitizer
	// Known are the languages whose files count as sources; nil: C, C++ and Rust.
	Known func() workspace.Languages
}

// Build makes the program of a request whose mode is Launch or Test. Errors are
// *fault.Error: BUILD_FAILED with the compiler's own text, file and line.
func Build(ctx context.Context, r adapters.Request, lang Language, o Options, progress func(string)) (Product, error) {
	o.Timeout = cmp.Or(o.Timeout, 300*time.Second)
	o.Log = cmp.Or(o.Log, slog.Default())
	if o.Known == nil {
		o.Known = func() workspace.Languages { return workspace.Languages{&cpp.Support, &rust.Support} }
	}
	if o.Root == nil {
		o.Root = process.NewRoot(o.Log)
		defer o.Root.Close()
	}
	if progress == nil {
		progress = func(string) {}
	}
	ctx, cancel := context.WithTimeoutCause(ctx, o.Timeout, errBuildTime)
	defer cancel()
	env, err := prepare.Environment(r)
	if err != nil {
		return Product{}, err
	}
	j := &job{Request: r, lang: lang, o: o, env: env, progress: progress}
	p, err := j.build(ctx)
	if err != nil {
		return Product{}, j.explain(ctx, err)
	}
	return p, nil
}

var errBuildTime = errors.New("the build took too long")

// job is one request, understood.
type job struct {
	adapters.Request
	lang     Language
	o        Options
	env      []string // of the tools and of the program
	progress func(string)
}

// explain makes a fault of what ended a build.
func (j *job) explain(ctx context.Context, err error) error {
	var f *fault.Error
	switch {
	case errors.Is(context.Cause(ctx), errBuildTime):
		return fault.New(fault.BuildFailed, "the build took longer than %s and was ended", j.o.Timeout).
			WithHint("build it yourself with debug information (-g -O0) and debug the binary with mode exec")
	case ctx.Err() != nil:
		f := fault.New(fault.Cancelled, "the build was cancelled")
		f.Err = context.Cause(ctx)
		return f
	case errors.As(err, &f):
		return err
	}
	return fault.New(fault.BuildFailed, "the build failed: %w", err)
}
