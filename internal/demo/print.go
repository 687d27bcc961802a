package demo

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// The colours of the conversation.
const (
	bold  = "\x1b[1m"
	faint = "\x1b[2m"
	red   = "\x1b[31m"
	green = "\x1b[32m"
	cyan  = "\x1b[36m"
	plain = "\x1b[0m"
)

// printer writes the conversation for people.
type printer struct {
	out   io.Writer
	color bool
}

func (p printer) paint(style, text string) string {
	if !p.color {
		return text
	}
	return style + text + plain
}

func (p printer) line(format string, args ...any) {
	_, _ = fmt.Fprintf(p.out, format+"\n", args...)
}

// says prints the agent's thought.
func (p printer) says(text string) {
	p.line("\n%s %s", p.paint(bold+green, "agent:"), text)
}

// call prints a tool call as it is sent.
func (p printer) call(tool string, params any) {
	text, _ := json.Marshal(params) // parameters are plain maps of ours
	p.line("  %s %s %s", p.paint(cyan, "call "), p.paint(bold, tool), text)
}

// reply prints the essential part of a reply.
func (p printer) reply(r reply) {
	p.line("  %s %s", p.paint(cyan, "reply"), r.Summary)
	d := r.Data
	for _, line := range around(d.Snapshot.Formatted) {
		if strings.Contains(line, "→") {
			line = p.paint(bold+red, line)
		} else {
			line = p.paint(faint, line)
		}
		p.line("          %s", line)
	}
	p.values("locals", d.Locals)
	p.values("returns", d.Returned)
	p.values("", d.Result.Children)
	for line := range strings.Lines(d.Output.Stdout) {
		p.line("          %s %s", p.paint(faint, "stdout |"), strings.TrimRight(line, "\n"))
	}
}

// around keeps the current line of a snapshot and one on each side.
func around(snapshot string) []string {
	lines := strings.Split(strings.TrimRight(snapshot, "\n"), "\n")
	current := slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, "→") })
	if current < 0 {
		return nil
	}
	return lines[max(current-1, 0):min(current+2, len(lines))]
}

// values prints named values, one a line, in the order of their names.
func (p printer) values(title string, values map[string]value) {
	names := make([]string, 0, len(values))
	width := 0
	for name := range values {
		names = append(names, name)
		width = max(width, len(name))
	}
	slices.Sort(names)
	for _, name := range names {
		text := shorten(values[name].Value, 84-width)
		p.line("          %s %-*s = %s", p.paint(faint, fmt.Sprintf("%-7s", title)), width, name, text)
		title = ""
	}
}

func shorten(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}
