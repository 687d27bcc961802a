//go:build linux

package benchmarks

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"aidb-mcp/internal/testkit/registry"
)

// subject is code of a registry with calls of it. What they give without a fault is what
// a program then checks.
type subject struct {
	Name  string
	Pin   registry.Pin
	Files []string // of the pin; the first one gets the faults
	Calls []string
	Where string // a pattern of the part that gets the faults; empty: all of it
	Keep  int    // so many faults
}

// language is how programs are written that call a subject.
type language struct {
	// Probe is a program that prints each call's value as a literal behind "=> ", Run runs it.
	Probe func(s subject, sources []string) map[string]string
	Run   []string
	Forms []form
	// Raised finds type, message, file and line in what a program prints when it dies.
	Raised func(out string) (raised, message, place string)
}

// form is a program that checks one call: the one that fails, behind those that do not.
type form struct {
	Name     string
	Check    func(s subject, sources, calls, wants []string) checked
	Verdict  string
	Raised   string
	Message  string
	Expected string // as in sides
	Threw    string // the verdict when the subject raises
}

// checked is such a program: its files, the question, and where its last check stands.
type checked struct {
	Files    map[string]string
	Question map[string]any
	Place    string // of the last check
	Left     string // its sides as they are written
	Right    string
}

// check makes the programs of subjects: each one without a fault, then with as many as
// are kept.
func (m *maker) check(l language, subjects ...subject) []program {
	var programs []program
	for _, s := range subjects {
		if m.limit < 10 {
			s.Keep = min(s.Keep, 1)
		}
		programs = append(programs, m.subject(l, s)...)
		if len(programs) > m.limit {
			return programs[1 : 1+m.limit] // one with a fault
		}
	}
	return programs
}

func (m *maker) subject(l language, s subject) []program {
	m.t.Helper()
	var sources []string
	for _, file := range s.Files {
		sources = append(sources, m.read(s.Pin, file))
	}
	out, code, _ := m.runIn(l.Probe(s, sources), l.Run...)
	wants := printed(out)
	if code != 0 || len(wants) != len(s.Calls) {
		m.t.Fatalf("%s by itself ends with %d and %d of %d values\n%s", s.Name, code, len(wants), len(s.Calls), out)
	}
	sound := l.Forms[0].Check(s, sources, s.Calls, wants)
	programs := []program{{Name: s.Name, Files: sound.Files, Question: sound.Question, True: truth{OK: true}}}
	var where *regexp.Regexp
	if s.Where != "" {
		where = regexp.MustCompile(s.Where)
	}
	tries := 0
	for _, mutant := range mutants(sources[0], where) {
		if tries++; len(programs) > s.Keep || tries > 5*s.Keep {
			break
		}
		changed := append([]string{mutant.Source}, sources[1:]...)
		f := l.Forms[len(programs)%len(l.Forms)]
		if p, kept := m.fails(l, f, s, changed, wants); kept {
			p.Name = fmt.Sprintf("%s_%d_%s", s.Name, len(programs), f.Name)
			p.Fault = fmt.Sprintf("%s, line %d of %s", mutant.Operator, mutant.Line, s.Files[0])
			programs = append(programs, p)
		}
	}
	return programs
}

// fails makes the program in which a fault shows; kept is false where it does not, or
// where it does not build, does not end, or dies in a way that says no place.
func (m *maker) fails(l language, f form, s subject, sources, wants []string) (p program, kept bool) {
	out, code, ended := m.runIn(l.Probe(s, sources), l.Run...)
	got := printed(out)
	if again, _, _ := m.runIn(l.Probe(s, sources), l.Run...); !slices.Equal(printed(again), got) { // what it does is not defined
		return program{}, false
	}
	if !ended || code == 0 && len(got) != len(wants) || len(got) == 0 && !strings.Contains(out, started) {
		return program{}, false
	}
	for i, want := range wants {
		if i < len(got) && got[i] == want {
			continue
		}
		c := f.Check(s, sources, s.Calls[:i+1], wants[:i+1])
		p = program{Files: c.Files, Question: c.Question}
		if i < len(got) {
			p.True = f.differs(c, got[i], want)
			return p, true
		}
		raised, message, place := l.Raised(out)
		place = c.moved(place, l.Probe(s, sources))
		p.True = truth{Verdicts: []string{f.Threw}, Places: []string{place}, Raised: raised, Message: message}
		return p, place != "" && f.Threw != ""
	}
	return program{}, false
}

// differs is what is true of a check that fails.
func (f form) differs(c checked, got, want string) truth {
	t := truth{Verdicts: []string{f.Verdict}, Places: []string{c.Place}, Raised: f.Raised, Message: f.Message}
	t.Values = map[string]string{plain(c.Left): got, plain(c.Right): want}
	t.Sides = &sides{
		Left:     side{Expression: c.Left, Value: got},
		Right:    side{Expression: c.Right, Value: want, Literal: c.Right == want},
		Expected: f.Expected,
	}
	return t
}

// moved is a place of the probe in the program that checks; where both are one file with
// the subject's source at its end, that stands in other lines. It is empty where the
// place is one of the probe's own.
func (c checked) moved(place string, probe map[string]string) string {
	file, number, _ := strings.Cut(place, ":")
	if _, both := c.Files[file]; both {
		return place
	}
	for name, text := range c.Files {
		before, _, isIn := strings.Cut(text, beginsSubject)
		beforeProbe, _, isInProbe := strings.Cut(probe[file], beginsSubject)
		if !isIn || !isInProbe {
			continue
		}
		begins := 1 + strings.Count(beforeProbe, "\n")
		if n, err := strconv.Atoi(number); err == nil && n > begins {
			return fmt.Sprintf("%s:%d", name, n-begins+1+strings.Count(before, "\n"))
		}
	}
	return ""
}

// started stands in the output of a probe that was built, and began.
const started = "probing"

// printed are the values that a probe prints.
func printed(out string) []string {
	var values []string
	for line := range strings.SplitSeq(out, "\n") {
		if value, is := strings.CutPrefix(line, "=> "); is {
			values = append(values, value)
		}
	}
	return values
}

// lines joins the lines of a program, and counts those in front of the last "@" line.
func lines(of ...string) (text string, at int) {
	for i, line := range of {
		if rest, marked := strings.CutPrefix(line, "@"); marked {
			of[i], at = rest, i+1
		}
	}
	return strings.Join(of, "\n") + "\n", at
}

// filled is a line of a program in which a call and what it must give are left open.
func filled(line, call, want string) string {
	return strings.NewReplacer("CALL", call, "WANT", want).Replace(line)
}
