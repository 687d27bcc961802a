package responses

import (
	"fmt"
	"slices"
	"strings"
)

// tags are the facts of a state that the first sentence of the reply does not say.
func (s *ExecutionState) tags(p *page) []string {
	var tags []string
	add := func(said bool, format string, args ...any) {
		if !said {
			tags = append(tags, fmt.Sprintf(format, args...))
		}
	}
	add(s.isStatusSaid(p), "%s", spaceWords(s.Status))
	add(s.isReasonSaid(p), "%s", s.StopReason)
	add(p.says(s.Doing), "%s", s.Doing)
	add(s.RunningMS == 0 || strings.Contains(p.said, " after "), "for %d ms", s.RunningMS)
	add(s.ThreadID == 0, "thread %d", s.ThreadID)
	add(s.isHitSaid(p), "hit %s", Numbered("breakpoint", s.HitBreakpoints))
	add(s.BreakpointsActive == nil || *s.BreakpointsActive, "no active breakpoints")
	if s.ExitCode != nil {
		add(p.says(fmt.Sprintf("code %d", *s.ExitCode)), "exit code %d", *s.ExitCode)
	}
	add(p.says(s.Signal), "signal %s", s.Signal)
	return tags
}

// How first sentences say a status in other words.
var statusWords = map[string][]string{
	"stopped_at_breakpoint": {"stopped at a breakpoint", "stopped at breakpoints", "stopped at a watchpoint", "stopped at watchpoint", "stopped at watchpoints", "reached"},
	"stopped_after_step":    {"stepped to"},
	"stopped_at_entry":      {"stopped at the entry"},
	"paused":                {"moved to"},
	"terminated":            {"exited with code", "ended by signal", "the program has ended"},
}

func (s *ExecutionState) isStatusSaid(p *page) bool {
	return p.says(spaceWords(s.Status)) || slices.ContainsFunc(statusWords[s.Status], p.says) ||
		s.Status == "starting" && s.Doing != "" && p.says("still "+s.Doing)
}

// isReasonSaid says that the reason of a stop follows from its status.
func (s *ExecutionState) isReasonSaid(p *page) bool {
	return p.says(s.StopReason) || strings.Contains(spaceWords(s.Status), s.StopReason) ||
		s.StopReason == "goto" && p.says("moved to") || s.StopReason == "data breakpoint" && p.says("watchpoint")
}

func (s *ExecutionState) isHitSaid(p *page) bool {
	return len(s.HitBreakpoints) == 0 || p.saysBreakpoints(s.HitBreakpoints)
}

// saysBreakpoints tells whether the first sentence names these.
func (p *page) saysBreakpoints(ids []int) bool {
	return p.says(Numbered("breakpoint", ids)) || p.says(Numbered("watchpoint", ids))
}

// Numbered is "breakpoint 1", "breakpoints 1, 2 and 3".
func Numbered(noun string, ids []int) string {
	texts := numbers(ids)
	if last := len(texts) - 1; last > 0 {
		return noun + "s " + strings.Join(texts[:last], ", ") + " and " + texts[last]
	}
	return noun + " " + strings.Join(texts, "")
}

func numbers[N int | ID](list []N) []string {
	texts := make([]string, len(list))
	for i, n := range list {
		texts[i] = fmt.Sprint(n)
	}
	return texts
}

// spaceWords is a word of the contract as one says it.
func spaceWords(word string) string { return strings.ReplaceAll(word, "_", " ") }

// place writes where a program stands, as far as the first sentence does not say so.
func (p *page) place(location, function string) {
	location, function = inline(location), inline(function)
	switch {
	case p.says(location) && p.says(function):
	case location == "":
		p.line("in %s", function)
	case function == "":
		p.line("at %s", location)
	default:
		p.line("at %s in %s", location, function)
	}
}
