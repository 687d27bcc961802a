package responses

// Trace is the data of trace: a table with a row a hit.
type Trace struct {
	Columns []string   `json:"columns"` // the first is "at"
	Rows    [][]string `json:"rows"`
	Gap     int        `json:"gap,omitempty"` // rows in front of those that were dropped
	Hits    int64      `json:"hits"`
	Dropped int64      `json:"dropped,omitempty"`
	How     string     `json:"how,omitempty"`
	Ended   string     `json:"ended,omitempty"` // how the run ended, where that is not a plain end
	Output  *Output    `json:"output,omitzero"`
	Notes   []string   `json:"warnings,omitempty"`

	// Of what is armed in a running program: its id, whether that runs, and rows that wait
	// for the next read.
	ID      string   `json:"id,omitempty"`
	Running *bool    `json:"running,omitempty"`
	Waiting int      `json:"waiting,omitempty"`
	Trigger *Trigger `json:"trigger,omitzero"`

	First *Parting `json:"first_difference,omitempty"` // where the second run parts from the first

	Moment *Moment `json:"first,omitempty"`
	Judged *int64  `json:"judged,omitempty"` // how often the condition of first was; nil for the other kinds
	Failed int64   `json:"judged_in_vain,omitempty"`

	Second       *Moment `json:"second,omitempty"` // of the second run, where two were compared
	JudgedSecond *int64  `json:"judged_second,omitempty"`

	Same     Sameness   `json:"same,omitempty"`    // of two runs
	Endings  []Ending   `json:"endings,omitempty"` // of two runs
	Evidence []Evidence `json:"evidence,omitempty"`

	More Call `json:"-"` // gets more rows; empty where there is none
	cut  int
}

// rowsLeftOut says how many rows of a table were cut, and by which call they are had.
func rowsLeftOut(shown, cut int, more *Call) []Omission {
	if cut == 0 {
		return nil
	}
	o := Omission{What: "rows", Shown: shown, Total: shown + cut}
	if more.Tool != "" {
		o.Get = more
	}
	return []Omission{o}
}

func (t *Trace) omissions() []Omission {
	return append(rowsLeftOut(len(t.Rows), t.cut, &t.More), t.Output.omissions()...)
}

func (t *Trace) trims() []trim {
	return []trim{t.trimEvidence, t.Output.trim(500), t.Trigger.trim(200), t.trimRows(10), t.Output.trim(0), t.trimRows(0), t.Trigger.trim(0)}
}

func (t *Trace) trimEvidence(int) bool {
	had := t.Evidence != nil
	t.Evidence = nil
	return had
}

// trimRows takes rows out of the middle, where those that were dropped lie.
func (t *Trace) trimRows(keep int) trim {
	return func(over int) bool {
		if len(t.Rows) <= keep {
			return false
		}
		if t.Gap == 0 || t.Gap > len(t.Rows) {
			t.Gap = (len(t.Rows) + 1) / 2
		}
		for freed := 0; freed < over && len(t.Rows) > keep; {
			at := min(t.Gap, len(t.Rows)-1)
			if t.Gap > len(t.Rows)-t.Gap {
				t.Gap--
				at = t.Gap
			}
			freed += size(t.Rows[at]) + 1
			t.Rows = append(t.Rows[:at:at], t.Rows[at+1:]...)
			t.cut++
			t.Dropped++
		}
		return true
	}
}

// Parting is where two runs part: the first row that differs, counted from 1 in its
// thread. A side that has ended before it is left out.
type Parting struct {
	Row    int      `json:"row"`
	Ours   []string `json:"ours,omitempty"`
	Theirs []string `json:"theirs,omitempty"`
}

// Moment is when a condition first came to hold, or when an expression took a value that
// it does not take in another run.
type Moment struct {
	At       string      `json:"at"` // the statement that had run
	Function string      `json:"function"`
	Thread   string      `json:"thread,omitempty"`
	Code     string      `json:"code,omitempty"`
	Event    int64       `json:"event"`
	Judged   int64       `json:"judgement,omitempty"` // at which, where two runs were compared
	Instance int64       `json:"instance,omitempty"`  // for which one it was, by when it was built, where each instance of a type is judged
	Among    int64       `json:"instances,omitempty"` // that were there
	Seen     string      `json:"seen,omitempty"`      // in front of which line it was judged
	Before   []PartValue `json:"before,omitempty"`
	After    []PartValue `json:"after,omitempty"`
	Values   []PartValue `json:"values,omitempty"`
	Stack    []string    `json:"stack,omitempty"`
}
