package handlers

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"aidb-mcp/internal/fault"
	"aidb-mcp/responses"
	"aidb-mcp/session/output"
)

// streams are what output is kept of.
var streams = []string{output.Stdout, output.Stderr, output.Log}

// lineBytes is how much of each line a page shows; a line that is asked for
// alone is shown as far as the reply has room.
const lineBytes = 1000

// output shows lines of what the program has printed: the last ones, or those
// from start on. expression picks one of the streams.
func (q *question) output(context.Context) (string, error) {
	var said []string
	for _, name := range streams {
		if q.Expression != "" && q.Expression != name {
			continue
		}
		page, err := q.stream(name)
		if err != nil {
			return "", err
		}
		if name == output.Log && page.Total == 0 && q.Expression == "" {
			continue // most programs run without logpoints
		}
		said = append(said, fmt.Sprintf("%s of %s", responses.Plural(page.Total, "line"), name))
		q.data.Lost += page.Lost
	}
	if said == nil {
		return "", fault.New(fault.InvalidParam, "there is no stream %q", q.Expression).
			WithField("expression").WithHint("it is stdout, stderr or log (of logpoints), or left out for all")
	}
	return strings.Join(said, ", ") + q.matchingText(), nil
}

// stream shows a page of one stream; address is the byte of a line to begin at.
func (q *question) stream(name string) (output.Lines, error) {
	p := output.Page{Start: q.Start, Count: q.Count, Filter: q.Filter}
	if p.Count == 0 {
		p.Count = linePage
	}
	tail := p.Start < 0 || p.Start == 0 && q.Count == 0
	if p.Start == 0 && q.Count == 0 {
		p.Start = -p.Count
	}
	from, length := 0, lineBytes
	if p.Count == 1 {
		length = q.textPage
	}
	if q.Length > 0 {
		length = q.Length
	}
	if q.Address != "" {
		var err error
		if from, err = strconv.Atoi(q.Address); err != nil || from < 0 {
			return output.Lines{}, fault.New(fault.InvalidParam, "%q is no place in a line", q.Address).
				WithField("address").WithHint("for output it is the number of the byte to begin at, for example 1000")
		}
	}
	page := q.s.ReadOutput(name, p)
	shown := &responses.Printed{Stream: name, Start: page.Start, Total: page.Total, Tail: tail}
	for _, line := range page.Lines {
		shown.Lines = append(shown.Lines, responses.NewLine(line, from, length))
	}
	lines := func(start, count int) responses.Call {
		return q.call("inspect", "target", "output", "expression", name).With("filter", q.Filter).
			With("start", start).With("count", count)
	}
	if q.Address == "" { // else one line goes on
		shown.Page = lines
	}
	shown.Rest = func(line, from int) responses.Call {
		return lines(line, 1).With("address", strconv.Itoa(from)).With("length", q.Length)
	}
	switch {
	case page.Total == 0:
	case name == output.Stderr:
		q.data.Stderr = shown
	case name == output.Log:
		q.data.Log = shown
	default:
		q.data.Stdout = shown
	}
	return page, nil
}
