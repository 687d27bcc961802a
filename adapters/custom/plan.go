package custom

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
)

// missingCommand is the error for a command that is not there.
func (a *adapter) missingCommand(command string) *fault.Error {
	f := fault.New(fault.AdapterNotFound, "the command %q of %s was not found", command, a.Info().Name)
	if a.table.Install != "" {
		return f.WithHint("install it: %s", a.table.Install)
	}
	return f.WithHint("install it, or correct %s.command in the settings file", a.table.at)
}

// Plan fills in the table's templates.
func (a *adapter) Plan(_ context.Context, r adapters.Request, _ func(string)) (*adapters.Plan, error) {
	if a.broken != nil {
		return nil, a.broken
	}
	j := &job{adapter: a, Request: r}
	if err := j.understand(); err != nil {
		return nil, err
	}
	d := newDialect(a, j.StopOnEntry && j.startsProgram())
	plan := &adapters.Plan{
		Mode:    j.Mode,
		Target:  j.describe(),
		Dir:     j.dir,
		Modules: []string{j.sourceRoot()},
		Request: j.request,
		Open:    j.open,
		Detach:  j.request == "attach" && !j.startsProgram(),
		Dialect: d, Capabilities: d.Capabilities(),
		Close: sync.OnceFunc(j.removeScratch),
	}
	if err := j.addArguments(plan); err != nil {
		plan.Close()
		return nil, err
	}
	return plan, nil
}

// noInput says how the table could give the program standard input.
func (d *definition) noInput() string {
	if d.DebuggeeServes || d.Terminal {
		return ""
	}
	return "let the program read a file; if the adapter can have its client start the program (runInTerminal), " +
		`write "terminal": true into ` + d.at + " of the settings file, with the argument of launch that asks for it"
}

// addArguments decides on the socket and fills in the arguments, which may name it.
func (j *job) addArguments(plan *adapters.Plan) error {
	if err := j.listenAt(); err != nil {
		return err
	}
	arguments, err := j.values.arguments(j.template, j.Options)
	plan.Arguments = arguments
	return err
}

// job is one request on its way to a plan.
type job struct {
	*adapter
	adapters.Request
	program  string            // absolute, empty when there is none
	dir      string            // where the program runs
	env      map[string]string // what the program's environment has beside ours
	command  []string          // to run, unfilled; nil: there is only something to join
	request  string            // launch or attach
	template json.RawMessage   // of the request's arguments
	values   values
	port     int    // where the adapter listens, 0 when it chooses or uses none
	scratch  string // directory of the socket
}

// startsProgram says whether the program is started, not attached to.
func (j *job) startsProgram() bool { return j.Mode == adapters.Launch || j.Mode == adapters.Test }

func (j *job) understand() error {
	j.infer()
	if err := j.choose(); err != nil {
		return err
	}
	if err := j.locate(); err != nil {
		return err
	}
	if err := j.checkValues(); err != nil {
		return err
	}
	if j.command == nil {
		return nil
	}
	command := j.values.text(j.command[0])
	if _, err := exec.LookPath(command); err != nil {
		return j.missingCommand(command)
	}
	return nil
}

// infer fills in the mode.
func (j *job) infer() {
	switch {
	case j.Mode != "":
	case j.Test != "":
		j.Mode = adapters.Test
	case j.PID != 0:
		j.Mode = adapters.Attach
	case j.Port != 0 || j.Host != "":
		j.Mode = adapters.RemoteAttach
	default:
		j.Mode = adapters.Launch
	}
}

// choose takes from the table what the mode needs.
func (j *job) choose() error {
	modes := j.table.modes()
	if !slices.Contains(modes, j.Mode) {
		words := make([]string, len(modes))
		for i, m := range modes {
			words[i] = string(m)
		}
		return fault.New(fault.NotSupported, "%s has no mode %s", j.Info().Name, j.Mode).WithField("mode").
			WithHint("its table in the settings file gives it: %s", strings.Join(words, ", "))
	}
	j.command, j.request, j.template = j.table.Command, "launch", j.table.Launch
	switch {
	case j.Mode == adapters.Test:
		j.applyVariant(j.table.Test)
	case !j.startsProgram():
		j.request, j.template = "attach", j.table.Attach
		if j.Mode == adapters.RemoteAttach && !j.table.attachesByPort() {
			j.command = nil
		}
	}
	if j.StopOnEntry && j.startsProgram() && j.table.Entry != nil {
		j.applyVariant(j.table.Entry)
	}
	return nil
}

func (j *job) applyVariant(v *Variant) {
	if len(v.Command) > 0 {
		j.command = v.Command
	}
	if v.Request != "" {
		j.request = v.Request
	}
	if len(v.Arguments) > 0 {
		j.template = v.Arguments
	}
}

