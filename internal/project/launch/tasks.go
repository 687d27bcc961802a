package launch

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/project/source"
	"aidb-mcp/internal/text/jsonwords"
)

// Task is what a tasks.json has run beside a start, with its variables filled in.
type Task struct {
	Label string
	// Command and what it is given, or nothing for a task that only has others run.
	Command []string
	Dir     string
	Env     map[string]string // beside the server's own

	Before   []*Task // are run first
	Sequence bool    // one after the other, else all at once

	Background bool           // it does not end: it is ready when it prints Ready
	Ready      *regexp.Regexp // nil: nothing says when
}

// vscodeTasks is what a tasks.json has.
type vscodeTasks struct {
	Tasks   []json.RawMessage `json:"tasks"`
	Inputs  []input           `json:"inputs"`
	Options json.RawMessage   `json:"options"` // of all tasks
	Type    string            `json:"type"`    // the same
}

// taskFile is a tasks.json with where its words have their meaning.
type taskFile struct {
	name  string
	scope scope
	tasks []task
	wrong error // why one of them cannot be read
}

// task is how tasks.json writes a Task.
type task struct {
	Label          string          `json:"label"`
	TaskName       string          `json:"taskName"`
	Type           string          `json:"type"`
	Command        taskWord        `json:"command"`
	Args           []taskWord      `json:"args"`
	Options        taskOptions     `json:"options"`
	DependsOn      taskRefs        `json:"dependsOn"`
	DependsOrder   string          `json:"dependsOrder"`
	IsBackground   bool            `json:"isBackground"`
	ProblemMatcher json.RawMessage `json:"problemMatcher"`
	Group          json.RawMessage `json:"group"`

	// of the types that know tools
	Script   string `json:"script"`   // npm
	Path     string `json:"path"`     // npm
	TSConfig string `json:"tsconfig"` // typescript
	Option   string `json:"option"`   // typescript: watch
	Task     string `json:"task"`     // gulp, grunt, jake

	file *taskFile
}

type taskOptions struct {
	Cwd   string            `json:"cwd"`
	Env   map[string]string `json:"env"`
	Shell struct {
		Executable string   `json:"executable"`
		Args       []string `json:"args"`
	} `json:"shell"`
}

// taskRefs is one name of a task, or a list of them.
type taskRefs []TaskRef

// UnmarshalJSON takes either form.
func (r *taskRefs) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '[' {
		return json.Unmarshal(b, (*[]TaskRef)(r))
	}
	var one TaskRef
	err := json.Unmarshal(b, &one)
	if !one.Empty() {
		*r = taskRefs{one}
	}
	return err
}

// mostTasks is how many tasks one start may need.
const mostTasks = 50

// takeTasks takes the tasks of a file, each with the section of this platform.
func (s *Set) takeTasks(name string, file vscodeTasks, folder Folder) {
	f := taskFile{name: name, scope: scope{folder: folder, inputs: file.Inputs}}
	for _, raw := range file.Tasks {
		whole := mergePlatform(raw)
		t, err := readTask(whole, file)
		if err != nil && f.wrong == nil {
			f.wrong = fault.New(fault.ConfigInvalid, "the task %q of %s cannot be read: %s", t.label(), name, jsonwords.Why(err)).
				WithField("launch_config_name").WithHint("mend it in %s", name)
		}
		f.tasks = append(f.tasks, t)
	}
	s.tasks = append(s.tasks, f)
}

func readTask(whole map[string]json.RawMessage, file vscodeTasks) (t task, err error) {
	if len(file.Options) > 0 {
		err = json.Unmarshal(file.Options, &t.Options)
	}
	t.Type = file.Type
	if wrong := decode(whole, &t); wrong != nil {
		err = wrong
	}
	return t, err
}

// label is how others name the task.
func (t *task) label() string {
	named := cmp.Or(t.Label, t.TaskName)
	switch {
	case named != "":
		return named
	case t.Type == "npm" && t.Path != "":
		return "npm: " + t.Script + " - " + strings.TrimSuffix(t.Path, "/")
	case t.Type == "npm":
		return "npm: " + t.Script
	case t.Type == "typescript":
		return "tsc: " + cmp.Or(t.Option, "build") + " - " + t.TSConfig
	case t.Task != "":
		return t.Type + ": " + t.Task
	}
	return t.Command.Value
}

// Task resolves the task that an entry names, with those on which it depends. Errors:
// CONFIG_INVALID, for a task that there is not, that depends on itself, or with a
// variable that cannot be filled in.
func (s *Set) Task(ref TaskRef, of *Entry, o Options) (*Task, error) {
	return s.taskFor(ref, fmt.Sprintf("launch configuration %q", of.Name), of.scope, o)
}

// TaskOf is Task for a compound.
func (s *Set) TaskOf(c *Compound, o Options) (*Task, error) {
	return s.taskFor(c.PreLaunchTask, fmt.Sprintf("compound %q", c.Name), c.scope, o)
}

func (s *Set) taskFor(ref TaskRef, whose string, sc scope, o Options) (*Task, error) {
	r := taskResolver{set: s, whose: whose, scope: sc, o: o, made: map[string]*Task{}}
	return r.resolve(ref)
}

// taskResolver resolves a task and what it depends on, each once.
type taskResolver struct {
	set   *Set
	whose string // that names the task
	scope scope
	o     Options
	made  map[string]*Task
	trail []string // of tasks that are being resolved
}

