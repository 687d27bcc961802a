package debugpy

import (
	"encoding/json"

	"aidb-mcp/adapters"
)

// arguments are those of launch and attach. What is not said is left out:
// debugpy takes null for a value.
type arguments struct {
	Program string            `json:"program,omitempty"`
	Module  string            `json:"module,omitempty"`
	Args    []string          `json:"args,omitempty"`
	Python  []string          `json:"python,omitempty"`
	Cwd     string            `json:"cwd,omitempty"`
	Env     map[string]string `json:"env,omitempty"`
	Console string            `json:"console,omitempty"`

	ProcessID    int           `json:"processId,omitempty"`
	PathMappings []pathMapping `json:"pathMappings,omitempty"`

	JustMyCode      bool            `json:"justMyCode"`
	StopOnEntry     bool            `json:"stopOnEntry,omitempty"`
	ShowReturnValue bool            `json:"showReturnValue"`
	SubProcess      bool            `json:"subProcess"`
	RedirectOutput  bool            `json:"redirectOutput,omitempty"`
	Presentation    json.RawMessage `json:"variablePresentation,omitempty"`
	BreakOnExit     json.RawMessage `json:"breakOnSystemExit,omitempty"`

	Django          bool            `json:"django,omitempty"`
	Jinja           bool            `json:"jinja,omitempty"`
	Flask           bool            `json:"flask,omitempty"`
	Pyramid         bool            `json:"pyramid,omitempty"`
	Gevent          bool            `json:"gevent,omitempty"`
	Qt              string          `json:"qt,omitempty"`
	GuiEventLoop    string          `json:"guiEventLoop,omitempty"`
	Rules           json.RawMessage `json:"rules,omitempty"`
	AutoReload      json.RawMessage `json:"autoReload,omitempty"`
	DebugpyArgs     []string        `json:"debugpyArgs,omitempty"`
	Stepping        *bool           `json:"steppingResumesAllThreads,omitempty"`
	OnTerminate     string          `json:"onTerminate,omitempty"`
	ResolveSymlinks *bool           `json:"resolveSymlinks,omitempty"`
	MaxFrames       *int            `json:"maxExceptionStackFrames,omitempty"`
}

type pathMapping struct {
	Local  string `json:"localRoot"`
	Remote string `json:"remoteRoot"`
}

var (
	// hidden keeps the groups of special, function and class variables out of
	// each value; names with an underscore stay among the others.
	hidden = json.RawMessage(`{"special":"hide","function":"hide","class":"hide","protected":"inline"}`)
	// noExit: a program that ends by sys.exit is not one that fails.
	noExit = json.RawMessage(`[]`)
)

// commonArguments is what launch and attach share.
func (j *job) commonArguments() arguments {
	o := j.options
	a := arguments{
		JustMyCode:      j.JustMyCode == nil || *j.JustMyCode,
		StopOnEntry:     j.StopOnEntry,
		ShowReturnValue: o.ShowReturnValue == nil || *o.ShowReturnValue,
		SubProcess:      o.SubProcess == nil || *o.SubProcess,
		Presentation:    hidden,
		BreakOnExit:     noExit,
		Django:          o.Django, Jinja: o.Jinja, Flask: o.Flask, Pyramid: o.Pyramid, Gevent: o.Gevent,
		Qt: o.Qt, GuiEventLoop: o.GuiEventLoop, Rules: o.Rules, AutoReload: o.AutoReload,
		DebugpyArgs: o.DebugpyArgs, Stepping: o.StopAllThreads, OnTerminate: o.OnTerminate,
		ResolveSymlinks: o.ResolveSymlinks, MaxFrames: o.MaxFrames,
		PathMappings: mappings(j.PathMappings),
	}
	if o.Presentation != nil {
		a.Presentation = o.Presentation
	}
	if o.BreakOnExit != nil {
		a.BreakOnExit = o.BreakOnExit
	}
	return a
}

func mappings(list []adapters.PathMapping) []pathMapping {
	out := make([]pathMapping, len(list))
	for i, m := range list {
		out[i] = pathMapping{m.Local, m.Remote}
	}
	return out
}
