package detect

import (
	"fmt"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/text/pattern"
)

var (
	asanError   = pattern.New(`(?m)^==\d+==ERROR: (Address|Leak)Sanitizer: ([^\n]*)$`)
	asanAccess  = pattern.New(`^(READ|WRITE) of size (\d+) at 0x[0-9a-f]+ thread (T\d+)`)
	asanSignal  = pattern.New(`^==\d+==The signal is caused by a (READ|WRITE) memory access`)
	asanFreed   = pattern.New(`^freed by thread (T\d+)\b.* here:$`)
	asanMade    = pattern.New(`^(?:previously )?allocated by thread (T\d+)\b.* here:$`)
	asanThread  = pattern.New(`^Thread (T\d+)\b.* created by (T\d+)\b.* here:$`)
	asanStack   = pattern.New(`^Address 0x[0-9a-f]+ is located in stack of thread (T\d+)\b`)
	asanObject  = pattern.New(`^\[\d+, \d+\) '([^']+)'(?: \(line \d+\))? <== Memory access at offset \d+ (.*)$`)
	asanRegion  = pattern.New(`^0x[0-9a-f]+ is located (\d+ bytes (?:inside of|before|after|to the (?:left|right) of) \d+-byte region)`)
	asanGlobal  = pattern.New(`^0x[0-9a-f]+ is located (\d+ bytes (?:inside of|before|after|to the (?:left|right) of) global variable '[^']+')`)
	asanInCall  = pattern.New(`\b(?:in|\b) ?thread (T\d+)`)
	asanAtPC    = pattern.New(` \(?(?:on (?:unknown )?address 0x[0-9a-f]+(?: \(pc [^)]*\))?(?: at pc .*)?|\(pc [^)]*\))`)
	asanZero    = pattern.New(`^==\d+==Hint: address points to the zero page\.`)
	leakOf      = pattern.New(`^(Direct|Indirect) leak of (\d+) byte\(s\) in (\d+) object\(s\) allocated from:$`)
	sanitizerOn = pattern.New(`(?m)^==\d+==(?:LeakSanitizer has encountered a fatal error|.*LeakSanitizer does not work under ptrace).*$`)
)

// ASan reads what AddressSanitizer and LeakSanitizer have written of one process.
func (dirs Dirs) ASan(log string) adapters.Detection {
	var d adapters.Detection
	if sanitizerOn.MatchString(log) {
		d.Notes = append(d.Notes, "leaks were not looked for: LeakSanitizer could not look at the process")
	}
	starts := asanError.FindAllStringSubmatchIndex(log, -1)
	for i, at := range starts {
		end := len(log)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		report := log[at[0]:end]
		if log[at[2]:at[3]] == "Leak" {
			d.Notes = append(d.Notes, dirs.leaks(report)...)
			continue
		}
		d.Faults = append(d.Faults, dirs.asanFault(report, log[at[4]:at[5]]))
	}
	return d
}

// asanFault takes one report apart; words are those behind the sanitizer's name.
func (dirs Dirs) asanFault(report, words string) adapters.DetectedFault {
	if end := strings.Index(report, "\nShadow bytes around"); end >= 0 {
		report = report[:end]
	}
	kind, _, _ := strings.Cut(words, " ")
	f := adapters.DetectedFault{Kind: adapters.MemoryFault, Message: asanMessage(words), Text: strings.TrimSpace(report)}
	if kind == "FPE" || kind == "ILL" {
		f.Kind = adapters.UndefinedBehavior
	}
	list := dirs.sections(report)
	made := asanThreads(list)
	for i, s := range list {
		if a, is := asanAccessOf(list, i, words); is {
			a.Made = made[a.Thread]
			a.Thread = asanThreadName(a.Thread)
			f.Accesses = append(f.Accesses, a)
		}
		if located := asanLocated(s.words); located != "" && !strings.Contains(f.Message, ", ") { // the nearest stands first
			f.Message += ", " + located
		}
		if asanZero.MatchString(s.words) {
			f.Message += ", of an address near null"
		}
		if m := asanObject.FindStringSubmatch(s.words); m != nil {
			f.Message += fmt.Sprintf(", which %s '%s'", strings.Replace(strings.TrimSuffix(m[2], " this variable"), "is inside", "is inside of", 1), m[1])
		}
	}
	return f
}

