package tools

import (
	"encoding/json"

	"aidb-mcp/internal/project/source"
)

// BreakpointParams are one entry of session_start's breakpoints.
type BreakpointParams struct {
	File         string       `json:"file"`
	Line         int          `json:"line" min:"1"`
	Column       int          `json:"column" min:"1"`
	Function     string       `json:"function"`
	Statement    string       `json:"statement" doc:"text of the line"`
	Condition    Expression   `json:"condition"`
	HitCondition string       `json:"hit_condition"`
	LogMessage   string       `json:"log_message"`
	Show         []Expression `json:"show"`
}

// UnmarshalText reads a breakpoint that is given as its location alone.
func (b *BreakpointParams) UnmarshalText(text []byte) error {
	at, err := source.ParseLocation(string(text))
	if err != nil {
		return err
	}
	*b = BreakpointParams{File: at.File, Line: at.Line, Column: at.Column, Function: at.Function}
	return nil
}

// UntilFirst is the moment that a session is to stand at: the first at which a condition
// holds after a statement of the scope.
type UntilFirst struct {
	Condition Expression `json:"condition" required:"true"`
	Scope     []string   `json:"scope,omitempty"`
}

// SessionStartParams are the arguments of session_start.
type SessionStartParams struct {
	Target           string             `json:"target" doc:"source file, package or project directory, binary"`
	Language         string             `json:"language" doc:"default by target: go, python, javascript, typescript, c, cpp, rust, java"`
	Mode             string             `json:"mode" enum:"launch,test,exec,core,attach,remote_attach" doc:"default: inferred"`
	Module           string             `json:"module" doc:"instead of target: import path, npm script, python -m"`
	Args             []string           `json:"args"`
	Env              map[string]string  `json:"env"`
	EnvFile          string             `json:"env_file"`
	Cwd              string             `json:"cwd"`
	Stdin            *string            `json:"stdin" doc:"all of it"`
	StdinOpen        bool               `json:"stdin_open" doc:"more by session(input)"`
	RuntimePath      string             `json:"runtime_path" doc:"interpreter or toolchain: python, node, java, go"`
	BuildArgs        []string           `json:"build_args" doc:"e.g. [\"-tags=integration\"]"`
	Test             string             `json:"test" doc:"e.g. TestParse/empty, tests/test_x.py::test_y, CalcTest#adds"`
	PID              int                `json:"pid" min:"1"`
	Host             string             `json:"host"`
	Port             int                `json:"port" min:"1" max:"65535" list:"bare"`
	CoreFile         string             `json:"core_file"`
	PathMappings     []PathMapping      `json:"path_mappings" list:"flat" doc:"[{local, remote}]"`
	SourcePaths      []string           `json:"source_paths"`
	Breakpoints      []BreakpointParams `json:"breakpoints" list:"flat" doc:"[{file, line or statement (its text) or function, condition, hit_condition, log_message, show}]"`
	UntilFirst       *UntilFirst        `json:"until_first" list:"flat" doc:"{condition, scope} of trace(first)"`
	Show             []Expression       `json:"show" doc:"expressions to evaluate at every stop; @1 x is x in the caller"`
	Exceptions       []string           `json:"exceptions" doc:"uncaught (default), all, none or filter names"`
	StopOnEntry      bool               `json:"stop_on_entry"`
	JustMyCode       *bool              `json:"just_my_code"`
	LaunchConfigName string             `json:"launch_config_name"`
	WorkspaceRoot    string             `json:"workspace_root"`
	AdapterOptions   json.RawMessage    `json:"adapter_options"`
	SubscribeEvents  []string           `json:"subscribe_events" enum:"output,breakpoint,exception,terminated" list:"no"`
	SessionID        string             `json:"session_id" doc:"name for the new session"`
	NoSession
	Wait
	Reply
}

// SessionStart is the definition of session_start.
func SessionStart() Typed[*SessionStartParams] {
	d := define[SessionStartParams]("session_start", "Start debugging",
		"Debugger, step by step: builds the program or test, sets the breakpoints, runs it (or attaches), and answers at the first stop or the end with "+
			"location, code, locals, stack and output. A panic, crash or uncaught exception stops it by itself. Example: "+
			"{\"target\":\"./pkg/calc\",\"test\":\"TestAdd\",\"breakpoints\":[{\"file\":\"calc.go\",\"statement\":\"return a - b\"}]}",
		Annotations{OpenWorld: true})
	d.First = true
	return d
}
