package tools

import "encoding/json"

// ProfileParams are the arguments of profile.
type ProfileParams struct {
	What    string          `json:"what" enum:"cpu,memory,waits"`
	Seconds int             `json:"seconds" min:"0" max:"300" list:"bare"`
	Against json.RawMessage `json:"against"`
	Save    bool            `json:"save"`
	Limit   int             `json:"limit" min:"1" max:"1000" list:"no"`
	Start
	SessionRef
	Wait
	Brief
}

// Profile is the definition of profile.
func Profile() Typed[*ProfileParams] {
	return define[ProfileParams]("profile", "Profile",
		"Measures a run, or the running program of a session: where its time goes, what grows, where threads stand",
		Annotations{OpenWorld: true})
}
