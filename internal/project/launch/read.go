// Package launch reads how the editors of a workspace start programs: launch.json,
// tasks.json and settings.json of VS Code, also in a .code-workspace, the run
// configurations of JetBrains' IDEs and Zed's debug.json. It resolves an entry as
// its editor would: platform sections, variables, inputs.
//
// It only reads files and runs nothing. It knows nothing of adapters, sessions or
// tools: what an entry means is said in a Config.
package launch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/project/source"
	"aidb-mcp/internal/system/boundedfile"
	"aidb-mcp/internal/text/jsonwords"
)

// Set is all configurations of a workspace.
type Set struct {
	Root      string
	Folders   []Folder // of a .code-workspace; without one the root alone
	Entries   []*Entry // in the order in which their editors are asked
	Compounds []*Compound
	Problems  []Problem // files that could not be read

	tasks    []taskFile
	settings map[string]json.RawMessage // of the .code-workspace
	allows   func(path string) bool
}

// Folder is a directory of a workspace that has several.
type Folder struct{ Name, Path string }

// Problem is a file that cannot be read, and why.
type Problem struct {
	File string
	Err  *fault.Error
}

// Entry is one configuration as its file has it.
type Entry struct {
	Name, Type, Request string
	File                string // that has it, relative to the root

	scope   scope
	resolve func(*variables) (*Config, error)
}

// Compound is a name for several configurations that are started together.
type Compound struct {
	Name          string
	Members       []Member
	StopAll       bool
	PreLaunchTask TaskRef
	File          string

	scope scope
}

// Member is a configuration that a compound names, and the folder that has it,
// if it says so.
type Member struct{ Name, Folder string }

// scope is where the words of an entry have their meaning: its folder, and the
// inputs of its file.
type scope struct {
	folder Folder
	inputs []input
}

// mostFiles is how many files of run configurations are read.
const mostFiles = 200

// Read reads all configurations of the workspace root. What the policy allows not
// is not looked at; nil allows all.
func Read(root string, allows func(path string) bool) *Set {
	if allows == nil {
		allows = func(string) bool { return true }
	}
	s := &Set{Root: root, Folders: []Folder{{filepath.Base(root), root}}, allows: allows}
	workspace := s.readCodeWorkspace()
	for _, folder := range s.Folders {
		s.readVSCode(folder)
	}
	if workspace != nil {
		s.takeVSCode(workspace.file, workspace.Launch, s.Folders[0])
		s.takeTasks(workspace.file, workspace.Tasks, s.Folders[0])
	}
	for _, folder := range s.Folders {
		s.readZed(folder)
		s.readJetBrains(folder)
	}
	return s
}

// readJSON reads a JSON file with comments and trailing commas into a value. A
// file that does not exist leaves it as it is; what is wrong is kept as a problem.
func (s *Set) readJSON(path string, into any) (there bool) {
	if !s.allows(path) {
		return false
	}
	text, err := boundedfile.ReadText(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false
	}
	name := s.rel(path)
	if err != nil {
		s.problem(name, "%s cannot be read: %s", name, err)
		return false
	}
	tree, err := hujson.Parse(text)
	if err != nil {
		s.problem(name, "%s cannot be read: %s", name, place(err))
		return false
	}
	tree.Standardize()
	if err := json.Unmarshal(tree.Pack(), into); err != nil {
		s.problem(name, "%s cannot be read: %s%s", name, jsonwords.Why(err), at(text, err))
		return false
	}
	return true
}

// place takes the library's name off what is wrong: "line 3, column 5: …".
func place(err error) string { return strings.TrimPrefix(err.Error(), "hujson: ") }

// at is the line on which a value of a wrong type ends.
func at(text []byte, err error) string {
	wrong, ok := errors.AsType[*json.UnmarshalTypeError](err)
	if !ok || wrong.Offset <= 0 || wrong.Offset > int64(len(text)) {
		return ""
	}
	return fmt.Sprintf(" (line %d)", 1+bytes.Count(text[:wrong.Offset], []byte("\n")))
}

func (s *Set) problem(name, format string, args ...any) {
	s.Problems = append(s.Problems, Problem{name, fault.New(fault.ConfigInvalid, format, args...).
		WithField("launch_config_name").WithHint("mend %s, or start with target instead", name)})
}

