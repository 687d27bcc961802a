package tools

// InitParams are the arguments of init.
type InitParams struct {
	Language         string   `json:"language"`
	Mode             string   `json:"mode" enum:"launch,test,exec,core,attach,remote_attach" list:"no"`
	Framework        string   `json:"framework" list:"no"`
	WorkspaceRoot    string   `json:"workspace_root"`
	WorkspaceRoots   []string `json:"workspace_roots" list:"no"`
	LaunchConfigName string   `json:"launch_config_name"`
	NoSession
	NoWait
	Brief
}

// Init is the definition of init.
func Init() Typed[*InitParams] {
	return define[InitParams]("init", "Look at the workspace",
		"Optional first call: what can be debugged in this workspace (programs, tests, launch configurations), whether the "+
			"adapter is ready, and complete session_start calls to send.",
		Annotations{ReadOnly: true, Idempotent: true})
}
