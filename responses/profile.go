package responses

// Profile is the data of profile.
type Profile struct {
	Rows      []ProfileRow `json:"rows"`                // by line, or of memory by type
	Lines     []ProfileRow `json:"lines,omitempty"`     // of memory: the lines that allocated it
	Functions []ProfileRow `json:"functions,omitempty"` // by function
	Hottest   []string     `json:"hottest,omitempty"`   // the way down on which most is spent
	Holder    []string     `json:"holder,omitempty"`    // the way from a root to the largest that is held
	Holders   [][]string   `json:"other_holders,omitempty"`
	Samples   *int64       `json:"samples,omitempty"` // nil of memory
	CPU       int64        `json:"cpu_ms,omitempty"`  // processor time that the samples stand for
	Second    *SecondRun   `json:"second,omitempty"`
	Seconds   float64      `json:"seconds"`         // how long it was measured
	Compared  float64      `json:"since,omitempty"` // seconds since the look before, which memory is compared with
	Count     int64        `json:"count,omitempty"` // of memory: of all
	Bytes     int64        `json:"bytes,omitempty"`
	Grown     int64        `json:"grown,omitempty"`
	How       string       `json:"how,omitempty"`
	Cost      string       `json:"cost,omitempty"`
	File      string       `json:"file,omitempty"`
	Ended     string       `json:"ended,omitempty"`
	Output    *Output      `json:"output,omitzero"`
	Notes     []string     `json:"warnings,omitempty"`

	More Call `json:"-"` // gets more rows
	kind profileKind
	cut  int
}

// profileKind is which columns a profile has.
type profileKind int

const (
	ofTime profileKind = iota
	ofMemory
	ofWaits
)

// OfMemory and OfWaits say what the rows are.
func (d *Profile) OfMemory() { d.kind = ofMemory }

// OfWaits says that the rows tell where threads stood.
func (d *Profile) OfWaits() { d.kind = ofWaits }

// ProfileRow is a line, a function or a type. Shares are percent of all.
type ProfileRow struct {
	At       string   `json:"at,omitempty"`
	Function string   `json:"function,omitempty"`
	WaitsFor string   `json:"waits_for,omitempty"`
	Type     string   `json:"type,omitempty"`
	Self     *float64 `json:"self,omitempty"`
	Total    *float64 `json:"total,omitempty"`
	SelfMS   *int64   `json:"self_ms,omitempty"` // of two runs, where shares of each say little
	TotalMS  *int64   `json:"total_ms,omitempty"`
	Second   *Share   `json:"second,omitempty"` // in the second run
	Count    *int64   `json:"count,omitempty"`
	Bytes    *int64   `json:"bytes,omitempty"`
	Grown    *int64   `json:"grown,omitempty"`       // bytes; objects where no sizes are known
	GrownBy  *int64   `json:"grown_count,omitempty"` // objects
	Library  string   `json:"library,omitempty"`     // what of libraries is in self
	Code     string   `json:"code,omitempty"`
}

// Share is what a place has in a second run.
type Share struct {
	Self    float64 `json:"self"`
	Total   float64 `json:"total"`
	SelfMS  *int64  `json:"self_ms,omitempty"`
	TotalMS *int64  `json:"total_ms,omitempty"`
	Bytes   *int64  `json:"bytes,omitempty"`
}

// SecondRun is what a second run came to.
type SecondRun struct {
	Samples *int64  `json:"samples,omitempty"`
	CPU     int64   `json:"cpu_ms,omitempty"`
	Bytes   int64   `json:"bytes,omitempty"`
	Seconds float64 `json:"seconds"`
	Ended   string  `json:"ended,omitempty"`
}

func (d *Profile) omissions() []Omission {
	return append(rowsLeftOut(len(d.Rows), d.cut, &d.More), d.Output.omissions()...)
}

// Limit leaves the first rows, and counts the others.
func (d *Profile) Limit(most int) {
	if len(d.Rows) > most {
		d.cut += len(d.Rows) - most
		d.Rows = d.Rows[:most]
	}
	d.Lines = d.Lines[:min(len(d.Lines), most)]
	d.Functions = d.Functions[:min(len(d.Functions), most)]
}

func (d *Profile) trims() []trim {
	return []trim{d.Output.trim(500), d.trimRows(15), d.trimFunctions(5), d.trimRows(5), d.Output.trim(0), d.trimRows(1)}
}

func (d *Profile) trimFunctions(keep int) trim {
	return func(int) bool {
		had := len(d.Functions) > keep || len(d.Lines) > keep || len(d.Holders) > 0
		d.Functions, d.Lines, d.Holders = d.Functions[:min(keep, len(d.Functions))], d.Lines[:min(keep, len(d.Lines))], nil
		return had
	}
}

// trimRows takes the last rows.
func (d *Profile) trimRows(keep int) trim {
	return func(over int) bool {
		before := len(d.Rows)
		for freed := 0; freed < over && len(d.Rows) > keep; d.cut++ {
			freed += size(d.Rows[len(d.Rows)-1]) + 1
			d.Rows = d.Rows[:len(d.Rows)-1]
		}
		return len(d.Rows) < before
	}
}
