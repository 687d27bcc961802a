package launch

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/mcp/client"
	"aidb-mcp/internal/project/source"
	"aidb-mcp/internal/text/pattern"
)

// Options are what a call says of the entry that it names.
type Options struct {
	File string // the file that an editor would show, empty when the call names none
	Line int    // in it, 0 when not known
	// Ask asks a person for an input; nil: nobody can be asked, and inputs have their defaults.
	// ErrUnasked leaves the default, any other error ends the resolving.
	Ask func(q client.Question) (string, error)
}

// ErrUnasked is what Ask says when there is no answer.
var ErrUnasked = errors.New("there is no answer")

// Lack is why a parameter of a start could not be filled in. It does no harm to a
// call that gives the parameter.
type Lack struct {
	Param string // "env.PATH" for one variable of env
	Err   *fault.Error
}

// variables fills in ${…} in one entry.
type variables struct {
	set    *Set
	scope  scope
	entry  string // "launch configuration \"x\"", for errors
	o      Options
	inputs map[string]string // answered
	trail  []string          // variables that are being filled in, for those that lead back to themselves
	lacks  []Lack
	fatal  error // ends the resolving
}

func (s *Set) variables(sc scope, entry string, o Options) *variables {
	return &variables{set: s, scope: sc, entry: entry, o: o, inputs: map[string]string{}}
}

var variable = pattern.New(`\$\{[^}]*\}`)

// fill fills in a text for a parameter; what cannot be filled in is noted as a lack.
func (v *variables) fill(param, text string) string {
	filled, err := v.expand(text)
	if err != nil {
		v.lack(param, err)
	}
	return filled
}

func (v *variables) lack(param string, err error) {
	var f *fault.Error
	if !errors.As(err, &f) {
		v.fatal = err
		return
	}
	copied := *f
	if copied.Hint == "" {
		copied.Hint = "give " + plainParam(param) + " yourself: what session_start is given takes the place of the configuration's"
	}
	copied.Field = "launch_config_name"
	v.lacks = append(v.lacks, Lack{param, &copied})
}

// plainParam is a parameter for people: env.PATH is a variable of env.
func plainParam(param string) string {
	if name, ok := strings.CutPrefix(param, "env."); ok {
		return `env {"` + name + `": …}`
	}
	return param
}

func (v *variables) fillAll(param string, list []string) []string {
	var out []string
	for _, text := range list {
		out = append(out, v.fill(param, text))
	}
	return out
}

// deep fills in the texts of a value.
func (v *variables) deep(param string, value any) any {
	switch value := value.(type) {
	case string:
		return v.fill(param, value)
	case []any:
		for i := range value {
			value[i] = v.deep(param, value[i])
		}
	case map[string]any:
		for name := range value {
			value[name] = v.deep(param, value[name])
		}
	}
	return value
}

// expand fills in a text. The first variable that cannot be filled in is the error.
func (v *variables) expand(text string) (string, error) {
	var first error
	filled := variable.ReplaceAllStringFunc(text, func(whole string) string {
		if first != nil {
			return ""
		}
		value, err := v.value(whole[2 : len(whole)-1])
		first = err
		return value
	})
	if first != nil {
		return "", first
	}
	return filled, nil
}

func (v *variables) invalid(format string, args ...any) *fault.Error {
	f := fault.New(fault.ConfigInvalid, format, args...)
	f.Message = v.entry + " " + f.Message
	return f
}

// value is what a variable stands for.
func (v *variables) value(name string) (string, error) {
	kind, argument, typed := strings.Cut(name, ":")
	if !typed {
		return v.simple(name)
	}
	switch kind {
	case "env":
		return v.environment(argument)
	case "config":
		return v.fillNested(name, func() (string, error) { return v.setting(argument) })
	case "input":
		return v.fillNested(name, func() (string, error) { return v.input(argument) })
	case "command":
		return "", v.command(argument)
	case "workspaceFolder", "workspaceFolderBasename", "workspaceRoot", "relativeFile":
		folder, err := v.folder(argument)
		if err != nil {
			return "", err
		}
		return v.folderVariable(kind, folder)
	}
	return "", v.invalid("uses ${%s}, which is no variable", name)
}

// fillNested fills in what may have variables of its own, and notices one that leads
// back to itself.
func (v *variables) fillNested(name string, fill func() (string, error)) (string, error) {
	if i := slices.Index(v.trail, name); i >= 0 {
		return "", v.invalid("uses ${%s}, which leads back to itself: %s", name, strings.Join(append(slices.Clone(v.trail[i:]), name), " → "))
	}
	v.trail = append(v.trail, name)
	defer func() { v.trail = v.trail[:len(v.trail)-1] }()
	return fill()
}

