package delve

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/delve/wire"
	"aidb-mcp/adapters/prepare"
)

// job is a request understood: which mode it is, and what there is to check for every mode.
type job struct {
	adapters.Request
	target  string // Target or Module as a path, absolute; empty without one
	env     []string
	tags    []string
	options wire.Options
	beside  <-chan struct{} // closed when it may be built, while the program runs in the debugger; nil: at once
}

// understand reads what all modes have in common and settles the mode.
func understand(r adapters.Request) (job, error) {
	j := job{Request: r}
	if r.Target != "" {
		j.target = prepare.Physical(prepare.Locate(r, r.Target))
	}
	if j.Mode == "" {
		j.Mode = j.infer()
	}
	if err := prepare.CheckMode((*adapter)(nil).Info(), j.Mode); err != nil {
		return j, err
	}
	var err error
	if j.env, err = prepare.Environment(r); err != nil {
		return j, err
	}
	if j.options, err = readOptions(r.Options); err != nil {
		return j, err
	}
	for _, m := range r.PathMappings {
		j.options.SubstitutePath = append(j.options.SubstitutePath, wire.Path{From: prepare.Physical(prepare.Locate(r, m.Local)), To: m.Remote})
	}
	j.BuildArgs = splitFlags(r.BuildArgs)
	j.tags = tagsOf(j.BuildArgs, prepare.Lookup(j.env, "GOFLAGS"))
	return j, nil
}

// infer finds the mode from what was given, the plainest sign first.
func (j job) infer() adapters.Mode {
	switch {
	case j.PID != 0:
		return adapters.Attach
	case j.Host != "" || j.Port != 0:
		return adapters.RemoteAttach
	case j.CoreFile != "":
		return adapters.Core
	case j.Test != "" || strings.HasSuffix(j.target, "_test.go") || hasOnlyTests(j.target):
		return adapters.Test
	case j.target != "" && isGoBinary(j.target):
		return adapters.Exec
	}
	return adapters.Launch
}

// hasOnlyTests says that a directory has Go files, and that they are all of tests.
func hasOnlyTests(dir string) bool {
	entries, err := os.ReadDir(dir)
	if dir == "" || err != nil {
		return false
	}
	tests := false
	for _, e := range entries {
		if e.IsDir() || filepath.Ext(e.Name()) != ".go" {
			continue
		}
		if tests = strings.HasSuffix(e.Name(), "_test.go"); !tests {
			return false
		}
	}
	return tests
}

// workdir is where the program runs.
func (j job) workdir(beside string) (string, error) { return prepare.Workdir(j.Request, beside) }

// noSuchTarget tells what is like the missing target: files beside it, main packages.
func (j job) noSuchTarget() error {
	f := prepare.Missing(j.Request, j.target)
	if f.Hint != "" {
		return f
	}
	return j.suggestPrograms(f)
}

func describe(j job, name string) string {
	if j.Test != "" {
		return fmt.Sprintf("%s in %s", j.Test, name)
	}
	return name
}
