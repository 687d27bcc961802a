package launch

import (
	"cmp"
	"encoding/json"
	"maps"
	"path/filepath"
	"runtime"

	"aidb-mcp/internal/text/jsonwords"
)

// vscodeLaunch is what a launch.json has.
type vscodeLaunch struct {
	Configurations []json.RawMessage `json:"configurations"`
	Compounds      []json.RawMessage `json:"compounds"`
	Inputs         []input           `json:"inputs"`
}

// readVSCode takes the configurations and tasks of a folder.
func (s *Set) readVSCode(folder Folder) {
	var file vscodeLaunch
	path := filepath.Join(folder.Path, ".vscode", "launch.json")
	if s.readJSON(path, &file) {
		s.takeVSCode(s.rel(path), file, folder)
	}
	var tasks vscodeTasks
	path = filepath.Join(folder.Path, ".vscode", "tasks.json")
	s.readJSON(path, &tasks)
	s.takeTasks(s.rel(path), tasks, folder)
}

func (s *Set) takeVSCode(name string, file vscodeLaunch, folder Folder) {
	sc := scope{folder: folder, inputs: file.Inputs}
	for _, raw := range file.Configurations {
		var head struct {
			Name    string `json:"name"`
			Type    string `json:"type"`
			Request string `json:"request"`
		}
		whole := mergePlatform(raw)
		_ = decode(whole, &head) // what is wrong is told when it is resolved
		s.Entries = append(s.Entries, &Entry{
			Name: head.Name, Type: head.Type, Request: head.Request, File: name, scope: sc,
			resolve: func(v *variables) (*Config, error) { return resolveVSCode(v, whole, name) },
		})
	}
	for _, raw := range file.Compounds {
		s.takeCompound(raw, name, sc)
	}
}

func (s *Set) takeCompound(raw json.RawMessage, name string, sc scope) {
	var c struct {
		Name           string            `json:"name"`
		Configurations []json.RawMessage `json:"configurations"`
		StopAll        bool              `json:"stopAll"`
		PreLaunchTask  TaskRef           `json:"preLaunchTask"`
	}
	if err := json.Unmarshal(raw, &c); err != nil {
		s.problem(name, "a compound of %s cannot be read: %s", name, jsonwords.Why(err))
		return
	}
	compound := &Compound{Name: c.Name, StopAll: c.StopAll, PreLaunchTask: c.PreLaunchTask, File: name, scope: sc}
	for _, raw := range c.Configurations {
		var m Member
		if json.Unmarshal(raw, &m.Name) != nil {
			_ = json.Unmarshal(raw, &m) // a member without a name is none that there is
		}
		compound.Members = append(compound.Members, m)
	}
	s.Compounds = append(s.Compounds, compound)
}

// mergePlatform gives an object with the section of this platform merged over it.
func mergePlatform(raw json.RawMessage) map[string]json.RawMessage {
	var whole, own map[string]json.RawMessage
	if json.Unmarshal(raw, &whole) != nil {
		return nil
	}
	section := map[string]string{"darwin": "osx"}[runtime.GOOS]
	if json.Unmarshal(whole[cmp.Or(section, runtime.GOOS)], &own) == nil {
		maps.Copy(whole, own)
	}
	return whole
}

// decode reads the members of an object into a struct.
func decode(whole map[string]json.RawMessage, into any) error {
	raw, err := json.Marshal(whole)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, into)
}
