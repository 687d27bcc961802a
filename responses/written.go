package responses

import (
	"fmt"
	"strings"
	"unicode/utf16"

	"aidb-mcp/internal/fault"
)

// writer is data that writes itself as text. What the first sentence of the reply
// says it may leave out.
type writer interface{ write(p *page) }

// tagged is data with facts that stand in brackets after the first sentence.
type tagged interface{ tags(p *page) []string }

// headed is data that tells the first sentence better: with what stands below its
// first line.
type headed interface {
	head(sentence string) (line, below string)
}

// text is the envelope as text: what happened, what it shows, what is missing from
// it, what to do next.
func (e *Envelope) text() []byte {
	p := &page{said: e.Summary}
	p.head(e)
	switch data := e.Data.(type) {
	case nil:
	case writer:
		data.write(p)
	default:
		p.walk("", data)
	}
	if e.Error != nil {
		p.problem(e.Error)
	}
	for _, o := range e.Omitted {
		p.line("omitted  %s", o)
	}
	for _, s := range e.NextSteps {
		p.line("next  %s", strings.TrimSpace(s.String()+"  "+s.Why))
	}
	p.rows("events", e.Events)
	p.rows("person", personLines(e.Person))
	p.rows("notes", e.Notes)
	return []byte(Plain(strings.TrimSuffix(string(p.b), "\n")))
}

// head writes the first sentence, and in brackets which session it is about and
// how that stands, as far as the sentence does not say so. An error begins with its code.
func (p *page) head(e *Envelope) {
	first, second := e.Summary, ""
	if e.Error != nil {
		if first, second = e.Error.Code+": "+e.Error.Message, e.Summary; second == summaries[fault.Code(strings.TrimPrefix(e.Error.Code, codePrefix))] {
			second = "" // the code says so
		}
		p.said = first + "\n" + second
	} else if strings.HasPrefix(first, codePrefix) { // of a program's making
		first = "success: " + first
	}
	var tags []string
	if e.SessionID != "" && !e.Named {
		tags = append(tags, e.SessionID)
	}
	if d, ok := e.Data.(tagged); ok {
		p.inOurs(func() { tags = append(tags, d.tags(p)...) })
	}
	sentence, below, _ := strings.Cut(first, "\n")
	if d, ok := e.Data.(headed); ok && e.Error == nil {
		sentence, below = d.head(first)
	}
	if len(tags) > 0 {
		sentence += "   [" + inline(strings.Join(tags, ", ")) + "]"
	}
	p.line("%s", sentence)
	p.within(continued, func() { p.text(below) })
	if second != "" {
		p.line("%s", second)
	}
}

// problem writes what an error says beside its message.
func (p *page) problem(e *Problem) {
	p.fact("hint", e.Hint)
	p.fact("field", e.Field)
	p.said += "\n" + e.Hint
	p.walk("details", e.Details)
}

// String is what is missing, and the call that gets it.
func (o Omission) String() string {
	text := fmt.Sprintf("%s, %d shown", o.What, o.Shown)
	if o.Total > 0 {
		text = fmt.Sprintf("%s %d of %d", o.What, o.Shown, o.Total)
	}
	if o.Get != nil {
		text += ": " + o.Get.String()
	}
	return text
}

// String is the call as it is made: the tool and its parameters.
func (c Call) String() string {
	if len(c.Params) == 0 {
		return c.Tool
	}
	params, err := encode(c.Params)
	if err != nil {
		return c.Tool
	}
	return c.Tool + " " + escapedJSON(string(params))
}

// escapedJSON is JSON with characters that act escaped in its own way, so that it
// still says the same when they have to be shown.
func escapedJSON(text string) string {
	if strings.IndexFunc(text, isControl) < 0 {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		switch {
		case !isControl(r):
			b.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}
