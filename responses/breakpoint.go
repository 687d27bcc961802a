package responses

// Breakpoint is one breakpoint or watchpoint.
type Breakpoint struct {
	ID           int      `json:"id"`
	Kind         string   `json:"kind"` // line, function, watch
	Location     string   `json:"location,omitempty"`
	Function     string   `json:"function,omitempty"`
	Expression   string   `json:"expression,omitempty"` // watched
	Access       string   `json:"access_type,omitempty"`
	Verified     bool     `json:"verified"`
	Disabled     bool     `json:"disabled,omitempty"`
	Message      string   `json:"message,omitempty"`       // why it is not bound, or a remark
	Nearest      []int    `json:"nearest_lines,omitempty"` // that would bind
	Similar      []string `json:"similar,omitempty"`       // functions with a like name
	MovedFrom    int      `json:"moved_from,omitempty"`    // line
	MovedWhy     string   `json:"moved_why,omitempty"`
	Text         string   `json:"text,omitempty"` // of its line
	Condition    string   `json:"condition,omitempty"`
	HitCondition string   `json:"hit_condition,omitempty"`
	LogMessage   string   `json:"log_message,omitempty"`
	Show         []string `json:"show,omitempty"` // expressions evaluated at its stops
	Hits         int      `json:"hits,omitempty"`
	Reached      int      `json:"reached,omitempty"` // more often than it was hit: its condition did not hold each time
}

// Breakpoints is the data of the breakpoint tool.
type Breakpoints struct {
	Breakpoint  *Breakpoint       `json:"breakpoint,omitempty"`
	Breakpoints *List[Breakpoint] `json:"breakpoints,omitempty"`
	Removed     []int             `json:"removed,omitempty"`
	Exceptions  []string          `json:"exceptions,omitempty"` // filters that are on
}

func (b *Breakpoints) omissions() []Omission { return b.Breakpoints.omissions() }

func (b *Breakpoints) trims() []trim {
	return []trim{b.trimTexts, b.Breakpoints.trim(3), b.Breakpoints.trim(0), b.trimRemoved}
}

// trimTexts gives up the source texts of listed breakpoints: the location is there.
func (b *Breakpoints) trimTexts(int) bool {
	if b.Breakpoints == nil {
		return false
	}
	changed := false
	for i := range b.Breakpoints.Rows {
		row := &b.Breakpoints.Rows[i]
		changed = changed || row.Text != ""
		row.Text = ""
	}
	return changed
}

func (b *Breakpoints) trimRemoved(int) bool {
	const few = 20
	changed := len(b.Removed) > few
	b.Removed = b.Removed[:min(len(b.Removed), few)]
	return changed
}
