package debugpy

import (
	"encoding/json"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/observe/attach"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
)

// job is a request understood.
type job struct {
	adapters.Request
	log     *slog.Logger
	target  string // Target as a path, absolute; empty without one
	env     []string
	set     map[string]string // what the request adds to the environment
	options options
	python  *python // what the interpreter has answered, when it was asked
	scratch string  // the directory of the adapter's socket; empty where the adapter is not ours

	elsewhere *elsewhere // where a running program is that does not see our files; nil: it does
}

// options are what adapter_options may say, by debugpy's own names.
type options struct {
	PythonArgs      []string        `json:"pythonArgs"`
	SubProcess      *bool           `json:"subProcess"`
	Django          bool            `json:"django"`
	Jinja           bool            `json:"jinja"`
	Flask           bool            `json:"flask"`
	Pyramid         bool            `json:"pyramid"`
	Gevent          bool            `json:"gevent"`
	ShowReturnValue *bool           `json:"showReturnValue"`
	Rules           json.RawMessage `json:"rules"`
	AutoReload      json.RawMessage `json:"autoReload"`
	Qt              string          `json:"qt"`
	GuiEventLoop    string          `json:"guiEventLoop"`
	DebugpyArgs     []string        `json:"debugpyArgs"`
	StopAllThreads  *bool           `json:"steppingResumesAllThreads"`
	OnTerminate     string          `json:"onTerminate"`
	BreakOnExit     json.RawMessage `json:"breakOnSystemExit"`
	ResolveSymlinks *bool           `json:"resolveSymlinks"`
	Presentation    json.RawMessage `json:"variablePresentation"`
	MaxFrames       *int            `json:"maxExceptionStackFrames"`
	Observe         bool            `json:"observe"`
}

const optionsExample = `{"subProcess":false,"django":true,"pythonArgs":["-X","dev"]}`

// understand reads what all modes have in common and settles the mode.
func understand(r adapters.Request, log *slog.Logger) (*job, error) {
	j := &job{Request: r, log: log}
	if file, test, isID := strings.Cut(j.Target, "::"); isID { // a test id as target
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
		return nil, err
	}
	if len(r.BuildArgs) > 0 {
		return nil, fault.New(fault.InvalidParam, "Python programs are not built, so they have no build_args").WithField("build_args").
			WithHint(`flags of the interpreter go into adapter_options, for example {"pythonArgs":["-O"]}`)
	}
	var err error
	if j.set, err = prepare.Variables(r); err != nil {
		return nil, err
	}
	if j.env, err = prepare.Environment(r); err != nil {
		return nil, err
	}
	if err := prepare.Options(r.Options, &j.options, "debugpy", optionsExample); err != nil {
		return j, err
	}
	return j, attach.CheckMode(r, j.Mode)
}

// testModules are the frameworks that tests can be run by.
var testModules = []string{"pytest", "unittest"}

// infer finds the mode from what was given, the plainest sign first.
func (j *job) infer() adapters.Mode {
	name := filepath.Base(j.target)
	switch {
	case j.PID != 0:
		return adapters.Attach
	case j.Host != "" || j.Port != 0:
		return adapters.RemoteAttach
	case j.Test != "":
		return adapters.Test
	case j.Module == "" && isTestFile(name), j.Target != "" && slices.Contains(testModules, j.Module), j.Module == "" && j.isTestFolder():
		return adapters.Test
	}
	return adapters.Launch
}

// isTestFolder says that the target is a directory that holds tests and no program.
func (j *job) isTestFolder() bool {
	if j.target == "" || !prepare.IsDir(j.target) || prepare.Exists(filepath.Join(j.target, "__main__.py")) {
		return false
	}
	named := namings{prepare.Physical(j.Workspace), map[string]naming{}}.inDir(j.target)
	return slices.ContainsFunc(prepare.Names(j.target), func(name string) bool {
		return isTestFile(name) || named.isTestFile(filepath.Join(j.target, name))
	})
}

// isTestFile says that a file is one of tests by its name.
func isTestFile(name string) bool {
	return strings.HasPrefix(name, "test_") && strings.HasSuffix(name, ".py") || strings.HasSuffix(name, "_test.py")
}
