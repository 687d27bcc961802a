package page

import (
	"bytes"
	_ "embed"
	"fmt"
	"html"
	"time"

	"aidb-mcp/internal/hub"
	"aidb-mcp/internal/text/secret"
	"aidb-mcp/persons"
)

//go:embed report.css
var reportStyle string

// document is HTML that is being written, by functions and not by a template: that would keep
// every exported method of the binary in it.
type document struct {
	bytes.Buffer
	mask *secret.Masker
}

// put writes markup in which each verb stands for text of a session: it is escaped, and must
// stand between tags.
func (d *document) put(markup string, texts ...any) {
	for i, text := range texts {
		texts[i] = html.EscapeString(fmt.Sprint(text))
	}
	fmt.Fprintf(d, markup, texts...)
}

// hide is a text without its secrets.
func (d *document) hide(text string) string { return d.mask.Text(text) }

// writeReport makes a page that needs nothing else: its style is inside, and it has no script.
func writeReport(mask *secret.Masker, row persons.Summary, events []hub.Event, lost int) []byte {
	d := &document{mask: mask}
	d.put(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>%s: %s</title>
`, row.ID, d.hide(row.Target))
	d.WriteString("<style>" + reportStyle + "</style>\n")
	d.put("<h1>%s</h1>\n", d.hide(row.Target))
	d.put(`<p class="soft">%s, %s, %s. Written %s UTC.`, row.ID, row.Language, row.Status, time.Now().UTC().Format(time.DateTime))
	if lost > 0 {
		d.put(" %v earlier events are kept no more.", lost)
	}
	d.put("</p>\n")
	for _, e := range events {
		d.event(e)
	}
	d.put("</html>\n")
	return d.Bytes()
}

func (d *document) event(e hub.Event) {
	d.put("<section>\n<time>%s<br>", e.At.UTC().Format("15:04:05.000"))
	if e.By.Kind == hub.ByPerson {
		d.person(e.By.Name)
	} else {
		d.put("%s", e.By.Kind)
	}
	d.put("</time>\n<div>")
	switch {
	case e.State != nil:
		d.state(e.State)
	case e.View != nil:
		d.view(e.View)
	case e.Breakpoint != nil:
		d.breakpoint(e.Breakpoint)
	case e.Output != nil:
		d.put(`<span class="soft">%s</span><pre>%s</pre>`, e.Output.Stream, d.hide(e.Output.Text))
	case e.Call != nil:
		d.put("<b>%s</b> %s", e.Call.Tool, d.hide(e.Call.What))
		d.optional("<pre>%s</pre>", e.Call.Args)
	case e.Reply != nil:
		d.reply(e.Reply)
	default:
		d.act(e)
	}
	d.put("</div>\n</section>\n")
}

// act is what a person does.
func (d *document) act(e hub.Event) {
	switch {
	case e.Did != nil:
		d.person(e.Did.Who + " " + d.hide(e.Did.Did))
		d.optional("<pre>%s</pre>", e.Did.Text)
	case e.Question != nil:
		d.put("asks: %s", d.hide(e.Question.Text))
	case e.Answer != nil:
		d.person(e.Answer.Who + " answers:")
		d.put(" %s", d.hide(e.Answer.Text))
	case e.Hold != nil && e.Hold.Person != "":
		d.person(e.Hold.Person + " holds the session")
	case e.Hold != nil:
		d.put("the session is the agent's again")
		d.optional(" (%s)", e.Hold.Ended)
	case e.Presence != nil && e.Presence.Here:
		d.person(e.Presence.Person + " watches")
	case e.Presence != nil:
		d.person(e.Presence.Person + " has left")
	}
}

func (d *document) state(s *hub.State) {
	d.put("%s", s.Status)
	d.optional(" (%s)", s.Reason)
	if s.ExitCode != nil {
		d.put(", exit code %v", *s.ExitCode)
	}
	d.optional(": %s", s.Note)
}

func (d *document) view(v *hub.View) {
	d.optional(`<p class="bad">%s</p>`, v.Exception)
	for _, f := range v.Stack {
		if !f.Internal {
			d.put("<pre>%s %s:%v</pre>", f.Function, f.Path, f.Line)
		}
	}
	for _, value := range v.Locals {
		d.put("<pre>%s = %s</pre>", value.Name, d.hide(value.Value))
	}
}

func (d *document) breakpoint(b *hub.BreakpointChange) {
	d.put("breakpoint %v %s: %s", b.ID, b.What, b.Path)
	if b.Line != 0 {
		d.put(":%v", b.Line)
	}
	d.put(" %s%s", b.Function, d.hide(b.Expression))
	d.optional(" if %s", b.Condition)
}

func (d *document) reply(r *hub.Reply) {
	class := ""
	if !r.OK {
		class = ` class="bad"`
	}
	d.put("<b"+class+`>%s</b> <span class="soft">%s ms</span>`, d.hide(r.Summary), fmt.Sprint(r.Took.Milliseconds()))
	d.optional("<details><summary>reply</summary><pre>%s</pre></details>", r.Text)
	if r.Cut > 0 {
		d.put(`<span class="soft">%v more bytes left out</span>`, r.Cut)
	}
}

func (d *document) person(text string) { d.put(`<span class="person">%s</span>`, text) }

// optional writes markup around a text, which is hidden where it is secret, if there is one.
func (d *document) optional(markup, text string) {
	if text != "" {
		d.put(markup, d.hide(text))
	}
}