func (r *taskResolver) resolve(ref TaskRef) (*Task, error) {
	t, err := r.find(ref)
	if err != nil {
		return nil, err
	}
	label := t.label()
	if i := slices.Index(r.trail, label); i >= 0 {
		return nil, r.invalid("the task %q depends on itself: %s", label, strings.Join(append(slices.Clone(r.trail[i:]), label), " → ")).
			WithHint("take one of them out of dependsOn in %s", t.file.name)
	}
	if done := r.made[label]; done != nil {
		return done, nil
	}
	if len(r.made) >= mostTasks {
		return nil, r.invalid("%s needs more than %d tasks", r.whose, mostTasks)
	}
	made := &Task{Label: label, Sequence: t.DependsOrder == "sequence"}
	r.made[label] = made
	r.trail = append(r.trail, label)
	for _, before := range t.DependsOn {
		b, err := r.resolve(before)
		if err != nil {
			return nil, err
		}
		made.Before = append(made.Before, b)
	}
	r.trail = r.trail[:len(r.trail)-1]
	return made, r.fill(t, made)
}

func (r *taskResolver) invalid(format string, args ...any) *fault.Error {
	return fault.New(fault.ConfigInvalid, format, args...).WithField("launch_config_name")
}

// find is the task that a name or a description means: of the entry's own folder first.
func (r *taskResolver) find(ref TaskRef) (*task, error) {
	if len(ref.raw) > 0 {
		var t task
		if err := json.Unmarshal(ref.raw, &t); err != nil {
			return nil, r.invalid("a task of %s cannot be read: %s", r.whose, jsonwords.Why(err))
		}
		t.file = &taskFile{scope: r.scope}
		ref.Label = t.label()
		if known, err := r.taskNamed(ref.Label); known != nil || err != nil {
			return known, err
		}
		return &t, nil
	}
	known, err := r.taskNamed(ref.Label)
	if known != nil || err != nil {
		return known, err
	}
	if t := r.detectTask(ref.Label); t != nil {
		return t, nil
	}
	return nil, r.unknown(ref.Label)
}

func (r *taskResolver) taskNamed(label string) (*task, error) {
	var wrong error
	for _, own := range []bool{true, false} {
		for i := range r.set.tasks {
			f := &r.set.tasks[i]
			if own != (f.scope.folder == r.scope.folder) {
				continue
			}
			for j := range f.tasks {
				if t := &f.tasks[j]; t.label() == label || label == "${defaultBuildTask}" && t.builds() {
					t.file = f
					return t, f.wrong
				}
			}
			wrong = cmp.Or(wrong, f.wrong)
		}
	}
	return nil, wrong
}

// builds says that the task is the one that an editor takes to build.
func (t *task) builds() bool {
	var group struct {
		Kind      string `json:"kind"`
		IsDefault bool   `json:"isDefault"`
	}
	return json.Unmarshal(t.Group, &group) == nil && group.Kind == "build" && group.IsDefault
}

// detectTask finds a task that an editor knows without tasks.json: "npm: build", "tsc: build - tsconfig.json".
func (r *taskResolver) detectTask(label string) *task {
	kind, rest, _ := strings.Cut(label, ": ")
	what, where, _ := strings.Cut(rest, " - ")
	t := &task{Label: label, file: &taskFile{scope: r.scope}}
	switch {
	case rest == "":
		return nil
	case kind == "npm":
		t.Type, t.Script, t.Path = "npm", what, where
	case kind == "tsc" && (what == "build" || what == "watch"):
		t.Type, t.TSConfig = "typescript", where
		if what == "watch" {
			t.Option, t.IsBackground = "watch", true
			t.ProblemMatcher = json.RawMessage(`"$tsc-watch"`)
		}
	default:
		return nil
	}
	return t
}

func (r *taskResolver) unknown(label string) error {
	for _, p := range r.set.Problems {
		if filepath.Base(p.File) == "tasks.json" || strings.HasSuffix(p.File, ".code-workspace") {
			return p.Err
		}
	}
	var names []string
	for _, f := range r.set.tasks {
		for i := range f.tasks {
			names = append(names, f.tasks[i].label())
		}
	}
	err := r.invalid("%s names the task %q, which there is not", r.whose, label)
	if len(names) == 0 {
		return err.WithHint("there is no .vscode/tasks.json with tasks; write the task there, or start with target instead")
	}
	if like := source.Closest(label, names, 1); len(like) > 0 {
		return err.WithHint("did it mean %q? There are: %s", like[0], strings.Join(names, ", "))
	}
	return err.WithHint("there are: %s", strings.Join(names, ", "))
}

// fill resolves the command of a task.
func (r *taskResolver) fill(t *task, made *Task) error {
	v := r.set.variables(t.file.scope, fmt.Sprintf("the task %q", made.Label), r.o)
	folder := t.file.scope.folder.Path
	made.Dir = v.fill("task", t.Options.Cwd)
	if made.Dir = cmp.Or(made.Dir, folder); !filepath.IsAbs(made.Dir) {
		made.Dir = filepath.Join(folder, made.Dir)
	}
	for _, name := range slices.Sorted(maps.Keys(t.Options.Env)) {
		if made.Env == nil {
			made.Env = map[string]string{}
		}
		made.Env[name] = v.fill("task", t.Options.Env[name])
	}
	command, err := t.command(v, made)
	if err != nil {
		return err
	}
	made.Command = command
	if v.fatal != nil {
		return v.fatal
	}
	if len(v.lacks) > 0 {
		f := *v.lacks[0].Err
		if strings.Contains(f.Hint, "give task yourself") {
			f.Hint = "run the task yourself, and start with target in place of launch_config_name"
		}
		return &f
	}
	return r.readiness(t, made)
}
