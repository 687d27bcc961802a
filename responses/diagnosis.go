package responses

// Diagnosis is the data of diagnose: what went wrong with a run, and the part of the
// program that shows it first.
type Diagnosis struct {
	Verdict  string        `json:"verdict"`
	FailsAs  string        `json:"fails_as,omitempty"` // the verdict on the run that failed, where others did not
	Message  string        `json:"message,omitempty"`
	Causes   []string      `json:"causes,omitempty"`
	ExitCode *int          `json:"exit_code,omitempty"`
	Signal   string        `json:"signal,omitempty"`
	Location string        `json:"location,omitempty"`
	Function string        `json:"function,omitempty"`
	Snapshot *Snapshot     `json:"code_snapshot,omitempty"`
	Culprit  *Culprit      `json:"culprit,omitempty"`
	Accesses []FaultAccess `json:"accesses,omitempty"` // of which a fault consists that a detector has reported
	Parts    []PartValue   `json:"parts,omitempty"`
	Expected string        `json:"expected,omitempty"`
	Actual   string        `json:"actual,omitempty"`
	Left     string        `json:"left,omitempty"`
	Right    string        `json:"right,omitempty"`
	Locals   *Variables    `json:"locals,omitzero"`
	Frames   []UserFrame   `json:"frames,omitempty"`
	Samples  [][]string    `json:"samples,omitempty"` // of a hang: what its threads were at, three times
	Cycles   []string      `json:"cycles,omitempty"`  // of what waits for each other
	Waits    *List[Wait]   `json:"waits,omitempty"`
	Changed  Changes       `json:"changed_variables,omitempty"`
	Report   string        `json:"report,omitempty"` // of a sanitizer
	Detector *Detector     `json:"detector,omitempty"`
	Errors   any           `json:"errors,omitempty"` // of a compiler
	Calls    *CallRows     `json:"calls,omitempty"`
	Output   *Output       `json:"output,omitzero"`
	Leftover []Left        `json:"leftover,omitempty"` // what a program that ended well has left running
	Runs     *Runs         `json:"runs,omitempty"`
	Opinion  *Opinion      `json:"opinion,omitempty"`
	Tried    *Tried        `json:"attempts,omitempty"` // against this failure
	Solved   *Solved       `json:"solved,omitempty"`   // what mended the same failure elsewhere
	Warnings []string      `json:"warnings,omitempty"`
	Evidence []Evidence    `json:"evidence,omitempty"` // on which the findings stand, where it was asked for

	reportLength, framesTotal, callsTotal, partsTotal, leftTotal, detectedTotal int // before the budget cut some
}

// Culprit is the part of the failed statement that was bad first.
type Culprit struct {
	Expression string `json:"expression"`
	Value      string `json:"value,omitempty"`
	Why        string `json:"why,omitempty"` // what is wrong with it, where the value does not show it
}

// PartValue is a part of the failed statement; no value where evaluating it would make
// a call again.
type PartValue struct {
	Expression string `json:"expression"`
	Value      string `json:"value"`
	Bad        bool   `json:"bad,omitempty"`
	Unsure     bool   `json:"perhaps_not_evaluated,omitempty"`
}

// BuildError is one thing that a compiler, or an interpreter that reads the program, does
// not take.
type BuildError struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column,omitempty"`
	Message string `json:"message"`
}

// UserFrame is a frame of the user's code with its arguments.
type UserFrame struct {
	At        string `json:"at"`
	Function  string `json:"function,omitempty"`
	Arguments Object `json:"arguments,omitempty"` // name: value
	Times     int    `json:"times,omitempty"`     // so often in a row
	AtLeast   bool   `json:"at_least,omitempty"`  // more often perhaps
	LeftOut   int    `json:"left_out,omitempty"`  // calls that it was made from, and that are not shown
	More      bool   `json:"more,omitempty"`      // it was made from calls that were not looked at
}

// CallRows are the last calls that led to the failure, as a table.
type CallRows struct {
	Columns []string   `json:"columns"`
	Rows    [][]string `json:"rows"`
}

// Runs counts those that were made until one failed.
type Runs struct {
	Made   int    `json:"made"`
	Failed int    `json:"failed"`
	How    string `json:"how,omitempty"` // on which machines, where others have helped
}

