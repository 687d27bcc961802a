package launch

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/text/jsonwords"
	"aidb-mcp/internal/text/pattern"
)

// Config is one entry with its variables filled in, in words that no editor owns.
// What an entry does not say is empty.
type Config struct {
	Name, Type, Request string
	Mode                string // in the words of the entry: debug, test, exec, remote, …
	Program, Module     string
	Args, BuildFlags    []string
	Env                 map[string]string
	EnvFile, Cwd        string
	ProcessID           int
	Host                string
	Port                int
	CoreFile            string
	Test                string // one test, or what a framework takes for some
	Runtime             string // interpreter or toolchain
	StopOnEntry         bool
	JustMyCode          *bool
	PathSubstitutions   []Substitution

	PreLaunchTask, PostDebugTask TaskRef
	BeforeTask                   *Task // that the entry has itself, in place of a name
	Ready                        *ServerReady

	Lacks []Lack // parameters that could not be filled in

	rest map[string]json.RawMessage // the whole entry
	v    *variables
}

// Substitution says that the program knows the directory From as To.
type Substitution struct{ From, To string }

// entry is how launch.json writes a Config. Lists may be written as one text.
type entry struct {
	Name           string            `json:"name"`
	Type           string            `json:"type"`
	Request        string            `json:"request"`
	Mode           string            `json:"mode"`
	Program        string            `json:"program"`
	Module         string            `json:"module"`
	MainClass      string            `json:"mainClass"`
	Args           words             `json:"args"`
	BuildFlags     words             `json:"buildFlags"`
	Env            map[string]value  `json:"env"`
	Environment    []nameValue       `json:"environment"`
	EnvFile        string            `json:"envFile"`
	Cwd            string            `json:"cwd"`
	ProcessID      json.RawMessage   `json:"processId"`
	PID            json.RawMessage   `json:"pid"`
	Host           string            `json:"host"`
	HostName       string            `json:"hostName"`
	Address        string            `json:"address"`
	Port           portNumber        `json:"port"`
	Connect        endpoint          `json:"connect"`
	CoreFilePath   string            `json:"coreFilePath"`
	CoreDumpPath   string            `json:"coreDumpPath"`
	Python         words             `json:"python"`
	PythonPath     string            `json:"pythonPath"`
	Executable     string            `json:"runtimeExecutable"`
	StopOnEntry    bool              `json:"stopOnEntry"`
	StopAtEntry    bool              `json:"stopAtEntry"`
	JustMyCode     *bool             `json:"justMyCode"`
	LocalRoot      string            `json:"localRoot"`
	RemoteRoot     string            `json:"remoteRoot"`
	PathMappings   []rootMapping     `json:"pathMappings"`
	SourceFileMap  map[string]string `json:"sourceFileMap"` // theirs to ours
	Command        string            `json:"command"`       // of node-terminal
	RuntimeArgs    words             `json:"runtimeArgs"`
	Cargo          *cargo            `json:"cargo"`
	PreLaunchTask  TaskRef           `json:"preLaunchTask"`
	PostDebugTask  TaskRef           `json:"postDebugTask"`
	ServerReady    *ServerReady      `json:"serverReadyAction"`
	SubstitutePath []struct {
		From string `json:"from"`
		To   string `json:"to"`
	} `json:"substitutePath"`
}

type (
	nameValue struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	endpoint struct {
		Host string     `json:"host"`
		Port portNumber `json:"port"`
	}
	rootMapping struct {
		LocalRoot  string `json:"localRoot"`
		RemoteRoot string `json:"remoteRoot"`
	}
)

// Resolve fills in the variables of an entry. Errors are CONFIG_INVALID, or what
// ended a question to a person; what is missing for single parameters is in Lacks.
func (s *Set) Resolve(e *Entry, o Options) (*Config, error) {
	v := s.variables(e.scope, fmt.Sprintf("launch configuration %q", e.Name), o)
	c, err := e.resolve(v)
	if err != nil {
		return nil, err
	}
	c.Name, c.v = e.Name, v
	c.Type, c.Request = cmp.Or(c.Type, e.Type), cmp.Or(c.Request, e.Request)
	c.Lacks = v.lacks
	return c, v.fatal
}

// Lacking is the first lack of a parameter that is not given, nil when there is none.
func (c *Config) Lacking(given func(param string) bool) error {
	for _, l := range c.Lacks {
		if !given(l.Param) {
			return l.Err
		}
	}
	return nil
}