// asanLocated says where the address lies of which a section tells; empty where it does not.
func asanLocated(words string) string {
	for _, place := range []*pattern.Pattern{asanRegion, asanGlobal} {
		if m := place.FindStringSubmatch(words); m != nil {
			return m[1]
		}
	}
	return ""
}

// asanAccessOf is the access that a section tells of; the first section stands for those kinds
// of fault that name no access, and it has the stack.
func asanAccessOf(list []section, i int, words string) (a adapters.Access, is bool) {
	s := list[i]
	switch {
	case i == 0:
		if len(s.frames) == 0 && !isAsanSignal(list) {
			return a, false // the access stands in the next section
		}
		a = adapters.Access{Kind: "fault", Frames: below(list, isAsanAccess)}
		if strings.Contains(words, "free") {
			a.Kind = "freed"
		}
		for _, s := range list {
			if m := asanSignal.FindStringSubmatch(s.words); m != nil {
				a.Kind = strings.ToLower(m[1])
			}
		}
		if m := asanInCall.FindStringSubmatch(words); m != nil {
			a.Thread = m[1]
		} else if m := pattern.New(`\b(T\d+)\)`).FindStringSubmatch(words); m != nil {
			a.Thread = m[1]
		}
		return a, true
	case asanAccess.MatchString(s.words):
		m := asanAccess.FindStringSubmatch(s.words)
		return adapters.Access{Kind: strings.ToLower(m[1]), Thread: m[3], Frames: s.frames}, true
	case asanFreed.MatchString(s.words):
		return adapters.Access{Kind: "freed", Thread: asanFreed.FindStringSubmatch(s.words)[1], Frames: s.frames}, true
	case asanMade.MatchString(s.words):
		return adapters.Access{Kind: "allocated", Thread: asanMade.FindStringSubmatch(s.words)[1], Frames: s.frames}, true
	case asanStack.MatchString(s.words) && len(s.frames) > 0:
		return adapters.Access{Kind: "declared", Thread: asanStack.FindStringSubmatch(s.words)[1], Frames: s.frames}, true
	}
	return a, false
}

func isAsanAccess(words string) bool {
	return asanAccess.MatchString(words) || asanFreed.MatchString(words) || asanMade.MatchString(words) || asanStack.MatchString(words) || asanThread.MatchString(words)
}

// isAsanSignal says that a report is that of a signal, whose stack follows some lines later.
func isAsanSignal(list []section) bool {
	for _, s := range list {
		if isAsanAccess(s.words) {
			return false
		}
		if len(s.frames) > 0 {
			return true
		}
	}
	return false
}

// asanThreads are the stacks on which threads were made, by their names.
func asanThreads(list []section) map[string][]adapters.Thrown {
	made := map[string][]adapters.Thrown{}
	for _, s := range list {
		if m := asanThread.FindStringSubmatch(s.words); m != nil {
			made[m[1]] = s.frames
		}
	}
	return made
}

func asanThreadName(name string) string {
	switch name {
	case "":
		return ""
	case "T0":
		return "main thread"
	}
	return "thread " + name
}

// asanMessage is the kind of fault without what differs from run to run.
func asanMessage(words string) string {
	words = asanAtPC.ReplaceAllString(words, "")
	words = pattern.New(` (?:on )?0x[0-9a-f]+(?: in thread T\d+:?)?| in thread T\d+:?| T\d+\)?$`).ReplaceAllString(words, "")
	return strings.Trim(strings.TrimSuffix(strings.TrimSpace(words), ":"), " ")
}

// leaks are the blocks that were left, each in a line.
func (dirs Dirs) leaks(report string) (notes []string) {
	for _, s := range dirs.sections(report) {
		m := leakOf.FindStringSubmatch(s.words)
		if m == nil {
			continue
		}
		note := fmt.Sprintf("never freed: %s bytes in %s object(s)", m[2], m[3])
		if m[1] == "Indirect" {
			note += ", to which only leaked memory points"
		}
		notes = append(notes, note+allocatedAt(s.frames))
	}
	return notes
}

// allocatedAt says where a block was allocated: at the nearest place with a source.
func allocatedAt(frames []adapters.Thrown) string {
	for _, f := range frames {
		if f.File != "" {
			return fmt.Sprintf(", allocated at %s:%d in %s", f.File, f.Line, f.Function)
		}
	}
	return ""
}
