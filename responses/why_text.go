package responses

import (
	"fmt"
	"strings"
)

func (w *Why) write(p *page) {
	if !p.says(w.Value) {
		p.fact("value", w.Value)
	}
	if !p.says(w.Seen) {
		p.fact("seen", w.Seen)
	}
	p.fact("differs", w.Differs)
	p.under("chain", func() {
		for i := range w.Chain {
			w.Chain[i].write(p)
		}
	})
	p.line("writes: %d", w.Writes)
	p.fact("how", w.How)
	p.rows("warnings", w.Notes)
	writeEvidence(p, w.Evidence)
}

// write writes "calc.go:7 in main.add, write 2: sum = a + b", and the values below.
func (w *Write) write(p *page) {
	said := []string{w.At}
	if w.Function != "" {
		said[0] += " in " + inline(w.Function)
	}
	if w.Kind != "" {
		said = append(said, w.Kind)
	}
	if w.Since != "" {
		said = append(said, "since "+w.Since)
	}
	if w.Thread != "" {
		said = append(said, "thread "+w.Thread)
	}
	if w.Hit != 0 {
		said = append(said, fmt.Sprintf("write %d", w.Hit))
	}
	line := strings.Join(said, ", ")
	if w.Code != "" {
		line += ": " + w.Code
	}
	p.line("%s", line)
	p.within(inward, func() {
		if w.Was != "" {
			p.fact("value", w.Was+" → "+w.Value)
		} else {
			p.fact("value", w.Value)
		}
		p.list("operands", operandTexts(w.Operands))
		p.list("stack", w.Stack)
	})
}

func operandTexts(list []Operand) []string {
	texts := make([]string, len(list))
	for i, o := range list {
		texts[i] = o.Name + " = " + o.Value
	}
	return texts
}
