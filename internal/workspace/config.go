package workspace

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/jsonwords"
	"aidb-mcp/internal/pattern"
	"aidb-mcp/internal/regular"
	"aidb-mcp/internal/source"
)

// Config is one entry of launch.json with its variables filled in. What an
// entry does not say is empty.
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
	Runtime             string // interpreter or toolchain
	StopOnEntry         bool
	JustMyCode          *bool
	PathSubstitutions   []Substitution

	rest map[string]json.RawMessage // the whole entry
	root string
}

// Substitution says that the program knows the directory From as To.
type Substitution struct{ From, To string }

// entry is how launch.json writes a Config. Lists may be written as one text.
type entry struct {
	Name           string             `json:"name"`
	Type           string             `json:"type"`
	Request        string             `json:"request"`
	Mode           string             `json:"mode"`
	Program        string             `json:"program"`
	Module         string             `json:"module"`
	MainClass      string             `json:"mainClass"`
	Args           words              `json:"args"`
	BuildFlags     words              `json:"buildFlags"`
	Env            map[string]*string `json:"env"` // null takes a variable out, which is left to the program
	Environment    []nameValue        `json:"environment"`
	EnvFile        string             `json:"envFile"`
	Cwd            string             `json:"cwd"`
	ProcessID      json.RawMessage    `json:"processId"`
	PID            json.RawMessage    `json:"pid"`
	Host           string             `json:"host"`
	HostName       string             `json:"hostName"`
	Address        string             `json:"address"`
	Port           int                `json:"port"`
	Connect        endpoint           `json:"connect"`
	CoreFilePath   string             `json:"coreFilePath"`
	CoreDumpPath   string             `json:"coreDumpPath"`
	Python         words              `json:"python"`
	PythonPath     string             `json:"pythonPath"`
	Executable     string             `json:"runtimeExecutable"`
	StopOnEntry    bool               `json:"stopOnEntry"`
	StopAtEntry    bool               `json:"stopAtEntry"`
	JustMyCode     *bool              `json:"justMyCode"`
	LocalRoot      string             `json:"localRoot"`
	RemoteRoot     string             `json:"remoteRoot"`
	PathMappings   []rootMapping      `json:"pathMappings"`
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
		Host string `json:"host"`
		Port int    `json:"port"`
	}
	rootMapping struct {
		LocalRoot  string `json:"localRoot"`
		RemoteRoot string `json:"remoteRoot"`
	}
)

// ResolveLaunch finds the entry called name in the launch.json of root and
// fills in its variables. Errors: CONFIG_NOT_FOUND names the entries that there
// are, CONFIG_INVALID says what is wrong with the file or the entry.
func ResolveLaunch(root, name string) (*Config, error) {
	path := filepath.Join(root, ".vscode", "launch.json")
	text, err := regular.ReadText(path)
	if err != nil {
		return nil, fault.New(fault.ConfigNotFound, "there are no launch configurations: %w", err).WithField("launch_config_name").
			WithHint("start with target instead, or set workspace_root to the directory that has .vscode/launch.json")
	}
	var file struct {
		Configurations []json.RawMessage `json:"configurations"`
	}
	plain, err := hujson.Standardize(text)
	if err == nil {
		err = json.Unmarshal(plain, &file)
	}
	if err != nil {
		return nil, fault.New(fault.ConfigInvalid, "%s cannot be read: %s", path, jsonwords.Why(err)).WithHint("mend the file, or start with target instead")
	}
	names := make([]string, len(file.Configurations))
	for i, raw := range file.Configurations {
		var named struct {
			Name string `json:"name"`
		}
		_ = json.Unmarshal(raw, &named) // another entry may be wrong; this one is read again
		if names[i] = named.Name; named.Name != name {
			continue
		}
		e := entry{}
		if err := json.Unmarshal(raw, &e); err != nil {
			return nil, fault.New(fault.ConfigInvalid, "launch configuration %q: %s", name, jsonwords.Why(err)).WithHint("mend it in %s, or start with target instead", path)
		}
		c, err := e.resolve(root)
		if err != nil {
			return nil, err
		}
		c.root = root
		return c, json.Unmarshal(raw, &c.rest)
	}
	missing := fault.New(fault.ConfigNotFound, "there is no launch configuration %q", name).WithField("launch_config_name")
	if like := source.Closest(name, names, 1); len(like) > 0 {
		return nil, missing.WithHint("did you mean %q? %s has: %s", like[0], path, strings.Join(names, ", "))
	}
	return nil, missing.WithHint("%s has: %s", path, strings.Join(names, ", "))
}

