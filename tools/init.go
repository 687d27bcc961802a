package tools

// InitParams are the arguments of init.
type InitParams struct {
	Language         string   `json:"language"`
	Mode             string   `json:"mode" enum:"launch,test,exec,core,attach,remote_attach"`
	Framework        string   `json:"framework" doc:"test framework, e.g. testing"`
	WorkspaceRoot    string   `json:"workspace_root" doc:"default: the server's directory"`
	WorkspaceRoots   []string `json:"workspace_roots"`
	LaunchConfigName string   `json:"launch_config_name"`
	Reply
}

func initTool() *Definition {
	return define("init", "Look at the workspace",
		"Optional first call: what can be debugged here. Finds languages, programs, tests and launch configurations, says whether "+
			"the debug adapter is ready and what it can do, and answers with complete session_start calls for this workspace.",
		Annotations{ReadOnly: true, Idempotent: true},
		new(InitParams))
}