func resolveVSCode(v *variables, whole map[string]json.RawMessage, file string) (*Config, error) {
	e := entry{}
	if err := decode(whole, &e); err != nil {
		return nil, v.invalid("cannot be read: %s", jsonwords.Why(err)).WithField("launch_config_name").
			WithHint("mend it in %s, or start with target instead", file)
	}
	c := e.config(v)
	c.rest = whole
	if command := e.commandOf(v); len(command) > 0 {
		l := &commandLine{v: v, c: c, dir: cmp.Or(c.Cwd, v.scope.folder.Path)}
		l.program(command)
		c.rest = maps.Clone(whole)
		delete(c.rest, "runtimeArgs") // those of the tool
		c.option("runtimeArgs", l.flags)
	}
	return c, nil
}

// config fills in the variables of every text.
func (e entry) config(v *variables) *Config {
	c := &Config{
		Type: e.Type, Request: e.Request, Mode: e.Mode,
		Program: v.fill("target", e.Program), Module: v.fill("module", cmp.Or(e.Module, e.MainClass)),
		Args: v.fillAll("args", slices.DeleteFunc(e.Args, asksForArgs)), BuildFlags: v.fillAll("build_args", e.BuildFlags),
		EnvFile: v.fill("env_file", e.EnvFile), Cwd: v.fill("cwd", e.Cwd),
		Host: v.fill("host", cmp.Or(e.Host, e.HostName, e.Address, e.Connect.Host)), Port: cmp.Or(e.Port.number, e.Connect.Port.number),
		CoreFile: v.fill("core_file", cmp.Or(e.CoreFilePath, e.CoreDumpPath)), Runtime: e.runtime(v),
		StopOnEntry: e.StopOnEntry || e.StopAtEntry, JustMyCode: e.JustMyCode,
		PreLaunchTask: e.PreLaunchTask, PostDebugTask: e.PostDebugTask, Ready: e.ServerReady,
	}
	if text := cmp.Or(e.Port.text, e.Connect.Port.text); c.Port == 0 && text != "" {
		c.Port = v.number("port", text)
	}
	e.environment(v, c)
	e.mappings(v, c)
	id := e.ProcessID
	if len(id) == 0 {
		id = e.PID
	}
	c.ProcessID = v.number("pid", strings.Trim(string(id), `"`))
	if e.Cargo != nil {
		e.Cargo.fill(v, c)
	}
	return c
}

// asksForArgs are the commands with which an editor asks for the arguments of a
// program: without an answer there are none.
func asksForArgs(arg string) bool {
	return arg == "${command:SpecifyProgramArgs}" || arg == "${command:pickArgs}"
}

// cargo is how CodeLLDB has a program built.
type cargo struct {
	Args words  `json:"args"`
	Cwd  string `json:"cwd"`
}

// fill says what cargo builds in the words of a start: its directory, and what is chosen there.
func (b *cargo) fill(v *variables, c *Config) {
	c.Type, c.Program = "rust", cmp.Or(v.fill("target", b.Cwd), v.scope.folder.Path)
	for i, arg := range v.fillAll("build_args", b.Args) {
		switch {
		case i == 0 && arg == "test":
			c.Mode = "test"
		case i == 0 || arg == "--no-run":
		default:
			name, value, both := strings.Cut(arg, "=")
			if c.BuildFlags = append(c.BuildFlags, name); both {
				c.BuildFlags = append(c.BuildFlags, value)
			}
		}
	}
}

// number fills in a text that is a number, 0 when it is empty.
func (v *variables) number(param, text string) int {
	known := len(v.lacks)
	if text = v.fill(param, text); text == "" || len(v.lacks) > known {
		return 0
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		v.lack(param, v.invalid("has %q where %s belongs, which is no number", text, param))
	}
	return n
}

// ownPython are the commands with which an editor would answer which interpreter
// it has chosen; our adapter finds it by itself.
var ownPython = pattern.New(`^\$\{command:python\.(interpreterPath|[a-zA-Z]*[iI]nterpreter[a-zA-Z]*)\}$`)

// runtime is the interpreter that an entry names. npm and its like are no
// runtimes: they would start one.
func (e entry) runtime(v *variables) string {
	named := e.PythonPath
	if len(e.Python) > 0 {
		named = e.Python[0]
	}
	if ownPython.MatchString(named) {
		return ""
	}
	switch e.Executable {
	case "npm", "npx", "yarn", "pnpm", "node", "tsx", "ts-node", "nodemon":
	default:
		named = cmp.Or(named, e.Executable)
	}
	return v.fill("runtime_path", named)
}

func (e entry) environment(v *variables, c *Config) {
	set := map[string]string{}
	for name, value := range e.Env {
		if value.set {
			set[name] = v.fill("env."+name, value.text)
		}
	}
	for _, pair := range e.Environment {
		set[pair.Name] = v.fill("env."+pair.Name, pair.Value)
	}
	if len(set) > 0 {
		c.Env = set
	}
}

