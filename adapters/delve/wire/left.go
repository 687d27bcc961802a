package wire

// Left is the body of the reply to disconnect when an attached program was let go:
// what the system told of it afterwards.
type Left struct {
	Gone    bool   `json:"gone,omitempty"`    // it has ended
	Traced  bool   `json:"traced,omitempty"`  // somebody traces it still
	Stopped bool   `json:"stopped,omitempty"` // it stands
	Traps   int    `json:"traps,omitempty"`   // breakpoints that are still in its code
	Problem string `json:"problem,omitempty"` // what did not work on the way
}
