package ruby

import (
	"log/slog"
	"path/filepath"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/adapters/ruby/rubysrc"
	"aidb-mcp/internal/fault"
)

// job is a request understood.
type job struct {
	adapters.Request
	log     *slog.Logger
	target  string // Target as a path, absolute; empty without one
	env     []string
	options options
	flags   []string // of the interpreter, by which the project's own code is found
	scratch string   // the session's private directory
}

// options are what adapter_options may say.
type options struct {
	RubyArgs   []string `json:"rubyArgs"`
	UseBundler *bool    `json:"useBundler"`
	Socket     string   `json:"socket"` // at which rdbg listens, in place of a port
}

const optionsExample = `{"rubyArgs":["-w"],"useBundler":false}`

// understand reads what all modes have in common and settles the mode.
func understand(r adapters.Request, log *slog.Logger) (*job, error) {
	j := &job{Request: r, log: log}
	if file, test, isID := strings.Cut(j.Target, "::"); isID && isSource(filepath.Base(file)) { // a test id as target
		j.Target = file
		if j.Test == "" {
			j.Test = test
		}
	}
	if j.Target != "" {
		j.target = prepare.Physical(prepare.Locate(r, j.Target))
	}
	if j.Mode == "" {
		j.Mode = j.infer()
	}
	if err := prepare.CheckMode((*adapter)(nil).Info(), j.Mode); err != nil {
		return nil, err.WithHint("%s; a process is attached to by the port at which its rdbg listens", err.Hint)
	}
	if len(r.BuildArgs) > 0 {
		return nil, fault.New(fault.InvalidParam, "Ruby programs are not built, so they have no build_args").WithField("build_args").
			WithHint(`flags of the interpreter go into adapter_options, for example {"rubyArgs":["-w"]}`)
	}
	var err error
	if j.env, err = prepare.Environment(r); err != nil {
		return nil, err
	}
	return j, prepare.Options(r.Options, &j.options, "rdbg", optionsExample)
}

// infer finds the mode from what was given.
func (j *job) infer() adapters.Mode {
	if j.Attaches() {
		return adapters.RemoteAttach
	}
	if j.Test != "" || runners[j.Module] != nil || rubysrc.IsTestFile(filepath.Base(j.target)) || j.target != "" && prepare.IsDir(j.target) {
		return adapters.Test
	}
	return adapters.Launch
}

// scripts are the Ruby files of a directory.
func scripts(dir string) []string {
	var files []string
	for _, name := range prepare.Names(dir) {
		if filepath.Ext(name) == ".rb" {
			files = append(files, name)
		}
	}
	return files
}
