package demo

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"aidb-mcp/internal/text/pattern"
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

// reply prints a reply as the agent reads it.
func (p printer) reply(r reply) {
	head, rest, _ := strings.Cut(r.Text, "\n")
	p.line("  %s %s", p.paint(cyan, "reply"), head)
	for line := range strings.Lines(rest) {
		line = strings.TrimRight(line, "\n")
		switch {
		case current.MatchString(line):
			line = p.paint(bold+red, line)
		case strings.HasPrefix(line, " "):
			line = p.paint(faint, line)
		}
		p.line("        %s", line)
	}
}

// current is the line of code on which the program stands.
var current = pattern.New(`^ +\d+→`)
