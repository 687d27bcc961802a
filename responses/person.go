package responses

import "fmt"

// PersonAct is what a person did in the session since the last reply.
type PersonAct struct {
	Who  string `json:"who"`
	Did  string `json:"did"`
	At   string `json:"at"`
	Text string `json:"text,omitempty"`
}

// String is the act in one line.
func (a PersonAct) String() string {
	said := fmt.Sprintf("%s  %s %s", a.At, a.Who, a.Did)
	if a.Text != "" {
		said += ": " + a.Text
	}
	return inline(said)
}

func personLines(acts []PersonAct) []string {
	lines := make([]string, len(acts))
	for i, a := range acts {
		lines[i] = a.String()
	}
	return lines
}

// trimPersons shortens what persons did and wrote.
func (e *Envelope) trimPersons(int) bool {
	const few, short = 5, 200
	changed := false
	if extra := len(e.Person) - few; extra > 0 {
		e.note(Omission{What: "acts of persons", Shown: few, Total: len(e.Person)})
		e.Person, changed = e.Person[extra:], true
	}
	for i, a := range e.Person {
		if text := shortenEncoded(a.Text, short); text != a.Text {
			e.Person[i].Text, changed = text, true
		}
		if did := shortenEncoded(a.Did, short); did != a.Did {
			e.Person[i].Did, changed = did, true
		}
	}
	return changed
}

// Asked is the data of session(ask).
type Asked struct {
	Answer  string `json:"answer,omitempty"`
	By      string `json:"by,omitempty"`
	Pending bool   `json:"pending,omitempty"`
}

func (a *Asked) write(p *page) {
	p.fact("answer", a.Answer)
	p.fact("by", a.By)
	if a.Pending {
		p.fact("pending", "true")
	}
}

// Shown is the data of session(show): how a person joins the session.
type Shown struct {
	Page   string  `json:"page,omitempty"`
	Editor *Editor `json:"editor,omitempty"`
}

// Editor has the configuration of each editor, as its user enters it.
type Editor struct {
	VSCode    string `json:"vscode"`
	NvimDAP   string `json:"nvim_dap"`
	Zed       string `json:"zed"`
	JetBrains string `json:"jetbrains"`
}

func (s *Shown) write(p *page) {
	p.fact("page", s.Page)
	if s.Editor != nil {
		p.under("editor", func() {
			p.fact("vscode", s.Editor.VSCode)
			p.fact("nvim_dap", s.Editor.NvimDAP)
			p.fact("zed", s.Editor.Zed)
			p.fact("jetbrains", s.Editor.JetBrains)
		})
	}
}
