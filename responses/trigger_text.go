package responses

import (
	"fmt"
	"strings"
)

func (t *Trigger) write(p *page) {
	if t == nil {
		return
	}
	p.line("trigger: %s", t.Line())
	p.within(inward, func() {
		p.text(t.FirstBytes)
		p.under("stderr", func() { p.text(t.Stderr) })
	})
}

// Line is what came of it in one line, without what was answered.
func (t *Trigger) Line() string {
	said := []string{t.Sent}
	switch {
	case t.Pending:
		said = append(said, "pending")
	case t.Status != 0:
		said = append(said, fmt.Sprintf("status %d", t.Status))
	case t.ExitCode != nil:
		said = append(said, fmt.Sprintf("exit code %d", *t.ExitCode))
	case t.Signal != "":
		said = append(said, "signal "+t.Signal)
	}
	if t.Redirect != "" {
		said = append(said, "redirect: "+t.Redirect)
	}
	if t.Error != "" {
		said = append(said, "error: "+inline(t.Error))
	}
	said = append(said, fmt.Sprintf("%d ms", t.MS))
	if t.Cut {
		said = append(said, "cut")
	}
	if t.Unended {
		said = append(said, "unended")
	}
	return strings.Join(said, ", ")
}
