package handlers

import (
	"cmp"
	"fmt"
	"math"
	"strings"
	"time"

	"aidb-mcp/internal/profiling"
	"aidb-mcp/investigate/profile"
	"aidb-mcp/investigate/profile/fold"
	"aidb-mcp/responses"
	"aidb-mcp/session"
	"aidb-mcp/tools"
)

// usualRows is how many rows a profile shows when it was not said.
const usualRows = 50

// profileReply is the reply to a profile.
func (h *Handlers) profileReply(c *Call, p *tools.ProfileParams, q profile.Question, r *profile.Result) *responses.Envelope {
	side := r.First
	found := side.Run.Profile
	data := &responses.Profile{
		Seconds: inSeconds(found.Lasted), Compared: inSeconds(side.Run.Since), How: found.How, Cost: found.Cost,
		Notes: append(append([]string{}, side.Run.Warnings...), found.Notes...), More: wider(h.Mask, c),
	}
	if side.File != "" {
		data.File = q.Subject.Rel(side.File)
	}
	w := profileWriter{show: h.show(q.Subject), data: data, result: r}
	env := &responses.Envelope{Success: true, Data: data}
	switch q.What {
	case profiling.Memory:
		data.OfMemory()
		w.writeMemory()
		env.Summary = memorySummary(data, side)
	case profiling.Waits:
		data.OfWaits()
		w.writeShares()
		env.Summary = sharesSummary(data, side, "where threads stood in")
	default:
		w.writeShares()
		env.Summary = sharesSummary(data, side, "processor time of")
	}
	if limit, all := cmp.Or(p.Limit, usualRows), len(data.Rows); all > limit {
		data.Limit(limit)
		if data.More.Tool != "" {
			data.More = responses.Repeat(c.Tool, c.Args, "limit", min(1000, all))
		}
	}
	w.writeEnding(q)
	if q.What == profiling.CPU && *data.Samples == 0 && found.Lasted > 0 {
		env.NextSteps = []responses.NextStep{w.again(p, "waits").Why("it used next to no processor time: where it waits")}
	}
	return env
}

// profileWriter writes what was found into a reply.
type profileWriter struct {
	show
	data   *responses.Profile
	result *profile.Result
}

// again is the same call for another kind.
func (w profileWriter) again(p *tools.ProfileParams, what string) responses.Call {
	params := []any{"what", what}
	if p.Given() {
		params = append(startFields(&p.Start), params...)
		return responses.NewCall("profile", params...)
	}
	return w.call("profile", params...)
}

// writeEnding says how runs have ended, where that is worth telling.
func (w profileWriter) writeEnding(q profile.Question) {
	data, run := w.data, w.result.First.Run
	data.Ended = profileEnding(run, q)
	if run.Own && (run.Exit == nil || run.Exit.Code != 0 || run.Exit.Signal != "") {
		data.Output = &responses.Output{Stdout: stream(run.Stdout), Stderr: stream(run.Stderr)}
		if data.Output.Empty() {
			data.Output = nil
		}
	}
	if second := w.result.Second; second != nil {
		s := &responses.SecondRun{Seconds: inSeconds(second.Run.Profile.Lasted), Ended: profileEnding(second.Run, q)}
		if f := second.Folded; f != nil {
			s.Samples, s.CPU = &f.Samples, millis(f)
		}
		if m := second.Memory; m != nil {
			s.Bytes = m.Bytes
		}
		data.Second = s
		data.Notes = append(data.Notes, second.Run.Profile.Notes...)
	}
}

// profileEnding says how a program has ended, where that is no plain end.
func profileEnding(run *session.ProfileRun, q profile.Question) string {
	p := run.Profile
	switch {
	case !run.Own && p.Ended:
		return fmt.Sprintf("the program ended after %s", p.Lasted.Round(10*time.Millisecond))
	case !run.Own && q.For > p.Lasted+time.Second:
		return fmt.Sprintf("it was measured for %s of the %s that were asked for: timeout_ms was over", p.Lasted.Round(100*time.Millisecond), q.For)
	case !run.Own:
		return ""
	case run.Exit == nil && q.For > 0 && p.Lasted+time.Second >= q.For:
		return fmt.Sprintf("it was still running and was ended after %s, as seconds says", p.Lasted.Round(100*time.Millisecond))
	case run.Exit == nil:
		return fmt.Sprintf("it was still running and was ended after %s, when timeout_ms was over", p.Lasted.Round(100*time.Millisecond))
	case run.Exit.Signal != "":
		return "signal " + run.Exit.Signal
	case run.Exit.Code != 0 || q.For > p.Lasted:
		return fmt.Sprintf("exit code %d after %s", run.Exit.Code, p.Lasted.Round(10*time.Millisecond))
	}
	return ""
}

func inSeconds(d time.Duration) float64 { return math.Round(d.Seconds()*100) / 100 }

// millis is the processor time of a profile; 0 where it has none.
func millis(f *fold.Folded) int64 {
	if !f.Timed {
		return 0
	}
	return f.Sum / int64(time.Millisecond)
}

