package responses

// Launch is one launch configuration as config(launch) shows it.
type Launch struct {
	Name    string   `json:"name"`
	File    string   `json:"file"`                    // that has it
	Start   Object   `json:"session_start,omitempty"` // what it means, as arguments
	Before  []string `json:"before,omitempty"`        // tasks, each with what it runs
	After   []string `json:"after,omitempty"`         // the same
	Members []string `json:"members,omitempty"`       // of a compound
	Note    string   `json:"note,omitempty"`
	Problem string   `json:"problem,omitempty"` // what keeps it from starting
	Remedy  string   `json:"remedy,omitempty"`
}

func (l *Launch) write(p *page) {
	p.line("%s (%s)", l.Name, l.File)
	p.within(inward, func() {
		p.walk("session_start", l.Start)
		p.rows("before", l.Before)
		p.rows("after", l.After)
		p.list("members", l.Members)
		p.fact("note", l.Note)
		p.fact("problem", l.Problem)
		p.fact("remedy", l.Remedy)
	})
}

func (c *Config) omissions() []Omission { return c.Launches.omissions() }

func (c *Config) trims() []trim { return []trim{c.Launches.trim(1)} }
