package responses

// Adapter is a debug adapter and its state on this machine.
type Adapter struct {
	Language string   `json:"language"`
	Name     string   `json:"name"`
	Ready    bool     `json:"ready"`
	Version  string   `json:"version,omitempty"`
	Path     string   `json:"path,omitempty"`
	Problem  string   `json:"problem,omitempty"`
	Remedy   string   `json:"remedy,omitempty"`
	Modes    []string `json:"modes,omitempty"`
}

// Adapters is the data of adapter and config(adapters).
type Adapters struct {
	Components []Component `json:"components,omitempty"`
	Directory  string      `json:"directory,omitempty"` // of the components
	Adapters   []Adapter   `json:"adapters,omitempty"`
}

// Component is what was installed for one or more languages, or was not.
type Component struct {
	Name      string   `json:"name"`
	Version   string   `json:"version,omitempty"`
	Languages []string `json:"languages,omitempty"`
	State     string   `json:"state"`
	Pinned    string   `json:"pinned,omitempty"` // when another version is installed
	Problem   string   `json:"problem,omitempty"`
	Files     []string `json:"files,omitempty"` // that are missing or changed
	FileCount int      `json:"file_count,omitempty"`
}

// Config is the data of config.
type Config struct {
	Key          string        `json:"key,omitempty"`
	Value        any           `json:"value,omitempty"`
	Was          any           `json:"was,omitempty"`
	Settings     Object        `json:"settings,omitempty"`
	Environment  Object        `json:"environment,omitempty"`
	Capabilities Object        `json:"capabilities,omitempty"`
	Adapters     []Adapter     `json:"adapters,omitempty"`
	Launches     *List[Launch] `json:"launch,omitzero"`    // configurations of editors
	Problems     []string      `json:"problems,omitempty"` // files of theirs that cannot be read
	Version      string        `json:"version,omitempty"`
	Workspace    string        `json:"workspace,omitempty"`
	Policy       string        `json:"policy,omitempty"` // what is forbidden
}
