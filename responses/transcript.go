package responses

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Transcript is what was asked of a session and found, for people.
type Transcript struct {
	Session  string
	Program  string // "./cmd/app"
	Kind     string // "go, launch"
	Made     string // "aidb-mcp 1.2.0 on linux/amd64"
	Started  time.Time
	Standing string // where the program stands, in a sentence
	Earlier  int    // steps that are kept no more
	Steps    []TranscriptStep
	Where    *Context // shows the place of a program that stands still, breakpoints and values over time
	Printed  []TranscriptOutput
}

// TranscriptStep is one call.
type TranscriptStep struct {
	N       int
	At      time.Time
	Tool    string
	Args    string
	Outcome string
	Failed  bool
	Took    time.Duration
	Found   []string

	again int // equal steps that follow it
}

// isSame says that two steps were alike in all that is shown of them.
func (s *TranscriptStep) isSame(other *TranscriptStep) bool {
	return s.Tool == other.Tool && s.Args == other.Args && s.Outcome == other.Outcome && s.Failed == other.Failed && slices.Equal(s.Found, other.Found)
}

// foldRepeats returns the steps with those that only repeat the one before as a count.
func foldRepeats(steps []TranscriptStep) []TranscriptStep {
	var all []TranscriptStep
	for _, s := range steps {
		if n := len(all); n > 0 && all[n-1].isSame(&s) {
			all[n-1].again++
			continue
		}
		all = append(all, s)
	}
	return all
}

// TranscriptOutput is the end of what was printed on one stream.
type TranscriptOutput struct {
	Stream string
	Lines  []string
	Total  int
}

// Markdown writes the transcript in at most about max bytes. Over that, what the
// older steps found goes first, then the steps in the middle; what is gone is said.
func (t *Transcript) Markdown(max int) string {
	head, tail := t.head()+t.place(), t.breakpoints()+t.values()+t.outputSection()
	text := Plain(head + t.steps(max-len(head)-len(tail)) + tail)
	if len(text) > 2*max { // one of the parts is out of all proportion
		return Shorten(text, 2*max) + "\n\nThe rest is left out, to keep this short.\n"
	}
	return text
}

func (t *Transcript) head() string {
	return fmt.Sprintf("# Debugging session %s\n\n%s (%s), started %s, debugged with %s.\n**Now:** %s.\n",
		t.Session, code(t.Program), t.Kind, t.Started.UTC().Format("2006-01-02 15:04:05 UTC"), t.Made, prose(t.Standing))
}

// steps are the calls that were made, in at most room bytes or nearly so.
func (t *Transcript) steps(room int) string {
	if len(t.Steps) == 0 {
		return "\n## What was done\n\nNothing was asked of it yet.\n"
	}
	steps := foldRepeats(t.Steps)
	shown := make([]string, len(steps))
	size := 0
	for i := range steps {
		shown[i] = steps[i].markdown(true)
		size += len(shown[i])
	}
	bare := 0
	for i := 0; i < len(shown)-1 && size > room; i++ {
		short := steps[i].markdown(false)
		if len(short) < len(shown[i]) {
			size, shown[i] = size-len(shown[i])+len(short), short
			bare++
		}
	}
	gone := 0 // of the steps after the first
	for ; gone < len(shown)-2 && size > room; gone++ {
		size -= len(shown[gone+1])
	}
	var b strings.Builder
	b.WriteString("\n## What was done\n\n")
	if t.Earlier > 0 {
		fmt.Fprintf(&b, "%s before these: only the last are kept.\n\n", Plural(t.Earlier, "step"))
	}
	b.WriteString(shown[0])
	if gone > 0 {
		left := steps[gone+1].N - steps[0].N - steps[0].again - 1
		fmt.Fprintf(&b, "\n… %s left out, to keep this short …\n\n", Plural(left, "step"))
	}
	b.WriteString(strings.Join(shown[gone+1:], ""))
	if bare > gone+1 {
		b.WriteString("\nWhat the older steps showed is left out, to keep this short.\n")
	}
	return b.String()
}

// markdown is one item of the list of steps.
func (s *TranscriptStep) markdown(whole bool) string {
	call := s.Tool
	if s.Args != "" {
		call += " " + s.Args
	}
	outcome := prose(s.Outcome)
	if s.Failed {
		outcome = "**failed:** " + outcome
	}
	if s.Took >= 100*time.Millisecond {
		outcome += fmt.Sprintf(" (%s)", s.Took.Round(100*time.Millisecond))
	}
	if s.again > 0 {
		outcome += fmt.Sprintf(" – and the same again, up to step %d", s.N+s.again)
	}
	text := fmt.Sprintf("%d. %s %s  \n   %s\n", s.N, s.At.UTC().Format("15:04:05"), code(call), outcome)
	if whole && len(s.Found) > 0 {
		text += indent(fence(s.Found))
	}
	return text
}

// place is where a program that stands still does.
func (t *Transcript) place() string {
	c := t.Where
	if c == nil || !c.hasPlace() {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n## Where it stands\n\n" + fence(strings.Split(c.Text(), "\n")))
	return b.String()
}

// listedBreakpoints is how many breakpoints a transcript lists.
const listedBreakpoints = 20

func (t *Transcript) breakpoints() string {
	if t.Where == nil || t.Where.Breakpoints.IsZero() {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n## Breakpoints\n\n")
	for i, x := range t.Where.Breakpoints.Rows {
		if i == listedBreakpoints {
			fmt.Fprintf(&b, "- and %d more\n", len(t.Where.Breakpoints.Rows)-i)
			break
		}
		fmt.Fprintf(&b, "- %s\n", x.Line())
	}
	return b.String()
}

// Line is a breakpoint in a line of Markdown.
func (x *Breakpoint) Line() string {
	at := x.Location
	if x.Function != "" && at == "" {
		at = x.Function
	}
	if x.Expression != "" {
		at = "watch " + x.Expression
	}
	text := fmt.Sprintf("%d: %s, %s", x.ID, code(at), hits(x.Hits))
	if x.Condition != "" {
		text += ", if " + code(x.Condition)
	}
	if x.HitCondition != "" {
		text += ", hit condition " + code(x.HitCondition)
	}
	switch {
	case x.Disabled:
		text += ", disabled"
	case !x.Verified:
		text += ", not bound"
		if x.Message != "" {
			text += ": " + prose(x.Message)
		}
	}
	return text
}

func hits(n int) string {
	switch n {
	case 0:
		return "never hit"
	case 1:
		return "hit once"
	}
	return fmt.Sprintf("hit %d times", n)
}

func (t *Transcript) values() string {
	if t.Where == nil || t.Where.Values.IsZero() {
		return ""
	}
	var lines []string
	for _, v := range t.Where.Values.Rows {
		lines = append(lines, v.Name)
		for _, seen := range v.Seen {
			lines = append(lines, "  "+oneLine(seen))
		}
	}
	return "\n## Values at the stops\n\n" + fence(lines)
}

func (t *Transcript) outputSection() string {
	var b strings.Builder
	for _, p := range t.Printed {
		if len(p.Lines) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n## %s\n\n", p.Stream)
		if p.Total > len(p.Lines) {
			fmt.Fprintf(&b, "The last %d of %d lines.\n\n", len(p.Lines), p.Total)
		}
		b.WriteString(fence(p.Lines))
	}
	return b.String()
}