// mappings takes the pairs of roots in all the ways in which they are written.
func (e entry) mappings(v *variables, c *Config) {
	add := func(from, to string) {
		if from != "" && to != "" {
			c.PathSubstitutions = append(c.PathSubstitutions, Substitution{From: v.fill("path_mappings", from), To: v.fill("path_mappings", to)})
		}
	}
	for _, s := range e.SubstitutePath {
		add(s.From, s.To)
	}
	for _, m := range e.PathMappings {
		add(m.LocalRoot, m.RemoteRoot)
	}
	for _, theirs := range slices.Sorted(maps.Keys(e.SourceFileMap)) {
		add(e.SourceFileMap[theirs], theirs)
	}
	add(e.LocalRoot, e.RemoteRoot)
}

// option is a list that only the adapter knows, under the name that launch.json has for it.
func (c *Config) option(member string, list []string) {
	if len(list) == 0 {
		return
	}
	raw, err := json.Marshal(list)
	if err != nil {
		return // texts have a JSON
	}
	if c.rest == nil {
		c.rest = map[string]json.RawMessage{}
	}
	c.rest[member] = raw
}

// Options are members of the entry that only its adapter knows, under the names
// that the adapter has for them (by the entry's); nil when there are none.
func (c *Config) Options(names map[string]string) (json.RawMessage, error) {
	chosen := map[string]any{}
	known := len(c.v.lacks)
	for member, option := range names {
		raw, ok := c.rest[member]
		if !ok {
			continue
		}
		var value any
		err := json.Unmarshal(raw, &value)
		if err != nil {
			return nil, fmt.Errorf("reading %s of launch configuration %q: %w", member, c.Name, err)
		}
		if name, list := strings.CutSuffix(option, "[]"); list {
			option = name
			if value, err = listOf(value); err != nil {
				return nil, fault.New(fault.ConfigInvalid, "launch configuration %q: %s: %w", c.Name, member, err).
					WithHint("close the quote, or write a list of texts")
			}
		}
		chosen[option] = c.v.deep("adapter_options", value)
	}
	switch {
	case c.v.fatal != nil:
		return nil, c.v.fatal
	case len(c.v.lacks) > known:
		return nil, c.v.lacks[known].Err
	case len(chosen) == 0:
		return nil, nil
	}
	return json.Marshal(chosen)
}

// editors are members of entries that are the editor's affair.
var editors = []string{
	"name", "type", "request", "presentation", "internalConsoleOptions", "console", "linux", "osx", "windows", "debugServer",
	"suppressMultipleSessionWarning", "postDebugTask", "preLaunchTask", "serverReadyAction",
	"label", "adapter", "build", "process_id", "stop_on_entry", "tcp_connection",
}

// Rest are the members of the entry that are no parameters of a start, under their own names.
func (c *Config) Rest() map[string]string {
	names := map[string]string{}
	for member := range c.rest {
		if !slices.Contains(editors, member) && !parameter(member) && !strings.HasPrefix(member, "__") {
			names[member] = member
		}
	}
	return names
}

// parameter says that a member of an entry is read for a start of any language.
func parameter(member string) bool {
	t := reflect.TypeFor[entry]()
	for field := range t.Fields() {
		if field.Tag.Get("json") == member {
			return true
		}
	}
	return false
}

// listOf splits a value that is one text, before its variables are filled in:
// what they hold may have blanks.
func listOf(value any) (any, error) {
	text, one := value.(string)
	if !one {
		return value, nil
	}
	split, err := splitWords(text)
	list := make([]any, len(split))
	for i, word := range split {
		list[i] = word
	}
	return list, err
}

// value is that of a variable of the environment: a text, or null, which takes the
// variable out and is left to the program. Numbers and switches are taken as texts.
type value struct {
	text string
	set  bool
}

// UnmarshalJSON takes any of them.
func (x *value) UnmarshalJSON(b []byte) error {
	switch {
	case string(b) == "null":
		return nil
	case len(b) > 0 && (b[0] == '{' || b[0] == '['):
		return json.Unmarshal(b, &x.text) // for its error
	}
	x.set = true
	if json.Unmarshal(b, &x.text) != nil {
		x.text = string(b)
	}
	return nil
}

// portNumber is a number, or a text with a variable.
type portNumber struct {
	number int
	text   string
}

// UnmarshalJSON takes either form.
func (n *portNumber) UnmarshalJSON(b []byte) error {
	err := json.Unmarshal(b, &n.number)
	if err != nil && json.Unmarshal(b, &n.text) == nil && strings.Contains(n.text, "${") {
		return nil
	}
	return err
}
