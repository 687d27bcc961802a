package session

import (
	"encoding/json"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/policy"
	"aidb-mcp/internal/system/process"
	"aidb-mcp/internal/text/jsonwords"
	"aidb-mcp/internal/text/pattern"
	"aidb-mcp/session/breakpoints"
)

// checkStart says why a start is against the policy. It comes before anything is
// looked at or run.
func (m *Manager) checkStart(p adapters.Request) error {
	if err := m.checkMode(p); err != nil {
		return err
	}
	if !m.policy.Confined() {
		return nil
	}
	for _, x := range pathsOf(p) {
		cwd := p.Cwd
		if x.param == "cwd" || x.param == "workspace_root" {
			cwd = ""
		}
		if err := m.policy.Located(x.param, x.path, p.Workspace, cwd); err != nil {
			return err
		}
	}
	if err := m.policy.Tool("runtime_path", p.RuntimePath, p.Workspace); err != nil {
		return err
	}
	for _, text := range p.BuildArgs {
		if err := m.policy.Text("build_args", text, p.Workspace); err != nil {
			return err
		}
	}
	for _, text := range jsonwords.Texts(p.Options) {
		if err := m.policy.Text("adapter_options", text, p.Workspace); err != nil {
			return err
		}
	}
	return m.checkProcess(p)
}

// checkMode is about starting and attaching. What is given beside to be run
// counts as a start: debuggers run commands for options, and interpreters.
func (m *Manager) checkMode(p adapters.Request) error {
	attaches := p.Mode == adapters.Attach || p.Mode == adapters.RemoteAttach || p.Mode == "" && p.Attaches()
	if attaches {
		param := "mode"
		if p.Mode == "" && p.PID != 0 {
			param = "pid"
		}
		if err := m.policy.Attach(param); err != nil {
			return err
		}
	}
	if !attaches && p.Mode != adapters.Core && (p.Mode != "" || p.CoreFile == "") {
		return m.policy.Start()
	}
	for _, x := range []struct {
		param string
		given bool
	}{
		{"runtime_path", p.RuntimePath != ""}, {"adapter_options", !isPlain(p.Options)}, {"build_args", len(p.BuildArgs) > 0},
		{"env", len(p.Env) > 0}, {"env_file", p.EnvFile != ""},
	} {
		if !x.given {
			continue
		}
		refused := "choosing by " + x.param + " what runs"
		if x.param == "adapter_options" {
			refused = "what adapter_options name (a command, a path, or an address that is asked)"
		}
		if err := m.policy.Change(refused, x.param); err != nil {
			return err
		}
	}
	return nil
}

// namedPath is a path and the parameter that has it.
type namedPath struct{ param, path string }

// pathsOf are the paths that a request names.
func pathsOf(p adapters.Request) []namedPath {
	list := []namedPath{
		{"workspace_root", p.Workspace}, {"cwd", p.Cwd}, {"target", p.Target}, {"env_file", p.EnvFile}, {"core_file", p.CoreFile},
	}
	test, _, _ := strings.Cut(p.Test, "::") // some name the file, then the test
	list = append(list, namedPath{"test", test})
	if strings.ContainsAny(p.Module, `/\`) {
		list = append(list, namedPath{"module", p.Module})
	}
	for _, dir := range p.SourcePaths {
		list = append(list, namedPath{"source_paths", dir})
	}
	for _, x := range p.PathMappings {
		list = append(list, namedPath{"path_mappings", x.Local})
	}
	return list
}

// word is a text that names one of several things, such as a debugger.
var word = pattern.New(`^[A-Za-z0-9][A-Za-z0-9_-]*$`)

// isPlain says whether options are only words, numbers and switches: no commands, no
// paths.
func isPlain(options json.RawMessage) bool {
	if len(options) == 0 {
		return true
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(options, &members) != nil {
		return false
	}
	for _, raw := range members {
		switch raw[0] {
		case '[', '{':
			return false
		case '"':
			var text string
			if json.Unmarshal(raw, &text) != nil || !word.MatchString(text) {
				return false
			}
		}
	}
	return true
}

// checkProcess is about the program that a request attaches to, as far as this
// machine tells which it is.
func (m *Manager) checkProcess(p adapters.Request) error {
	if !p.Attaches() {
		return nil
	}
	param, d := "pid", adapters.FindDebuggee(p)
	if p.PID == 0 {
		param = "port"
	}
	if d.PID == 0 || process.Gone(d.PID) {
		return nil // on another machine, or the adapter says it best
	}
	dir, args := process.WorkOf(d.PID)
	return m.policy.Process(param, d.PID, policy.Process{Program: d.Program, Dir: dir, Args: args})
}

// checkPlan holds against the policy what an adapter has made of a request: a target
// that it has found by name may lie elsewhere.
func (m *Manager) checkPlan(plan *adapters.Plan) error {
	switch plan.Mode {
	case adapters.Attach, adapters.RemoteAttach:
		return m.policy.Attach("mode")
	case adapters.Core:
		return nil
	}
	if err := m.policy.Start(); err != nil || plan.Dir == "" {
		return err
	}
	return m.policy.Path("target", plan.Dir)
}

// checkSpec is checkEvaluate for all that a breakpoint evaluates.
func (pts *points) checkSpec(spec BreakpointSpec) error {
	if err := pts.session.checkEvaluate("condition", spec.Condition); err != nil {
		return err
	}
	if err := pts.session.checkEvaluate("show", spec.Show...); err != nil {
		return err
	}
	for _, part := range breakpoints.MessageParts(spec.LogMessage) {
		if err := pts.session.checkEvaluate("log_message", part.Expression.Text); err != nil {
			return err
		}
	}
	return nil
}
