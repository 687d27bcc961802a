package tools

import "time"

// AdapterParams are the arguments of adapter.
type AdapterParams struct {
	Action   string `json:"action" enum:"list,install,install_all,verify,remove" default:"list"`
	Language string `json:"language"`
	Version  string `json:"version"`
	Force    bool   `json:"force" doc:"mends damage"`
	NoSession
	NoWait
	Brief
}

// Adapter is the definition of adapter.
func Adapter() Typed[*AdapterParams] {
	return define[AdapterParams]("adapter", "Debug adapters",
		"Debug adapters: which there are and can run here. install fetches one by pip or npm and checks its pinned SHA-256.",
		Annotations{Destructive: true, Idempotent: true, OpenWorld: true})
}

// Timeout is how long the call may take: as long as what it fetches.
func (p *AdapterParams) Timeout() time.Duration { return 10 * time.Minute }
