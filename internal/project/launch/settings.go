package launch

import (
	"encoding/json"
	"path/filepath"
	"strings"
)

// codeWorkspace is a .code-workspace file: a workspace of several folders.
type codeWorkspace struct {
	Folders []struct {
		Name string `json:"name"`
		Path string `json:"path"`
	} `json:"folders"`
	Settings map[string]json.RawMessage `json:"settings"`
	Launch   vscodeLaunch               `json:"launch"`
	Tasks    vscodeTasks                `json:"tasks"`

	file string
}

// mostFolders is how many folders of a workspace are read.
const mostFolders = 50

// readCodeWorkspace reads the .code-workspace of the root, or the one beside it
// that names the root; nil when there is none.
func (s *Set) readCodeWorkspace() *codeWorkspace {
	for _, dir := range []string{s.Root, filepath.Dir(s.Root)} {
		found, err := filepath.Glob(filepath.Join(escapePattern(dir), "*.code-workspace"))
		if err != nil {
			continue
		}
		for _, path := range found[:min(len(found), mostFolders)] {
			w := &codeWorkspace{file: s.rel(path)}
			if s.readJSON(path, w) && s.takeFolders(w, dir) {
				s.settings = w.Settings
				return w
			}
		}
	}
	return nil
}

// escapePattern writes a directory as a pattern has it.
func escapePattern(dir string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(dir)
}

// takeFolders takes the folders of a workspace, the root first. One that lies beside
// the root must name it: it may be about anything else.
func (s *Set) takeFolders(w *codeWorkspace, dir string) bool {
	var list []Folder
	named := dir == s.Root
	for _, f := range w.Folders[:min(len(w.Folders), mostFolders)] {
		path := f.Path
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, filepath.FromSlash(path))
		}
		if f.Name == "" {
			f.Name = filepath.Base(path)
		}
		if path == s.Root {
			s.Folders[0].Name, named = f.Name, true
			continue
		}
		if s.allows(path) {
			list = append(list, Folder{f.Name, path})
		}
	}
	if named {
		s.Folders = append(s.Folders, list...)
	}
	return named
}

// setting is a value of the settings of a folder, else of the workspace. The names of
// settings have dots; a value may also stand in objects. The error is why the settings
// of the folder cannot be read.
func (s *Set) setting(folder Folder, name string) (value json.RawMessage, found bool, err error) {
	var own map[string]json.RawMessage
	if known := len(s.Problems); !s.readJSON(filepath.Join(folder.Path, ".vscode", "settings.json"), &own) && len(s.Problems) > known {
		err = s.Problems[known].Err
		s.Problems = s.Problems[:known]
	}
	for _, settings := range []map[string]json.RawMessage{own, s.settings} {
		if value, found := lookUp(settings, name); found {
			return value, true, nil
		}
	}
	return nil, false, err
}

// lookUp finds a name as a whole, or as members of members.
func lookUp(settings map[string]json.RawMessage, name string) (json.RawMessage, bool) {
	if value, found := settings[name]; found {
		return value, true
	}
	for i := len(name) - 1; i > 0; i-- {
		if name[i] != '.' {
			continue
		}
		var inner map[string]json.RawMessage
		if raw, found := settings[name[:i]]; found && json.Unmarshal(raw, &inner) == nil {
			if value, found := lookUp(inner, name[i+1:]); found {
				return value, true
			}
		}
	}
	return nil, false
}
