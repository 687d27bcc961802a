package tools

// ConfigParams are the arguments of config.
type ConfigParams struct {
	Action   string `json:"action" enum:"show,get,set,env,capabilities,launch,adapters" default:"show"`
	Key      string `json:"key"`
	Value    string `json:"value"`
	Language string `json:"language"`
	// of config(launch)
	ConfigName    string `json:"config_name" list:"no"`
	WorkspaceRoot string `json:"workspace_root" list:"no"`
	SessionRef
	NoWait
	Brief
}

// Config is the definition of config.
func Config() Typed[*ConfigParams] {
	return define[ConfigParams]("config", "Settings and capabilities",
		"What this debugger can do (capabilities: native, supplied or impossible), its settings, launch configurations.",
		Annotations{Idempotent: true})
}