// resolve fills in the variables of every text.
func (e entry) resolve(root string) (*Config, error) {
	v := &variables{root: root}
	c := &Config{
		Name: e.Name, Type: e.Type, Request: e.Request, Mode: e.Mode,
		Program: v.fill(e.Program), Module: v.fill(cmp.Or(e.Module, e.MainClass)),
		Args: v.all(e.Args), BuildFlags: v.all(e.BuildFlags),
		EnvFile: v.fill(e.EnvFile), Cwd: v.fill(e.Cwd),
		Host: v.fill(cmp.Or(e.Host, e.HostName, e.Address, e.Connect.Host)), Port: cmp.Or(e.Port, e.Connect.Port),
		CoreFile: v.fill(cmp.Or(e.CoreFilePath, e.CoreDumpPath)), Runtime: v.fill(e.runtime()),
		StopOnEntry: e.StopOnEntry || e.StopAtEntry, JustMyCode: e.JustMyCode,
	}
	e.environment(v, c)
	e.mappings(v, c)
	id := e.ProcessID
	if len(id) == 0 {
		id = e.PID
	}
	if id := v.fill(strings.Trim(string(id), `"`)); id != "" && v.unknown == "" {
		n, err := strconv.Atoi(id)
		if err != nil {
			return nil, fault.New(fault.ConfigInvalid, "launch configuration %q has the processId %q", e.Name, id).WithHint("give pid instead")
		}
		c.ProcessID = n
	}
	return c, e.left(v)
}

// left is the error for a variable that could not be filled in.
func (e entry) left(v *variables) error {
	if v.unknown == "" {
		return nil
	}
	return fault.New(fault.ConfigInvalid, "launch configuration %q uses %s, which only an editor can fill in", e.Name, v.unknown).
		WithHint("give what it stands for yourself: target, args, pid and all other parameters of session_start take the place of the configuration's")
}

// runtime is the interpreter that an entry names. npm and its like are no
// runtimes: they would start one.
func (e entry) runtime() string {
	if len(e.Python) > 0 {
		return e.Python[0]
	}
	switch e.Executable {
	case "npm", "npx", "yarn", "pnpm", "node":
		return e.PythonPath
	}
	return cmp.Or(e.PythonPath, e.Executable)
}

func (e entry) environment(v *variables, c *Config) {
	set := map[string]string{}
	for name, value := range e.Env {
		if value != nil {
			set[name] = v.fill(*value)
		}
	}
	for _, pair := range e.Environment {
		set[pair.Name] = v.fill(pair.Value)
	}
	if len(set) > 0 {
		c.Env = set
	}
}

// mappings takes the pairs of roots in all the ways in which they are written.
func (e entry) mappings(v *variables, c *Config) {
	add := func(from, to string) {
		if from != "" && to != "" {
			c.PathSubstitutions = append(c.PathSubstitutions, Substitution{From: v.fill(from), To: v.fill(to)})
		}
	}
	for _, s := range e.SubstitutePath {
		add(s.From, s.To)
	}
	for _, m := range e.PathMappings {
		add(m.LocalRoot, m.RemoteRoot)
	}
	add(e.LocalRoot, e.RemoteRoot)
}

// Options are members of the entry that only its adapter knows, under the names
// that the adapter has for them (by the entry's); nil when there are none.
func (c *Config) Options(names map[string]string) (json.RawMessage, error) {
	v := &variables{root: c.root}
	chosen := map[string]any{}
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
		chosen[option] = v.deep(value)
	}
	if len(chosen) == 0 {
		return nil, nil
	}
	if err := (entry{Name: c.Name}).left(v); err != nil {
		return nil, err
	}
	return json.Marshal(chosen)
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

// deep fills in the texts of a value.
func (v *variables) deep(value any) any {
	switch value := value.(type) {
	case string:
		return v.fill(value)
	case []any:
		for i := range value {
			value[i] = v.deep(value[i])
		}
	case map[string]any:
		for name := range value {
			value[name] = v.deep(value[name])
		}
	}
	return value
}

// variables fills in ${…}; unknown is the first that it cannot.
type variables struct {
	root, unknown string
}

var variable = pattern.New(`\$\{[^}]*\}`)

func (v *variables) all(list []string) []string {
	var out []string
	for _, text := range list {
		out = append(out, v.fill(text))
	}
	return out
}

func (v *variables) fill(text string) string {
	return variable.ReplaceAllStringFunc(text, func(name string) string {
		value, ok := v.value(name[2 : len(name)-1])
		if !ok && v.unknown == "" {
			v.unknown = name
		}
		return value
	})
}

func (v *variables) value(name string) (string, bool) {
	if key, ok := strings.CutPrefix(name, "env:"); ok {
		return os.Getenv(key), true
	}
	switch name {
	case "workspaceFolder", "workspaceRoot", "cwd", "fileWorkspaceFolder":
		return v.root, true
	case "workspaceFolderBasename":
		return filepath.Base(v.root), true
	case "pathSeparator", "/":
		return string(filepath.Separator), true
	case "userHome":
		home, err := os.UserHomeDir()
		return home, err == nil
	}
	return "", false
}
