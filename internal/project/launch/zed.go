package launch

import (
	"cmp"
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"aidb-mcp/internal/text/jsonwords"
	"aidb-mcp/internal/text/pattern"
)

// zedEntry is how .zed/debug.json writes a configuration.
type zedEntry struct {
	Label       string           `json:"label"`
	Adapter     string           `json:"adapter"`
	Type        string           `json:"type"` // of JavaScript's
	Request     string           `json:"request"`
	Mode        string           `json:"mode"`
	Program     string           `json:"program"`
	Module      string           `json:"module"`
	Args        words            `json:"args"`
	BuildFlags  words            `json:"buildFlags"`
	Cwd         string           `json:"cwd"`
	Env         map[string]value `json:"env"`
	EnvFile     string           `json:"envFile"`
	Python      string           `json:"python"`
	StopOnEntry bool             `json:"stop_on_entry"`
	StopToo     bool             `json:"stopOnEntry"`
	JustMyCode  *bool            `json:"justMyCode"`
	ProcessID   json.RawMessage  `json:"process_id"`
	PID         json.RawMessage  `json:"processId"`
	Host        string           `json:"host"`
	Port        portNumber       `json:"port"`
	Connect     endpoint         `json:"connect"`
	TCP         struct {
		Host string     `json:"host"`
		Port portNumber `json:"port"`
	} `json:"tcp_connection"`
	Build json.RawMessage `json:"build"` // a task's name, or a task
}

// zedAdapters are the types of debuggers that Zed's adapters are.
var zedAdapters = map[string]string{
	"Delve": "go", "Debugpy": "debugpy", "JavaScript": "pwa-node", "CodeLLDB": "lldb", "GDB": "gdb",
}

func (s *Set) readZed(folder Folder) {
	path := filepath.Join(folder.Path, ".zed", "debug.json")
	var list []json.RawMessage
	if !s.readJSON(path, &list) {
		return
	}
	for _, raw := range list {
		var e zedEntry
		wrong := json.Unmarshal(raw, &e)
		var whole map[string]json.RawMessage
		_ = json.Unmarshal(raw, &whole) // what is wrong is told when it is resolved
		name := s.rel(path)
		s.Entries = append(s.Entries, &Entry{
			Name: e.Label, Type: cmp.Or(zedAdapters[e.Adapter], e.Adapter), Request: cmp.Or(e.Request, "launch"), File: name, scope: scope{folder: folder},
			resolve: func(v *variables) (*Config, error) {
				if wrong != nil {
					return nil, v.invalid("cannot be read: %s", jsonwords.Why(wrong)).WithField("launch_config_name").WithHint("mend it in %s", name)
				}
				c, err := e.config(zed{v})
				if c != nil {
					c.rest = whole
				}
				return c, err
			},
		})
	}
}

// zed fills in Zed's variables: $ZED_FILE, ${ZED_FILE:default}.
type zed struct{ *variables }

var zedVariable = pattern.New(`\$\{?ZED_[A-Z_]+(:[^}]*)?\}?`)

func (z zed) fill(param, text string) string {
	return zedVariable.ReplaceAllStringFunc(text, func(whole string) string {
		name, fallback, given := strings.Cut(strings.Trim(whole, "${}"), ":")
		value, err := z.value(name)
		if err != nil {
			if given {
				return fallback
			}
			z.lack(param, err)
		}
		return value
	})
}

func (z zed) fillAll(param string, list []string) []string {
	var out []string
	for _, text := range list {
		out = append(out, z.fill(param, text))
	}
	return out
}

// zedNames are the names that VS Code has for Zed's variables.
var zedNames = map[string]string{
	"ZED_WORKTREE_ROOT": "workspaceFolder", "ZED_FILE": "file", "ZED_FILENAME": "fileBasename", "ZED_STEM": "fileBasenameNoExtension",
	"ZED_DIRNAME": "fileDirname", "ZED_RELATIVE_FILE": "relativeFile", "ZED_RELATIVE_DIR": "relativeFileDirname", "ZED_ROW": "lineNumber",
}

func (z zed) value(name string) (string, error) {
	known := zedNames[name]
	if known == "" {
		return "", z.invalid("uses $%s, which only an editor knows", name)
	}
	value, err := z.simple(known)
	if err != nil {
		_, hint := z.file(known)
		if known == "lineNumber" || hint == nil {
			return "", err
		}
		return "", z.invalid("uses $%s: the file that is open in an editor", name).WithHint("name the file: as target, or in breakpoints")
	}
	return value, nil
}

// config fills in the variables of every text.
func (e zedEntry) config(z zed) (*Config, error) {
	c := &Config{
		Mode: e.Mode, Program: z.fill("target", e.Program), Module: z.fill("module", e.Module),
		Args: z.fillAll("args", e.Args), BuildFlags: z.fillAll("build_args", e.BuildFlags),
		Cwd: z.fill("cwd", e.Cwd), EnvFile: z.fill("env_file", e.EnvFile), Runtime: z.fill("runtime_path", e.Python),
		Host: cmp.Or(e.Host, e.Connect.Host, e.TCP.Host), Port: cmp.Or(e.Port.number, e.Connect.Port.number, e.TCP.Port.number),
		StopOnEntry: e.StopOnEntry || e.StopToo, JustMyCode: e.JustMyCode,
	}
	for _, name := range slices.Sorted(maps.Keys(e.Env)) {
		if c.Env == nil {
			c.Env = map[string]string{}
		}
		c.Env[name] = z.fill("env."+name, e.Env[name].text)
	}
	id := e.ProcessID
	if len(id) == 0 {
		id = e.PID
	}
	c.ProcessID = z.number("pid", strings.Trim(string(id), `"`))
	return c, e.build(z, c)
}

// zedTask is how Zed writes a task.
type zedTask struct {
	Label   string            `json:"label"`
	Command string            `json:"command"`
	Args    []string          `json:"args"`
	Cwd     string            `json:"cwd"`
	Env     map[string]string `json:"env"`
}

// build is what comes before the program: a task by its name, or one that stands
// in its place.
func (e zedEntry) build(z zed, c *Config) error {
	if len(e.Build) == 0 || string(e.Build) == "null" {
		return nil
	}
	var t zedTask
	if json.Unmarshal(e.Build, &t.Label) == nil {
		var known []zedTask
		z.set.readJSON(filepath.Join(z.scope.folder.Path, ".zed", "tasks.json"), &known)
		i := slices.IndexFunc(known, func(other zedTask) bool { return other.Label == t.Label })
		if i < 0 {
			return z.invalid("names the task %q, which there is not", t.Label).WithField("launch_config_name").
				WithHint("write the task in .zed/tasks.json, or start with target instead")
		}
		t = known[i]
	} else if err := json.Unmarshal(e.Build, &t); err != nil {
		return z.invalid("has a build that cannot be read: %s", jsonwords.Why(err)).WithField("launch_config_name")
	}
	if t.Command == "" {
		return nil // what Zed itself would find out
	}
	dir := cmp.Or(z.fill("task", t.Cwd), z.scope.folder.Path)
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(z.scope.folder.Path, dir)
	}
	line := z.fill("task", t.Command)
	for _, a := range z.fillAll("task", t.Args) {
		line += " " + quoteForShell(a, "")
	}
	c.BeforeTask = &Task{Label: cmp.Or(t.Label, t.Command), Command: shellLine(line), Dir: dir, Env: t.Env}
	return nil
}
