package handlers

import (
	"context"
	"fmt"
	"math"
	"strings"

	"aidb-mcp/internal/fault"
	"aidb-mcp/responses"
	"aidb-mcp/session"
)

// Lines of source or output in one answer.
const linePage = 40

// source shows lines of a source file: those round a location, from a line on,
// or those that contain a text.
func (q *question) source(ctx context.Context) (string, error) {
	at, err := q.place(ctx)
	if err != nil {
		return "", err
	}
	lines, err := q.s.SourceLines(at.File, 1, math.MaxInt32)
	if err != nil {
		return "", err
	}
	if q.Filter != "" {
		return q.search(at.File, lines), nil
	}
	count := q.Count
	if count == 0 {
		count = linePage
	}
	first := q.Start
	if first <= 0 {
		first = max(1, at.Line-count/2)
	}
	if first > len(lines) {
		return "", fault.New(fault.InvalidParam, "line %d is past the end of %s, which has %d lines", first, q.at(at.File, 0), len(lines)).
			WithField("start").WithHint("give a start from 1 to %d", len(lines))
	}
	last := min(len(lines), first+count-1)
	q.data.Source = &responses.Snapshot{First: first, Current: at.Line, Column: at.Column, Lines: lines[first-1 : last]}
	q.data.SourcePage = &responses.Page{What: "source lines", Start: first - 1, Total: len(lines), More: func(start int) responses.Call {
		return q.call("inspect", "target", "source", "location", q.at(at.File, max(1, at.Line)), "start", start+1).With("count", q.Count)
	}}
	return fmt.Sprintf("lines %d to %d of %d of %s", first, last, len(lines), q.at(at.File, 0)), nil
}

// place is the file and line asked about, else those of the frame.
func (q *question) place(ctx context.Context) (session.Frame, error) {
	if q.Location != "" {
		spec, err := q.s.ResolveLocation(q.Location)
		if err != nil || spec.File != "" {
			return session.Frame{File: spec.File, Line: spec.Line, Column: spec.Column}, err
		}
		return session.Frame{}, fault.New(fault.InvalidLocation, "%q does not name a line", q.Location).
			WithField("location").WithHint(`source needs a file and a line, for example "calc.go:7"`)
	}
	const example = `name a place, for example {"target":"source","location":"calc.go:7"}`
	if !q.s.State().Status.Stopped() {
		return session.Frame{}, missingParam("location", "the program stands nowhere, so source needs location", example)
	}
	frames, _, err := q.s.Stopped().Stack(ctx, q.ThreadID, q.Frame, 1)
	if err != nil {
		return session.Frame{}, err
	}
	if len(frames) == 0 || frames[0].File == "" {
		return session.Frame{}, fault.New(fault.InvalidLocation, "frame %d has no source", q.Frame).
			WithHint("%s; inspect(disassembly) shows the instructions", example)
	}
	return frames[0], nil
}

// search lists the lines that contain the filter, with their numbers.
func (q *question) search(file string, lines []string) string {
	hits := []string{}
	for i, line := range lines {
		if strings.Contains(line, q.Filter) {
			hits = append(hits, fmt.Sprintf("%d: %s", i+1, strings.TrimSpace(line)))
		}
	}
	total, start := len(hits), min(max(0, q.Start), len(hits))
	count := q.Count
	if count == 0 {
		count = linePage
	}
	q.data.Matches = responses.NewList(hits[start:min(total, start+count)], responses.Page{
		What: "matching lines", Start: start, Total: total, More: q.more,
	})
	return fmt.Sprintf("%s of %s with %q", responses.Plural(total, "line"), q.at(file, 0), q.Filter)
}

// disassembly shows instructions from an address, a location or the current one.
func (q *question) disassembly(ctx context.Context) (string, error) {
	at := q.Address
	if at == "" {
		at = q.Location
	}
	count := q.Count
	if count == 0 {
		count = 20
	}
	code, err := q.s.Stopped().Disassemble(ctx, at, q.ThreadID, q.Frame, count)
	if err != nil {
		return "", err
	}
	lines := make([]string, len(code))
	line := 0
	for i, ins := range code {
		lines[i] = q.instruction(ins, ins.Line != line)
		line = ins.Line
	}
	q.data.Disassembly = responses.NewList(lines, responses.Page{What: "instructions", More: func(start int) responses.Call {
		return q.call("inspect", "target", "disassembly", "address", code[start].Address, "count", len(code)-start)
	}})
	said := responses.Plural(len(code), "instruction")
	if len(code) > 0 && code[0].Symbol != "" {
		said += " of " + code[0].Symbol
	}
	return said, nil
}

// instruction is "→ 0x4a1b2c  ADDQ AX, BX  ; calc.go:7".
func (q *question) instruction(ins session.Instruction, newLine bool) string {
	mark := "  "
	if ins.Current {
		mark = "→ "
	}
	text := mark + ins.Address + "  " + ins.Text
	if at := q.at(ins.File, ins.Line); ins.Line > 0 && newLine {
		text += "  ; " + at
	}
	return text
}

// modules lists the packages and libraries of the program.
func (q *question) modules(ctx context.Context) (string, error) {
	all, err := q.s.Stopped().Modules(ctx, q.Filter)
	if err != nil {
		return "", err
	}
	start, count := min(max(0, q.Start), len(all)), q.Count
	if count == 0 {
		count = linePage
	}
	rows := []responses.Module{}
	for _, m := range all[start:min(len(all), start+count)] {
		rows = append(rows, responses.Module(m))
	}
	q.data.Modules = responses.NewList(rows, responses.Page{What: "modules", Start: start, Total: len(all), More: q.more})
	return responses.Plural(len(all), "module") + q.matchingText(), nil
}
