package responses

import (
	"fmt"
	"strings"

	"aidb-mcp/internal/text/brief"
)

// Printed is a page of the lines that a program has printed, written as an
// array of texts. A line that is not whole has an ellipsis where it is cut.
type Printed struct {
	Stream string // stdout, stderr or log
	Lines  []Line
	Start  int  // number of the first line
	Total  int  // lines that there are
	Tail   bool // the last lines were asked for: what has to go goes from the front

	Page func(start, count int) Call // other lines; nil when nobody wants them
	Rest func(line, from int) Call   // a line from a byte on
}

// Line is one printed line, or a piece of it.
type Line struct {
	Text string
	From int // bytes of the line before Text
	Full int // bytes of the whole line
}

// NewLine is a line of which the part from from on is shown, as far as it takes
// at most length bytes in a reply.
func NewLine(text string, from, length int) Line {
	l := Line{From: min(from, len(text)), Full: len(text)}
	for l.From > 0 && l.From < len(text) && text[l.From]&0xC0 == 0x80 { // within a character
		l.From--
	}
	l.Text = text[l.From:]
	l.cut(length)
	return l
}

// cut shortens the text until it takes at most length bytes in a reply.
func (l *Line) cut(length int) bool {
	before := len(l.Text)
	l.Text = brief.Clip(l.Text, length)
	for over := size(l.Text) - 2 - length; over > 0 && l.Text != ""; over = size(l.Text) - 2 - length {
		l.Text = brief.Clip(l.Text, len(l.Text)-over/6-1) // a character takes six bytes at most for each of its own
	}
	return len(l.Text) < before
}

func (l Line) String() string {
	text := l.Text
	if l.From > 0 {
		text = "…" + text
	}
	if l.From+len(l.Text) < l.Full {
		text += "…"
	}
	return text
}

// IsZero says that there is no line.
func (p *Printed) IsZero() bool { return p == nil || len(p.Lines) == 0 }

// MarshalJSON writes an array of texts.
func (p *Printed) MarshalJSON() ([]byte, error) {
	texts := make([]string, len(p.Lines))
	for i, l := range p.Lines {
		texts[i] = l.String()
	}
	return encode(texts)
}

// pageLines is how many lines one call for more asks for at least.
const pageLines = 40

func (p *Printed) omissions() []Omission {
	if p == nil {
		return nil
	}
	if p.Page == nil {
		return p.cutLines()
	}
	var all []Omission
	if end := p.Start + len(p.Lines); end < p.Total {
		call := p.Page(end, max(len(p.Lines), pageLines))
		all = append(all, Omission{What: "later " + p.Stream + " lines", Total: p.Total - end, Get: &call})
	}
	if p.Start > 0 {
		count := max(len(p.Lines), pageLines)
		from := max(0, p.Start-count)
		call := p.Page(from, p.Start-from)
		all = append(all, Omission{What: "earlier " + p.Stream + " lines", Total: p.Start, Get: &call})
	}
	return append(all, p.cutLines()...)
}

// cutLines names the lines that go on, all in one entry; its call goes on with the first.
func (p *Printed) cutLines() []Omission {
	var one Omission
	var numbers []string
	for i, l := range p.Lines {
		next := l.From + len(l.Text)
		if next >= l.Full {
			continue
		}
		if numbers = append(numbers, fmt.Sprint(p.Start+i)); one.Get == nil {
			call := p.Rest(p.Start+i, next)
			one.Get = &call
		}
		one.Shown, one.Total = one.Shown+next, one.Total+l.Full
	}
	switch len(numbers) {
	case 0:
		return nil
	case 1:
		one.What = fmt.Sprintf("%s line %s (bytes)", p.Stream, numbers[0])
	default:
		one.What = fmt.Sprintf("%s lines %s (bytes)", p.Stream, Shorten(strings.Join(numbers, ", "), 60))
	}
	return []Omission{one}
}

// trim keeps at least a number of lines: the last ones of a tail, else the first.
func (p *Printed) trim(keep int) trim {
	return func(over int) bool {
		if p == nil || len(p.Lines) <= keep {
			return false
		}
		drop := 0
		for freed := 0; len(p.Lines)-drop > keep && freed < over; drop++ {
			next := p.Lines[len(p.Lines)-1-drop]
			if p.Tail {
				next = p.Lines[drop]
			}
			freed += size(next.String()) + 1
		}
		if p.Tail {
			p.Lines, p.Start = p.Lines[drop:], p.Start+drop
		} else {
			p.Lines = p.Lines[:len(p.Lines)-drop]
		}
		return true
	}
}

// trimLines cuts lines that take more than length bytes.
func (p *Printed) trimLines(length int) trim {
	return func(int) bool {
		if p == nil {
			return false
		}
		changed := false
		for i := range p.Lines {
			changed = p.Lines[i].cut(length) || changed
		}
		return changed
	}
}
