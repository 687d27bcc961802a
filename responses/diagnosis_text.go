package responses

import (
	"fmt"
	"strings"
)

// tags are the verdict, and how the run that failed is judged where others did not, as
// far as the first sentence does not say so.
func (d *Diagnosis) tags(p *page) []string {
	var tags []string
	for _, verdict := range []string{d.Verdict, d.FailsAs} {
		judged := verdict == d.Verdict && d.FailsAs != "" // the sentence is about how it fails: the word in it is the program's
		if verdict != "" && (judged || !p.says(verdict)) {
			tags = append(tags, verdict)
		}
	}
	return tags
}

func (d *Diagnosis) write(p *page) {
	p.place(d.Location, d.Function)
	d.writeEnd(p)
	d.Snapshot.write(p)
	p.under("message", func() { d.writeMessage(p) })
	p.rows("caused by", d.Causes)
	p.under("accesses", func() {
		for _, a := range d.Accesses {
			a.write(p)
		}
	})
	p.under("parts", func() { d.writeParts(p) })
	for _, side := range []struct{ name, value string }{
		{"expected", d.Expected}, {"actual", d.Actual}, {"left", d.Left}, {"right", d.Right},
	} {
		p.fact(side.name, side.value)
	}
	p.under("locals", func() { d.Locals.write(p) })
	p.under("changed", func() { d.Changed.write(p) })
	p.under("frames", func() {
		for _, f := range d.Frames {
			f.write(p)
		}
	})
	p.under("threads", func() { d.writeSamples(p) })
	writeWaits(p, d.Waits, d.Cycles)
	p.under("report", func() { p.text(d.Report) })
	d.Detector.write(p)
	p.walk("errors", d.Errors)
	p.under("calls", func() {
		if d.Calls != nil {
			p.table(d.Calls.Columns, d.Calls.Rows)
		}
	})
	p.under("leftover", func() { d.writeLeftover(p) })
	d.Output.write(p)
	if d.Runs != nil {
		p.line("runs: %d made, %d failed", d.Runs.Made, d.Runs.Failed)
		p.fact("how", d.Runs.How)
	}
	d.Tried.write(p)
	d.Solved.write(p)
	d.Opinion.write(p)
	p.rows("warnings", d.Warnings)
	p.under("evidence", func() {
		for _, e := range d.Evidence {
			p.line("%s", inline(e.String()))
		}
	})
}

// writeEnd writes how the program ended, where the first sentence does not say it.
func (d *Diagnosis) writeEnd(p *page) {
	p.inOurs(func() { d.writeCodes(p) })
}

func (d *Diagnosis) writeCodes(p *page) {
	if d.ExitCode != nil && !p.says(fmt.Sprintf("code %d", *d.ExitCode)) {
		p.line("exit code: %d", *d.ExitCode)
	}
	if !p.says(d.Signal) {
		p.fact("signal", d.Signal)
	}
}

// writeMessage writes what the first sentence does not say of it.
func (d *Diagnosis) writeMessage(p *page) {
	first, rest, _ := strings.Cut(d.Message, "\n")
	if !p.says(first) {
		p.put(first)
	}
	p.text(rest)
}

// writeParts writes the parts in the order of their evaluation; an arrow is before the
// one that was bad first.
func (d *Diagnosis) writeParts(p *page) {
	told := d.Culprit == nil
	for _, part := range d.Parts {
		line := inline(part.Expression) + " = " + part.Value
		if part.Unsure {
			line += "  (perhaps not evaluated)"
		}
		if part.Bad {
			line = "→ " + line
			if d.Culprit != nil {
				told = true
				if !p.says(d.Culprit.Why) && d.Culprit.Why != "" {
					line += "  (" + d.Culprit.Why + ")"
				}
			}
		}
		p.line("%s", line)
	}
	if !told && len(d.Accesses) == 0 { // which tell it
		p.line("→ %s = %s", inline(d.Culprit.Expression), d.Culprit.Value)
	}
}

// write writes "shop.py:16 in report, 9 times: orders = […]".
func (f UserFrame) write(p *page) {
	line := inline(f.At)
	if f.Function != "" {
		line += " in " + inline(f.Function)
	}
	switch {
	case f.AtLeast:
		line += fmt.Sprintf(", at least %d times", f.Times)
	case f.Times > 1:
		line += fmt.Sprintf(", %d times", f.Times)
	}
	var arguments []string
	for _, a := range f.Arguments {
		arguments = append(arguments, fmt.Sprintf("%s = %v", a.Name, a.Value))
	}
	if len(arguments) > 0 {
		line += ": " + strings.Join(arguments, ", ")
	}
	p.line("%s", line)
	switch {
	case f.LeftOut > 0:
		p.line("… %d more", f.LeftOut)
	case f.More:
		p.line("… more")
	}
}

func (d *Diagnosis) writeSamples(p *page) {
	for i, lines := range d.Samples {
		if len(d.Samples) > 1 {
			p.line("look %d", i+1)
		}
		p.within(inward, func() {
			for _, line := range lines {
				p.line("%s", line)
			}
		})
	}
}
