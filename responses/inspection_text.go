package responses

import (
	"fmt"
	"slices"
	"strings"
)

// head tells a result whole where the sentence ends with the beginning of it.
func (d *Inspection) head(sentence string) (line, below string) {
	before, ok := d.beforeValue(sentence)
	if !ok {
		line, below, _ = strings.Cut(sentence, "\n")
		return line, below
	}
	if strings.Contains(d.Result.Value, "\n") {
		return strings.TrimRight(before, " ") + d.Result.tail(), d.Result.Value
	}
	return before + d.Result.Value + d.Result.tail(), ""
}

// leastTold is how much of a value a sentence has to repeat, in bytes, to be known
// as one that ends with it.
const leastTold = 20

// beforeValue is a sentence without the value of the result, with which it ends, whole or cut.
func (d *Inspection) beforeValue(sentence string) (before string, ok bool) {
	if d.Result == nil {
		return "", false
	}
	if before, ok = strings.CutSuffix(sentence, d.Result.Value); ok {
		return before, true
	}
	cut, ok := strings.CutSuffix(sentence, "…")
	if !ok {
		return "", false
	}
	for n := min(len(cut), len(d.Result.Value)); n >= leastTold; n-- {
		if before, ok := strings.CutSuffix(cut, d.Result.Value[:n]); ok {
			return before, true
		}
	}
	return "", false
}

func (d *Inspection) write(p *page) {
	if d.Frame != 0 && !p.says(fmt.Sprintf("frame %d", d.Frame)) {
		p.line("frame: %d", d.Frame)
	}
	if _, spoken := d.beforeValue(p.said); spoken {
		p.within(inward, func() { d.Result.Children.write(p) })
	} else if d.Result != nil {
		p.within(inward, func() { d.Result.write(p, inline(d.Result.Name)+" =") })
	}
	p.fact("was", d.Was)
	p.rows("notes", d.Notes)
	p.under("locals", func() { d.Locals.write(p) })
	p.under("arguments", func() { d.Arguments.write(p) })
	p.under("globals", func() { d.Globals.write(p) })
	p.under("registers", func() { d.Registers.write(p) })
	d.Exception.write(p)
	d.writeStack(p)
	d.writeThreads(p)
	writeWaits(p, d.Waits, d.Cycles)
	p.rows("not seen", d.Unseen)
	d.Source.write(p)
	writeTexts(p, "matches", d.Matches)
	if !p.says(d.Address) {
		p.line("address: %s", d.Address)
	}
	writeTexts(p, "memory", d.Memory)
	writeTexts(p, "disassembly", d.Disassembly)
	d.writeModules(p)
	d.Stdout.write(p)
	d.Stderr.write(p)
	d.Log.write(p)
	p.number("lost bytes", int64(d.Lost))
}

// writeTexts writes a line for each of a list.
func writeTexts(p *page, name string, l *List[string]) {
	if l != nil {
		p.rows(name, l.Rows)
	}
}

func (d *Inspection) writeStack(p *page) {
	head := "stack"
	if d.First != 0 {
		head = fmt.Sprintf("stack from frame %d", d.First)
	}
	writeTexts(p, head, d.Stack)
}

func (d *Inspection) writeThreads(p *page) {
	if d.Threads == nil {
		return
	}
	p.under("threads", func() {
		for i := range d.Threads.Rows {
			d.Threads.Rows[i].write(p)
		}
	})
	if !p.says(fmt.Sprint(d.Total)) {
		p.number("total", int64(d.Total))
	}
	if !p.says(fmt.Sprint(d.System)) {
		p.number("system", int64(d.System))
	}
}

// write writes "thread 18, 1000 alike, also 19 20, chan receive" and the stack below.
func (t *Thread) write(p *page) {
	said := []string{fmt.Sprintf("thread %d", t.ID)}
	add := func(format, text string) {
		if text != "" {
			said = append(said, fmt.Sprintf(format, inline(text)))
		}
	}
	add("%s", t.Name)
	if t.Current {
		add("%s", "current")
	}
	if t.Count > 1 {
		add("%s", fmt.Sprintf("%d alike", t.Count))
	}
	if len(t.Others) > 0 {
		add("%s", "also "+strings.Join(numbers(t.Others), " "))
	}
	add("%s", t.Waiting)
	add("for %s", t.Waited)
	add("on %s", t.Object)
	add("tasks: %s", t.Tasks)
	for _, name := range sortedNames(t.Labels) {
		add("label %s", name+"="+t.Labels[name])
	}
	p.put(strings.Join(said, ", "))
	p.within(inward, func() { t.Stack.write(p) })
}

func sortedNames(labels map[string]string) []string {
	var names []string
	for name := range labels {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func (d *Inspection) writeModules(p *page) {
	if d.Modules.IsZero() {
		return
	}
	rows := make([][]string, len(d.Modules.Rows))
	for i, m := range d.Modules.Rows {
		rows[i] = []string{m.Name, m.Version, m.Path}
	}
	p.under("modules", func() { p.table(filledColumns([]string{"name", "version", "path"}, rows)) })
}

func (s *Printed) write(p *page) {
	if s == nil {
		return
	}
	p.under(s.Stream, func() {
		for _, l := range s.Lines {
			p.line("%s", l)
		}
	})
}
