package workspace

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"

	"aidb-mcp/internal/fault"
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
	StopOnEntry         bool
	PathSubstitutions   []Substitution
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
	Args           words             `json:"args"`
	BuildFlags     words             `json:"buildFlags"`
	Env            map[string]string `json:"env"`
	EnvFile        string            `json:"envFile"`
	Cwd            string            `json:"cwd"`
	ProcessID      json.RawMessage   `json:"processId"`
	Host           string            `json:"host"`
	Port           int               `json:"port"`
	CoreFilePath   string            `json:"coreFilePath"`
	StopOnEntry    bool              `json:"stopOnEntry"`
	SubstitutePath []struct {
		From string `json:"from"`
		To   string `json:"to"`
	} `json:"substitutePath"`
}

// words is a list of texts, or one text with spaces between them.
type words []string

// UnmarshalJSON takes either form.
func (w *words) UnmarshalJSON(b []byte) error {
	var text string
	if json.Unmarshal(b, &text) == nil {
		*w = strings.Fields(text)
		return nil
	}
	return json.Unmarshal(b, (*[]string)(w))
}

// ResolveLaunch finds the entry called name in the launch.json of root and
// fills in its variables. Errors: CONFIG_NOT_FOUND names the entries that there
// are, CONFIG_INVALID says what is wrong with the file or the entry.
func ResolveLaunch(root, name string) (*Config, error) {
	path := filepath.Join(root, ".vscode", "launch.json")
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fault.New(fault.ConfigNotFound, "there are no launch configurations: %w", err).WithField("launch_config_name").
			WithHint("start with target instead, or set workspace_root to the directory that has .vscode/launch.json")
	}
	var file struct {
		Configurations []entry `json:"configurations"`
	}
	plain, err := hujson.Standardize(text)
	if err == nil {
		err = json.Unmarshal(plain, &file)
	}
	if err != nil {
		return nil, fault.New(fault.ConfigInvalid, "%s cannot be read: %w", path, err).WithHint("mend the file, or start with target instead")
	}
	names := make([]string, len(file.Configurations))
	for i, e := range file.Configurations {
		if names[i] = e.Name; e.Name == name {
			return e.resolve(root)
		}
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
		Program: v.fill(e.Program), Module: v.fill(e.Module),
		Args: v.all(e.Args), BuildFlags: v.all(e.BuildFlags),
		EnvFile: v.fill(e.EnvFile), Cwd: v.fill(e.Cwd),
		Host: v.fill(e.Host), Port: e.Port, CoreFile: v.fill(e.CoreFilePath), StopOnEntry: e.StopOnEntry,
	}
	if len(e.Env) > 0 {
		c.Env = make(map[string]string, len(e.Env))
		for name, value := range e.Env {
			c.Env[name] = v.fill(value)
		}
	}
	for _, s := range e.SubstitutePath {
		c.PathSubstitutions = append(c.PathSubstitutions, Substitution{From: v.fill(s.From), To: v.fill(s.To)})
	}
	if id := v.fill(strings.Trim(string(e.ProcessID), `"`)); id != "" && v.unknown == "" {
		n, err := strconv.Atoi(id)
		if err != nil {
			return nil, fault.New(fault.ConfigInvalid, "launch configuration %q has the processId %q", e.Name, id).WithHint("give pid instead")
		}
		c.ProcessID = n
	}
	if v.unknown != "" {
		return nil, fault.New(fault.ConfigInvalid, "launch configuration %q uses %s, which only an editor can fill in", e.Name, v.unknown).
			WithHint("give what it stands for yourself: target, args, pid and all other parameters of session_start take the place of the configuration's")
	}
	return c, nil
}

// variables fills in ${…}; unknown is the first that it cannot.
type variables struct {
	root, unknown string
}

var variable = regexp.MustCompile(`\$\{[^}]*\}`)

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
