package responses

// Why is the data of why: a value's writes, the last first.
type Why struct {
	Value   string   `json:"value"`
	Chain   []Write  `json:"chain"`
	Writes  int      `json:"writes"` // to the place that was asked about, before it was seen
	Seen    string   `json:"seen,omitempty"`
	How     string   `json:"how,omitempty"`
	Differs string   `json:"differs,omitempty"`
	Notes   []string `json:"warnings,omitempty"`

	Evidence []Evidence `json:"evidence,omitempty"` // of the chain's steps

	More Call `json:"-"` // gets more of the chain; empty where there is none
	cut  int
}

// Write is one step back.
type Write struct {
	At       string    `json:"at"`
	Function string    `json:"function,omitempty"`
	Code     string    `json:"code,omitempty"`
	Kind     string    `json:"kind,omitempty"`  // changed, inside, passed, returned or made; empty when it was assigned
	Since    string    `json:"since,omitempty"` // of what is not seen: where it had not happened yet
	Was      string    `json:"was,omitempty"`
	Value    string    `json:"value"`
	Operands []Operand `json:"operands,omitempty"`
	Stack    []string  `json:"stack,omitempty"`
	Thread   string    `json:"thread,omitempty"`
	Hit      int       `json:"hit,omitempty"` // which write to this place it was
}

// Operand is something that a statement has read.
type Operand struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

func (w *Why) omissions() []Omission {
	if w.cut == 0 {
		return nil
	}
	o := Omission{What: "steps of the chain", Shown: len(w.Chain), Total: len(w.Chain) + w.cut}
	if w.More.Tool != "" {
		o.Get = &w.More
	}
	return []Omission{o}
}

func (w *Why) trims() []trim {
	return []trim{w.trimEvidence, w.trimStacks, w.trimOperands, w.trimChain}
}

func (w *Why) trimEvidence(int) bool {
	had := w.Evidence != nil
	w.Evidence = nil
	return had
}

func (w *Why) trimStacks(int) bool {
	changed := false
	for i := range w.Chain {
		changed = changed || w.Chain[i].Stack != nil
		w.Chain[i].Stack = nil
	}
	return changed
}

func (w *Why) trimOperands(int) bool {
	const few = 5
	changed := false
	for i := range w.Chain {
		if len(w.Chain[i].Operands) > few {
			w.Chain[i].Operands, changed = w.Chain[i].Operands[:few], true
		}
	}
	return changed
}

func (w *Why) trimChain(int) bool {
	if len(w.Chain) <= 1 {
		return false
	}
	w.Chain = w.Chain[:len(w.Chain)-1]
	w.cut++
	return true
}