func percent(part, of int64) *float64 {
	p := 0.0
	if of > 0 {
		p = math.Round(float64(part)*1000/float64(of)) / 10
	}
	return &p
}

// place is where a frame is, as the workspace has it.
func (w profileWriter) place(s *profile.Side, f fold.Frame) string {
	if f.File == "" || f.Library && f.Line == 0 {
		return ""
	}
	file, line, isMade := s.Place(f.File, f.Line)
	at := w.at(file, line)
	if isMade {
		at += session.MadeLine
	}
	return at
}

// code is the text of a line of the user's.
func (w profileWriter) code(s *profile.Side, f fold.Frame) string {
	if f.Library || f.Line == 0 || f.File == "" {
		return ""
	}
	return responses.Shorten(s.Code(f.File, f.Line), longestProfiled)
}

// longestProfiled is how much of a line's text a row shows, in bytes.
const longestProfiled = 60

// mostFunctions is how many functions are told.
const mostFunctions = 15

// writeShares writes the rows of time, and of what is waited for.
func (w profileWriter) writeShares() {
	f := w.result.First.Folded
	w.data.Samples, w.data.CPU = &f.Samples, millis(f)
	w.data.Rows = w.shareRows(f.Lines, func(f *fold.Folded) []fold.Row { return f.Lines }, true)
	w.data.Functions = w.shareRows(f.Functions, func(f *fold.Folded) []fold.Row { return f.Functions }, false)
	w.data.Functions = w.data.Functions[:min(mostFunctions, len(w.data.Functions))]
	for i, r := range f.Way {
		text := fmt.Sprintf("%*s%.1f%% %s", i, "", *percent(r.Total, f.Sum), r.Function)
		if at := w.place(w.result.First, r.Frame); at != "" {
			text += " " + at
		}
		w.data.Hottest = append(w.data.Hottest, text)
	}
}

// rowKey tells rows of two runs apart.
type rowKey struct{ at, function, waits string }

// shareRows are the rows of one kind, each with what the second run has there; rows that only
// the second has come last.
func (w profileWriter) shareRows(rows []fold.Row, of func(*fold.Folded) []fold.Row, byLine bool) []responses.ProfileRow {
	first, second := w.result.First, w.result.Second
	key := func(s *profile.Side, r fold.Row) rowKey {
		if !byLine {
			file := r.Frame
			file.Line = 0
			return rowKey{w.place(s, file), r.Function, ""}
		}
		return rowKey{w.place(s, r.Frame), r.Function, r.WaitsFor}
	}
	others := map[rowKey]fold.Row{}
	if second != nil {
		for _, r := range of(second.Folded) {
			others[key(second, r)] = r
		}
	}
	list := []responses.ProfileRow{}
	for _, r := range rows {
		row := w.shareRow(first, r, byLine)
		if second != nil {
			k := key(first, r)
			row.Second = secondShare(second.Folded, others[k])
			delete(others, k)
		}
		list = append(list, row)
	}
	if second == nil {
		return list
	}
	for _, r := range of(second.Folded) {
		if _, left := others[key(second, r)]; left {
			row := w.shareRow(second, r, byLine)
			none := first.Folded
			row.Second = secondShare(second.Folded, r)
			row.Self, row.Total, row.Library = percent(0, none.Sum), percent(0, none.Sum), ""
			if none.Timed {
				row.SelfMS, row.TotalMS = new(int64), new(int64)
			}
			list = append(list, row)
		}
	}
	return list
}

func (w profileWriter) shareRow(s *profile.Side, r fold.Row, byLine bool) responses.ProfileRow {
	sum := s.Folded.Sum
	row := responses.ProfileRow{
		At: w.place(s, r.Frame), Function: r.Function, WaitsFor: r.WaitsFor,
		Self: percent(r.Self, sum), Total: percent(r.Total, sum), Library: libraryText(r, sum),
	}
	if byLine {
		row.Code = w.code(s, r.Frame)
	}
	if w.result.Second != nil && s.Folded.Timed {
		row.SelfMS, row.TotalMS = milliseconds(r.Self), milliseconds(r.Total)
	}
	return row
}

func milliseconds(ns int64) *int64 {
	ms := ns / int64(time.Millisecond)
	return &ms
}

func secondShare(f *fold.Folded, r fold.Row) *responses.Share {
	s := &responses.Share{Self: *percent(r.Self, f.Sum), Total: *percent(r.Total, f.Sum)}
	if f.Timed {
		s.SelfMS, s.TotalMS = milliseconds(r.Self), milliseconds(r.Total)
	}
	return s
}

// libraryText is what libraries have done of a row: the two largest parts.
func libraryText(r fold.Row, sum int64) string {
	text := ""
	for i, part := range r.Called {
		if i == 2 || *percent(part.Value, sum) < 0.1 {
			break
		}
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%s %.1f%%", plainName(part.Name), *percent(part.Value, sum))
	}
	return text
}