func (d *Diagnosis) omissions() []Omission {
	all := append(d.Locals.omissions(), d.Output.omissions()...)
	all = append(all, d.Opinion.omissions()...)
	all = append(all, d.Waits.omissions()...)
	for _, o := range []Omission{
		{What: "report (bytes)", Shown: len(d.Report), Total: d.reportLength},
		{What: "frames", Shown: len(d.Frames), Total: d.framesTotal},
		{What: "parts", Shown: len(d.Parts), Total: d.partsTotal},
		{What: "leftover", Shown: len(d.Leftover), Total: d.leftTotal},
		{What: "calls", Shown: d.Calls.len(), Total: d.callsTotal},
		{What: "other faults and notes", Shown: d.detectedShown(), Total: d.detectedTotal},
	} {
		if o.Total > o.Shown {
			all = append(all, o)
		}
	}
	return all
}

func (d *Diagnosis) trims() []trim {
	return []trim{
		d.Output.trim(500), d.trimTried, d.Locals.trimValues(80), d.trimCalls(4), d.trimReport(1500), d.trimDetected(5), d.Locals.trim(5),
		d.Snapshot.trim(1), d.trimFrames(2), d.trimCalls(0), d.trimLeftover(3), d.Opinion.trim(500), d.trimParts(4),
		d.Output.trim(0), d.Locals.trim(0), d.trimReport(300), d.trimDetected(1), d.trimTexts, d.trimFrames(0), d.Snapshot.trim(0), d.Opinion.trim(0),
	}
}

func (c *CallRows) len() int {
	if c == nil {
		return 0
	}
	return len(c.Rows)
}

// trimCalls keeps the last calls.
func (d *Diagnosis) trimCalls(keep int) trim {
	return func(over int) bool {
		n := d.Calls.len()
		if n <= keep {
			return false
		}
		d.callsTotal = max(d.callsTotal, n)
		for freed := 0; freed < over && len(d.Calls.Rows) > keep; {
			freed += size(d.Calls.Rows[0]) + 1
			d.Calls.Rows = d.Calls.Rows[1:]
		}
		if len(d.Calls.Rows) == 0 {
			d.Calls = nil
		}
		return true
	}
}

func (d *Diagnosis) trimFrames(keep int) trim {
	return func(over int) bool {
		if len(d.Frames) <= keep {
			return false
		}
		d.framesTotal = max(d.framesTotal, len(d.Frames)+d.omittedCalls())
		d.Frames = d.Frames[:cutRows(d.Frames, over, keep)]
		return true
	}
}

// omittedCalls counts the calls that were left out before.
func (d *Diagnosis) omittedCalls() (n int) {
	for _, f := range d.Frames {
		n += f.LeftOut
	}
	return n
}

// trimTried leaves what the memory has more of.
func (d *Diagnosis) trimTried(int) bool {
	before := size(d.Tried) + size(d.Solved)
	if d.Tried != nil {
		d.Tried.Last = nil
	}
	if d.Solved != nil {
		d.Solved.Change = shrink(d.Solved.Change, 300)
	}
	return size(d.Tried)+size(d.Solved) < before
}

// trimParts keeps the first parts, and the bad one, which the culprit repeats.
func (d *Diagnosis) trimParts(keep int) trim {
	return func(over int) bool {
		if len(d.Parts) <= keep {
			return false
		}
		d.partsTotal = max(d.partsTotal, len(d.Parts))
		d.Parts = d.Parts[:cutRows(d.Parts, over, keep)]
		return true
	}
}

func (d *Diagnosis) trimReport(keep int) trim {
	return func(int) bool {
		if len(d.Report) <= keep {
			return false
		}
		d.reportLength = max(d.reportLength, len(d.Report))
		d.Report = shortenEncoded(d.Report, keep)
		return true
	}
}

// trimTexts shortens what is written in one piece, and drops what else may be long.
func (d *Diagnosis) trimTexts(int) bool {
	before := size(d)
	for _, text := range []*string{&d.Message, &d.Expected, &d.Actual, &d.Left, &d.Right} {
		*text = shortenEncoded(*text, 200)
	}
	d.Causes, d.Samples, d.Waits, d.Changed, d.Evidence, d.Errors = nil, nil, nil, nil, nil, shrink(d.Errors, 300)
	d.Warnings = d.Warnings[:min(len(d.Warnings), 1)]
	return size(d) < before
}