// locate finds the program and where it runs, and gathers the values.
func (j *job) locate() error {
	beside := j.Workspace
	if j.Target != "" {
		j.program = prepare.Locate(j.Request, j.Target)
		if !prepare.Exists(j.program) {
			return prepare.Missing(j.Request, j.program)
		}
		j.program = prepare.Physical(j.program)
		beside = filepath.Dir(j.program)
	}
	var err error
	if j.dir, err = prepare.Workdir(j.Request, beside); err != nil {
		return err
	}
	if j.env, err = prepare.Variables(j.Request); err != nil {
		return err
	}
	j.values = values{"args": j.Args, "env": j.env, "cwd": j.dir, "workspace": j.Workspace, "stop_on_entry": j.StopOnEntry}
	if j.Args == nil {
		j.values["args"] = []string{}
	}
	for name, text := range map[string]string{
		"program": j.program, "module": j.Module, "test": j.Test, "runtime": j.RuntimePath, "host": j.Host,
	} {
		if text != "" {
			j.values[name] = text
		}
	}
	for name, number := range map[string]int{"pid": j.PID, "port": j.Port} {
		if number != 0 {
			j.values[name] = number
		}
	}
	if j.JustMyCode != nil {
		j.values["just_my_code"] = *j.JustMyCode
	}
	return nil
}

// checkValues refuses what the chosen templates have no place for: nothing that
// was asked for is dropped in silence.
func (j *job) checkValues() error {
	said := strings.Join(j.command, " ") + string(j.template)
	if j.startsProgram() && j.Target == "" && mentions(said, "program") && (j.Module == "" || !mentions(said, "module")) {
		return fault.New(fault.MissingParam, "target is missing: which program is it?").WithField("target").
			WithHint(`for example {"language":%q,"target":%q}`, j.language, "main"+firstOf(j.table.Extensions))
	}
	if j.Mode == adapters.RemoteAttach && j.Port == 0 {
		return fault.New(fault.MissingParam, "port is missing: where does the program listen?").WithField("port").
			WithHint(`for example {"mode":"remote_attach","host":"127.0.0.1","port":12345}`)
	}
	if j.Mode == adapters.Attach && j.PID <= 0 {
		return fault.New(fault.MissingParam, "pid is missing: which process is to be debugged?").WithField("pid").
			WithHint(`for example {"mode":"attach","pid":1234}`)
	}
	for _, p := range []struct {
		field, name string
		asked       bool
	}{
		{"args", "args", len(j.Args) > 0 && j.startsProgram()},
		{"module", "module", j.Module != ""},
		{"test", "test", j.Test != ""},
		{"runtime_path", "runtime", j.RuntimePath != ""},
		{"stop_on_entry", "stop_on_entry", j.StopOnEntry && j.startsProgram() && j.table.Entry == nil},
		{"build_args", "", len(j.BuildArgs) > 0},
		{"core_file", "", j.CoreFile != ""},
		{"source_paths", "", len(j.SourcePaths) > 0},
		{"path_mappings", "", len(j.PathMappings) > 0},
	} {
		if p.asked && (p.name == "" || !mentions(said, p.name)) {
			f := fault.New(fault.NotSupported, "%s cannot be given %s", j.Info().Name, p.field).WithField(p.field)
			if p.name == "" {
				return f.WithHint("leave it out, or pass what the adapter has for it in adapter_options")
			}
			return f.WithHint("leave it out, or write ${%s} where it belongs in the table %s of the settings file", p.name, j.table.at)
		}
	}
	return nil
}

func firstOf(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

// describe names what is debugged, for people.
func (j *job) describe() string {
	switch {
	case j.Mode == adapters.Attach:
		return fmt.Sprintf("process %d", j.PID)
	case j.Mode == adapters.RemoteAttach:
		return j.remote()
	case j.Test != "" && j.program != "":
		return j.Test + " in " + prepare.Show(j.Request, j.program)
	case j.program != "":
		return prepare.Show(j.Request, j.program)
	}
	return j.Module
}

// sourceRoot is the directory of the user's own code.
func (j *job) sourceRoot() string {
	if j.Workspace != "" && (j.program == "" || prepare.Inside(prepare.Physical(j.Workspace), j.program)) {
		return prepare.Physical(j.Workspace)
	}
	return j.dir
}

// environment is that of the command. What the templates leave unsaid of the
// program's environment and directory, the adapter passes on by being started in them.
func (j *job) environment() []string {
	set := map[string]string{}
	for name, text := range j.table.Env {
		set[name] = j.values.text(text)
	}
	if !mentions(string(j.template), "env") {
		maps.Copy(set, j.env)
	}
	return prepare.Overlay(os.Environ(), set)
}

func (j *job) removeScratch() {
	if j.scratch != "" {
		_ = os.RemoveAll(j.scratch)
	}
}
