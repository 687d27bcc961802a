package responses

// Trigger is what came of what was sent to the program beside a wait.
type Trigger struct {
	Sent       string `json:"sent"`
	Pending    bool   `json:"pending,omitempty"` // it has no answer yet
	Status     int    `json:"status,omitempty"`
	ExitCode   *int   `json:"exit_code,omitempty"`
	Signal     string `json:"signal,omitempty"`
	Error      string `json:"error,omitempty"`
	MS         int64  `json:"ms"`
	Redirect   string `json:"redirect,omitempty"` // where the answer leads, which was not followed
	FirstBytes string `json:"first_bytes,omitempty"`
	Cut        bool   `json:"cut,omitempty"`     // there is more than the first bytes
	Unended    bool   `json:"unended,omitempty"` // the answer had begun, and not ended
	Stderr     string `json:"stderr,omitempty"`
}

// trim keeps the beginning of what was answered.
func (t *Trigger) trim(keep int) trim {
	return func(int) bool {
		if t == nil {
			return false
		}
		first, stderr := shortenEncoded(t.FirstBytes, keep), shortenEncoded(t.Stderr, keep)
		changed := first != t.FirstBytes || stderr != t.Stderr
		t.Cut = t.Cut || first != t.FirstBytes
		t.FirstBytes, t.Stderr = first, stderr
		return changed
	}
}

// bare is what is never given up.
func (t *Trigger) bare() *Trigger {
	if t == nil {
		return nil
	}
	return &Trigger{
		Sent: shortenEncoded(t.Sent, 60), Pending: t.Pending, Status: t.Status, ExitCode: t.ExitCode, Signal: t.Signal,
		Error: shortenEncoded(t.Error, 60), MS: t.MS, Cut: t.Cut || t.FirstBytes != "", Unended: t.Unended,
	}
}