func (v *variables) environment(name string) (string, error) {
	if value, set := os.LookupEnv(name); set {
		return value, nil
	}
	return "", v.invalid("uses ${env:%s}, and the environment of the server has no variable %s", name, name)
}

// folder finds a folder of the workspace by its name.
func (v *variables) folder(name string) (Folder, error) {
	var names []string
	for _, f := range v.set.Folders {
		if f.Name == name {
			return f, nil
		}
		names = append(names, f.Name)
	}
	err := v.invalid("uses the folder %q, which the workspace does not have", name)
	if like := source.Closest(name, names, 1); len(like) > 0 {
		return Folder{}, err.WithHint("did you mean %q? The workspace has: %s", like[0], strings.Join(names, ", "))
	}
	return Folder{}, err.WithHint("the workspace has: %s; a .code-workspace file in its directory names others", strings.Join(names, ", "))
}

func (v *variables) folderVariable(kind string, folder Folder) (string, error) {
	switch kind {
	case "workspaceFolderBasename":
		return filepath.Base(folder.Path), nil
	case "relativeFile":
		file, err := v.file(kind)
		return source.Rel(folder.Path, file), err
	}
	return folder.Path, nil
}

// simple is a variable without an argument.
func (v *variables) simple(name string) (string, error) {
	switch name {
	case "workspaceFolder", "workspaceRoot", "cwd", "fileWorkspaceFolder":
		return v.scope.folder.Path, nil
	case "workspaceFolderBasename", "fileWorkspaceFolderBasename":
		return filepath.Base(v.scope.folder.Path), nil
	case "pathSeparator", "/":
		return string(filepath.Separator), nil
	case "userHome":
		home, err := os.UserHomeDir()
		if err != nil {
			return "", v.invalid("uses ${userHome}: %w", err)
		}
		return home, nil
	case "lineNumber":
		if v.o.Line > 0 {
			return strconv.Itoa(v.o.Line), nil
		}
		return "", v.invalid("uses ${lineNumber}: the line at which an editor's cursor stands").
			WithHint("name the line with a breakpoint in breakpoints")
	case "selectedText", "columnNumber", "execPath", "extensionInstallFolder":
		return "", v.invalid("uses ${%s}, which only an editor knows", name)
	}
	if value, ok := v.fileVariable(name); ok {
		_, err := v.file(name)
		return value, err
	}
	return "", v.invalid("uses ${%s}, which is no variable", name)
}

// file is the file that an editor would show: the one that the call names.
func (v *variables) file(name string) (string, error) {
	if v.o.File == "" {
		return "", v.invalid("uses ${%s}: the file that is open in an editor", name).
			WithHint("name the file: as target, or in breakpoints")
	}
	return v.o.File, nil
}

func (v *variables) fileVariable(name string) (string, bool) {
	file := v.o.File
	base, ext := filepath.Base(file), filepath.Ext(file)
	switch name {
	case "file":
		return file, true
	case "fileBasename":
		return base, true
	case "fileBasenameNoExtension":
		return strings.TrimSuffix(base, ext), true
	case "fileExtname":
		return ext, true
	case "fileDirname":
		return filepath.Dir(file), true
	case "fileDirnameBasename":
		return filepath.Base(filepath.Dir(file)), true
	case "relativeFile":
		return source.Rel(v.scope.folder.Path, file), true
	case "relativeFileDirname":
		return source.Rel(v.scope.folder.Path, filepath.Dir(file)), true
	}
	return "", false
}

// command is the error for ${command:…}: what an extension of an editor would do.
func (v *variables) command(name string) error {
	err := v.invalid("uses ${command:%s}, which only an editor can run", name)
	if lower := strings.ToLower(name); strings.Contains(lower, "pick") && strings.Contains(lower, "process") {
		return err.WithHint("give pid; or mode attach with target, a part of the process's command line")
	}
	return err
}

// setting is a value of the settings of the workspace, by a name with dots.
func (v *variables) setting(name string) (string, error) {
	raw, found, err := v.set.setting(v.scope.folder, name)
	switch {
	case err != nil:
		return "", err
	case !found:
		return "", v.invalid("uses ${config:%s}, and neither .vscode/settings.json nor a .code-workspace has %s", name, name)
	}
	var value any
	if err := json.Unmarshal(raw, &value); err != nil {
		return "", v.invalid("uses ${config:%s}: %w", name, err)
	}
	switch value := value.(type) {
	case string:
		return v.expand(value)
	case bool, float64:
		return strings.TrimSpace(string(raw)), nil
	}
	return "", v.invalid("uses ${config:%s}, which is no text, number or switch", name)
}
