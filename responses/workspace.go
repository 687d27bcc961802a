package responses

// Workspace is the data of init.
type Workspace struct {
	Root           string            `json:"workspace"`
	MoreRoots      []string          `json:"more_roots,omitempty"`
	Languages      []string          `json:"languages,omitempty"`
	BuildFiles     *List[string]     `json:"build_files,omitzero"`
	TestFrameworks []string          `json:"test_frameworks,omitempty"`
	Programs       *List[string]     `json:"programs,omitzero"`
	Tests          *List[TestTarget] `json:"tests,omitzero"`
	LaunchConfigs  *List[string]     `json:"launch_configs,omitzero"`
	Environments   []string          `json:"virtual_environments,omitempty"`
	Containers     []Container       `json:"containers,omitempty"`
	Adapters       []Adapter         `json:"adapters,omitempty"`
	Capabilities   Object            `json:"capabilities,omitempty"`
	Notes          []string          `json:"notes,omitempty"`
}

// Container is a service of a compose file whose debug port is open to this machine.
type Container struct {
	Service  string `json:"service"`
	File     string `json:"file"`
	Language string `json:"language"`
	Address  string `json:"address"`
	Listens  bool   `json:"listens,omitempty"` // somebody listens there now
}

// TestTarget is a package or file with tests.
type TestTarget struct {
	Target string   `json:"target"`
	Tests  []string `json:"tests,omitempty"`
	Total  int      `json:"total,omitempty"` // tests in it, when Tests has only the first
}

func (w *Workspace) omissions() []Omission {
	var all []Omission
	for _, part := range []omitter{w.Programs, w.Tests, w.LaunchConfigs} {
		all = append(all, part.omissions()...)
	}
	return all
}

func (w *Workspace) trims() []trim {
	return []trim{w.Tests.trim(5), w.Programs.trim(5), w.LaunchConfigs.trim(3), w.Tests.trim(0), w.Programs.trim(1), w.LaunchConfigs.trim(0)}
}