// longestLibrary is how much of what a library is called by is shown, in bytes.
const longestLibrary = 80

// plainName is a function's name without what it was made for.
func plainName(name string) string {
	var b strings.Builder
	depth := 0
	for _, c := range name {
		switch {
		case c == '<' && b.Len() > 0:
			depth++
		case c == '>' && depth > 0:
			depth--
		case depth == 0:
			b.WriteRune(c)
		}
	}
	return responses.Shorten(b.String(), longestLibrary)
}

// sharesSummary says in a sentence where most is.
func sharesSummary(data *responses.Profile, s *profile.Side, of string) string {
	head := fmt.Sprintf("%s %s, %s in %.2f s", of, s.Run.Target, responses.Plural(int(*data.Samples), "sample"), data.Seconds)
	if *data.Samples == 0 {
		return head + ": none was seen"
	}
	if len(s.Folded.Lines) == 0 {
		return head
	}
	top := data.Rows[0]
	where := strings.TrimSpace(top.Function + " " + top.At)
	return fmt.Sprintf("%s: most at %s (%.1f%%)", head, where, *top.Self)
}

// writeMemory writes what is held: by type where that is known, and by line.
func (w profileWriter) writeMemory() {
	m := w.result.First.Memory
	w.data.Count, w.data.Bytes, w.data.Grown = m.Count, m.Bytes, m.GrownBytes
	types, lines := w.heldRows(func(m *fold.Memory) []fold.Held { return m.Types }), w.heldRows(func(m *fold.Memory) []fold.Held { return m.Lines })
	w.data.Rows, w.data.Lines = types, lines
	if len(types) == 0 {
		w.data.Rows, w.data.Lines = lines, nil
	}
	for i, h := range w.result.First.Run.Profile.Holders {
		if i == 0 {
			w.data.Holder = h.Way
			continue
		}
		w.data.Holders = append(w.data.Holders, h.Way)
	}
}

// heldRows are the rows of one kind, each with what the second run has there; rows that only the
// second has come last.
func (w profileWriter) heldRows(of func(*fold.Memory) []fold.Held) []responses.ProfileRow {
	rows := []responses.ProfileRow{}
	first, second := w.result.First, w.result.Second
	key := func(s *profile.Side, h fold.Held) rowKey { return rowKey{w.place(s, h.Frame), h.Function, h.Type} }
	others := map[rowKey]int64{}
	if second != nil {
		for _, h := range of(second.Memory) {
			others[key(second, h)] += h.Bytes
		}
	}
	for _, h := range of(first.Memory) {
		row := w.heldRow(first, h)
		if second != nil {
			bytes := others[key(first, h)]
			row.Second = &responses.Share{Bytes: &bytes}
			delete(others, key(first, h))
		}
		rows = append(rows, row)
	}
	if second == nil {
		return rows
	}
	for _, h := range of(second.Memory) {
		if bytes, left := others[key(second, h)]; left && bytes > 0 {
			delete(others, key(second, h))
			row := w.heldRow(second, fold.Held{Type: h.Type, Frame: h.Frame})
			row.Second = &responses.Share{Bytes: &bytes}
			rows = append(rows, row)
		}
	}
	return rows
}

func (w profileWriter) heldRow(s *profile.Side, h fold.Held) responses.ProfileRow {
	row := responses.ProfileRow{
		Type: h.Type, At: w.place(s, h.Frame), Function: h.Function, Library: plainName(h.Called), Count: &h.Count, GrownBy: &h.GrownCount, Code: w.code(s, h.Frame),
	}
	if s.Memory.HasBytes {
		row.Bytes, row.Grown = &h.Bytes, &h.GrownBytes
	} else {
		row.Grown, row.GrownBy = &h.GrownCount, nil
	}
	if h.Count == 0 && h.Bytes > 0 { // bytes without anything: how many they are is not known
		row.Count, row.GrownBy = nil, nil
	}
	return row
}

// memorySummary says in a sentence what grew most.
func memorySummary(data *responses.Profile, s *profile.Side) string {
	head := fmt.Sprintf("memory of %s: %d bytes held", s.Run.Target, data.Bytes)
	if s.Memory != nil && !s.Memory.HasBytes {
		head = fmt.Sprintf("memory of %s: %d objects held", s.Run.Target, data.Count)
	}
	twice := s.Run.Profile.Before != nil
	if !twice && !s.Run.Own {
		return head + ", at one moment: the next profile(memory) of this session tells what grew since then"
	}
	if len(data.Rows) == 0 || data.Rows[0].Grown == nil || *data.Rows[0].Grown <= 0 {
		return head + ": nothing has grown"
	}
	top := data.Rows[0]
	name := cmp.Or(top.Type, top.At, top.Function)
	unit := "bytes"
	if !s.Memory.HasBytes {
		unit = "objects"
	}
	return fmt.Sprintf("%s: %s grew most, by %d %s", head, name, *top.Grown, unit)
}