// isFile says that a file is there, and may be looked at.
func (s *Set) isFile(path string) bool {
	if !s.allows(path) {
		return false
	}
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

func (s *Set) rel(path string) string { return source.Rel(s.Root, path) }

// Names are all names that can be started, compounds too, each once.
func (s *Set) Names() []string {
	var names []string
	for _, e := range s.Entries {
		names = append(names, e.Name)
	}
	for _, c := range s.Compounds {
		names = append(names, c.Name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Entry finds a configuration by its name, and by its folder where that is said;
// nil when there is none.
func (s *Set) Entry(m Member) *Entry {
	for _, e := range s.Entries {
		if e.Name == m.Name && (m.Folder == "" || m.Folder == e.scope.folder.Name) {
			return e
		}
	}
	return nil
}

// Compound finds a compound by its name, nil when there is none.
func (s *Set) Compound(name string) *Compound {
	for _, c := range s.Compounds {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// Missing is the error for a name that nothing has: CONFIG_INVALID where a file
// that may have it cannot be read, else CONFIG_NOT_FOUND with the nearest names.
func (s *Set) Missing(name string) error {
	if len(s.Problems) > 0 {
		return s.Problems[0].Err
	}
	names := s.Names()
	if len(names) == 0 {
		return fault.New(fault.ConfigNotFound, "there are no launch configurations: %s has no .vscode/launch.json, no run configurations of JetBrains and no .zed/debug.json", s.Root).
			WithField("launch_config_name").
			WithHint("start with target instead, or set workspace_root to the directory that has .vscode/launch.json")
	}
	missing := fault.New(fault.ConfigNotFound, "there is no launch configuration %q", name).WithField("launch_config_name")
	known := "there are: " + strings.Join(names, ", ")
	if like := source.Closest(name, names, 3); len(like) > 0 {
		for i := range like {
			like[i] = `"` + like[i] + `"`
		}
		return missing.WithHint("did you mean %s? %s", strings.Join(like, " or "), known)
	}
	return missing.WithHint("%s", known)
}

// Members are the configurations that a compound starts, those of compounds in it
// among them. Errors: CONFIG_INVALID for one that leads back to itself, and for
// members that there are not.
func (s *Set) Members(c *Compound) ([]*Entry, error) { return s.members(c, nil) }

func (s *Set) members(c *Compound, within []string) ([]*Entry, error) {
	if slices.Contains(within, c.Name) {
		return nil, fault.New(fault.ConfigInvalid, "compound %q leads back to itself: %s", c.Name, strings.Join(append(within, c.Name), " → ")).
			WithField("launch_config_name").WithHint("take one of them out of the compound in %s, or start a configuration by its own name", c.File)
	}
	within = append(within, c.Name)
	var list []*Entry
	for _, m := range c.Members {
		if e := s.Entry(m); e != nil {
			if !slices.Contains(list, e) {
				list = append(list, e)
			}
			continue
		}
		inner := s.Compound(m.Name)
		if inner == nil {
			return nil, s.unknownMember(c, m)
		}
		more, err := s.members(inner, within)
		if err != nil {
			return nil, err
		}
		list = append(list, slices.DeleteFunc(more, func(e *Entry) bool { return slices.Contains(list, e) })...)
	}
	if len(list) == 0 {
		return nil, fault.New(fault.ConfigInvalid, "compound %q names no configurations", c.Name).WithField("launch_config_name").
			WithHint("give it configurations in %s, or start one by its own name", c.File)
	}
	return list, nil
}

// unknownMember is the error for a member that there is not.
func (s *Set) unknownMember(c *Compound, m Member) error {
	what := `"` + m.Name + `"`
	if m.Folder != "" {
		what += ` of the folder "` + m.Folder + `"`
	}
	err := fault.New(fault.ConfigInvalid, "compound %q names the configuration %s, which there is not", c.Name, what).WithField("launch_config_name")
	if like := source.Closest(m.Name, s.Names(), 1); len(like) > 0 {
		return err.WithHint("did %s mean %q? There are: %s", c.File, like[0], strings.Join(s.Names(), ", "))
	}
	return err.WithHint("mend %s; there are: %s", c.File, strings.Join(s.Names(), ", "))
}
