package responses

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// page is a reply that is being written as text. What is ours begins its line at
// the margin; what a program has said stands below it, further in, so that no line
// of a program can be taken for one of ours.
type page struct {
	b      []byte
	margin string
	said   string // the first sentence of the reply: what it says is not repeated
}

// How far what belongs to a line stands further in: what follows from it, and
// the other lines of a text that begins in it. One space costs a model nothing, for
// its tokens begin with one; a second one would be a token in most lines.
const (
	inward    = " "
	continued = "    "
)

// line writes one line. A text of several goes on further in.
func (p *page) line(format string, args ...any) {
	first, rest, more := strings.Cut(fmt.Sprintf(format, args...), "\n")
	p.put(first)
	if more {
		p.within(continued, func() { p.text(rest) })
	}
}

// text writes the lines of a text as they are.
func (p *page) text(text string) {
	for line := range strings.Lines(text) {
		p.put(strings.TrimSuffix(line, "\n"))
	}
}

func (p *page) put(line string) {
	if line != "" {
		p.b = append(p.b, p.margin...)
	}
	p.b = append(append(p.b, line...), '\n')
}

// within writes further in.
func (p *page) within(more string, write func()) {
	margin := p.margin
	p.margin += more
	write()
	p.margin = margin
}

// under writes a header, and below it what write writes; nothing when that is nothing.
func (p *page) under(header string, write func()) {
	before := len(p.b)
	p.put(inline(header))
	begun := len(p.b)
	p.within(inward, write)
	if len(p.b) == begun {
		p.b = p.b[:before]
	}
}

// fact writes "name: value", and nothing when there is no value.
func (p *page) fact(name, value string) {
	if value != "" {
		p.line("%s: %s", name, value)
	}
}

// number is fact for a count; 0 is none.
func (p *page) number(name string, n int64) {
	if n != 0 {
		p.line("%s: %d", name, n)
	}
}

// longestList is how much of several texts stands in one line, in bytes.
const longestList = 400

// list writes "name: one, two", or a line each where that could be misread.
func (p *page) list(name string, items []string) {
	one := strings.Join(items, ", ")
	if len(one) > longestList || strings.Count(one, ",") >= len(items) || strings.Contains(one, "\n") {
		p.rows(name, items)
		return
	}
	p.fact(name, one)
}

// rows writes a line for each text, below a header.
func (p *page) rows(name string, items []string) {
	p.under(name, func() {
		for _, item := range items {
			p.line("%s", item)
		}
	})
}

// saysAll tells whether the first sentence holds each of several words.
func (p *page) saysAll(list []string) bool {
	return len(list) > 0 && !slices.ContainsFunc(list, func(word string) bool {
		_, err := strconv.ParseFloat(word, 64)
		return err == nil || !p.says(word)
	})
}

// inOurs asks what the first sentence says in our own words: a program can name a session
// and tell how it stands, and may be wrong.
func (p *page) inOurs(ask func()) {
	said := p.said
	p.said = cutQuotes(said)
	ask()
	p.said = said
}

// says tells whether the first sentence of the reply holds a fact.
func (p *page) says(fact string) bool { return containsWord(p.said, fact) }
