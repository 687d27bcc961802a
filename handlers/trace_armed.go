package handlers

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/recording/live"
	"aidb-mcp/investigate/trace"
	"aidb-mcp/responses"
	"aidb-mcp/session"
	"aidb-mcp/tools"
)

// armTrace puts a recorder into the session's program, which runs on.
func (h *Handlers) armTrace(ctx context.Context, c *Call, p *tools.TraceParams) (*responses.Envelope, error) {
	spec, err := armed(p)
	if err != nil {
		return nil, err
	}
	spec.Stack = p.Stack
	if _, err := newTrigger(ctx, c, p.Trigger); err != nil {
		return nil, err
	}
	t, state, err := c.Session.Arm(ctx, spec)
	if err != nil {
		return nil, err
	}
	if c.trigger != nil {
		return h.provokeRecorded(ctx, c, p, t, state.How)
	}
	data := h.armedReply(c, t, nil, state)
	data.How = state.How
	return &responses.Envelope{
		Success: true, Data: data,
		Summary: fmt.Sprintf("armed %s: %s in %s, which runs on", t.ID, subjectOf(spec), c.Session.Target()),
		NextSteps: []responses.NextStep{
			responses.NewCall("trace", "action", "read", "id", t.ID).Why("what was recorded, once the program has done it"),
			responses.NewCall("trace", "action", "disarm", "id", t.ID).Why("take it out"),
		},
	}, nil
}

// armed is what the arguments ask to record.
func armed(p *tools.TraceParams) (live.Spec, error) {
	spec := live.Spec{Condition: string(p.Condition), Expressions: tools.Texts(p.Expressions), Functions: p.Functions}
	switch p.What {
	case trace.Calls:
		if err := checkTaken(p, true); err != nil {
			return spec, err
		}
		if len(p.Functions) == 0 {
			return spec, missingParam("functions", "trace(arm, calls) needs functions", `for example {"action":"arm","what":"calls","functions":["total"]}`)
		}
		return spec, nil
	case trace.Writes:
		return armedWrites(p)
	case trace.Values:
		if err := checkTaken(p, true); err != nil {
			return spec, err
		}
	case "":
		return spec, missingParam("what", "what is missing: what is to be recorded?", `for example {"action":"arm","what":"calls","functions":["total"]}`)
	default:
		return spec, fault.New(fault.NotSupported, "%s of a running program are not recorded: what can be armed is values, calls and writes", p.What).WithField("what").
			WithHint("trace without action runs the program again, and has all kinds")
	}
	at := strings.LastIndexByte(p.Location, ':')
	line, err := strconv.Atoi(p.Location[at+1:])
	if at < 1 || err != nil || line < 1 {
		return spec, fault.New(fault.InvalidLocation, "location %q is no file:line", p.Location).WithField("location").WithHint(`for example "orders.c:28"`)
	}
	if len(spec.Expressions) == 0 {
		return spec, missingParam("expressions", "trace(arm, values) needs expressions", `for example {"expressions":["total","order.price"]}`)
	}
	spec.File, spec.Line = p.Location[:at], line
	return spec, nil
}

// armedWrites is what is asked of the writes to a variable.
func armedWrites(p *tools.TraceParams) (live.Spec, error) {
	switch {
	case p.Expression == "":
		return live.Spec{}, missingParam("expression", "trace(arm, writes) needs an expression", `for example {"action":"arm","what":"writes","expression":"served"}`)
	case p.Condition != "":
		return live.Spec{}, fault.New(fault.NotSupported, "trace(arm, writes) judges no condition: it records all writes").WithField("condition").
			WithHint("leave condition out; each row has the value before the write and that after it")
	}
	return live.Spec{Written: string(p.Expression)}, checkTaken(p, true)
}

// subjectOf is what is recorded, in words.
func subjectOf(s live.Spec) string {
	if s.Written != "" {
		return "writes to " + s.Written
	}
	if s.File != "" {
		return fmt.Sprintf("values at %s:%d", s.File, s.Line)
	}
	return "calls of " + strings.Join(s.Functions, ", ")
}

// readTrace gives the rows since the last call.
func (h *Handlers) readTrace(_ context.Context, c *Call, p *tools.TraceParams) (*responses.Envelope, error) {
	t, rows, state, err := c.Session.ReadArmed(p.ID, rows(p))
	if err != nil {
		return nil, err
	}
	return h.recordedReply(c, t, rows, state, ""), nil
}

// disarmTrace takes a recorder out of the program, and gives what was not read yet.
func (h *Handlers) disarmTrace(_ context.Context, c *Call, p *tools.TraceParams) (*responses.Envelope, error) {
	t, rows, state, err := c.Session.Disarm(p.ID, rows(p))
	if err != nil {
		return nil, err
	}
	return h.recordedReply(c, t, rows, state, "disarmed "+t.ID+": "), nil
}

// recordedReply is the reply with rows of a running program. Done is what was done, before
// that is told.
func (h *Handlers) recordedReply(c *Call, t *session.ArmedTrace, rows []live.Row, state live.State, done string) *responses.Envelope {
	data := h.armedReply(c, t, rows, state)
	addTriggers(c, data)
	env := &responses.Envelope{Success: true, Data: data}
	env.Summary = fmt.Sprintf("%s%s of %s, %s since it was armed", done, responses.Plural(len(data.Rows), "row"), subjectOf(t.Spec), responses.Plural(int(state.Hits), "hit"))
	switch {
	case state.Waiting == 0:
	case done != "":
		data.Dropped, data.Waiting = data.Dropped+int64(state.Waiting), 0
		data.Notes = append(data.Notes, fmt.Sprintf("%d rows were not read, and are gone: trace(read) before, or a higher limit, gives them", state.Waiting))
	default:
		env.NextSteps = []responses.NextStep{responses.NewCall("trace", "action", "read", "id", t.ID, "limit", 1000).Why("the rows that wait")}
	}
	return env
}

// armedReply is the data of a reply about a recorder.
func (h *Handlers) armedReply(c *Call, t *session.ArmedTrace, rows []live.Row, state live.State) *responses.Trace {
	data := &responses.Trace{ID: t.ID, Running: &state.Running, Hits: state.Hits, Dropped: state.Dropped, Waiting: state.Waiting}
	w := h.show(c.Session)
	w.stacks = t.Spec.Stack
	switch {
	case t.Spec.Written != "":
		data.Columns, data.Rows = writeTable(w, rows)
	case t.Spec.File != "":
		data.Columns, data.Rows = passTable(w, t.Spec, rows)
	default:
		data.Columns, data.Rows = callTable(w, rows, state.Waiting > 0)
	}
	if data.Rows == nil {
		data.Rows = [][]string{}
	}
	if state.Out != "" {
		data.Notes = append(data.Notes, state.Out)
	}
	data.Notes = append(data.Notes, state.Notes...)
	if t.Spec.Condition != "" && state.Hits > 0 {
		of := "%d of the hits"
		if len(t.Spec.Functions) > 0 { // the end of a call may be a hit, too, at which no condition is judged
			of = "the beginning of %d calls"
		}
		data.Notes = append(data.Notes, fmt.Sprintf("the condition held at "+of, state.Matched))
	}
	if state.Unread > 0 {
		data.Notes = append(data.Notes, fmt.Sprintf("at %d hits the condition could not be read, and they were left out", state.Unread))
	}
	return data
}

// moment is when a row was recorded, since it was armed.
func moment(at time.Duration) string { return fmt.Sprintf("%.6f s", at.Seconds()) }

// who is the thread of a row, or its goroutine.
func who(r live.Row) string {
	if r.Who != "" {
		return r.Who
	}
	if r.Task != 0 {
		return fmt.Sprintf("goroutine %d", r.Task)
	}
	return strconv.Itoa(r.Thread)
}

// valueText is a value as a cell.
func valueText(v live.Value) string {
	text := v.Text
	if v.Missing != "" {
		return "(" + v.Missing + ")"
	}
	if v.Cut {
		text += "…"
	}
	return text
}

// passTable has a row for each pass of a line.
func passTable(w show, s live.Spec, rows []live.Row) (columns []string, table [][]string) {
	columns = append([]string{"at", "time", "thread"}, s.Expressions...)
	for _, r := range rows {
		row := []string{w.at(r.File, r.Line), moment(r.At), who(r)}
		for _, v := range r.Values {
			row = append(row, valueText(v))
		}
		table = append(table, w.withStack(row, r))
	}
	return w.stackColumn(columns), table
}

// writeTable has a row for each write.
func writeTable(w show, rows []live.Row) (columns []string, table [][]string) {
	columns = []string{"at", "time", "thread", "function", "before", "after"}
	several := slices.ContainsFunc(rows, func(r live.Row) bool { return r.Of != "" })
	if several {
		columns = slices.Insert(columns, 4, "of")
	}
	for _, r := range rows {
		row := []string{w.at(r.File, r.Line), moment(r.At), who(r), r.Function}
		if several {
			row = append(row, r.Of)
		}
		for _, v := range r.Values {
			row = append(row, valueText(v))
		}
		table = append(table, w.withStack(row, r))
	}
	return w.stackColumn(columns), table
}

// callTable has a row for each call: where its end was read with its beginning, both. There may be
// more rows that were not read.
func callTable(w show, rows []live.Row, more bool) (columns []string, table [][]string) {
	columns = []string{"at", "time", "thread", "function", "arguments", "result", "took"}
	began := map[int64]int{}
	for i, r := range rows {
		if r.Kind == live.Enter {
			began[r.Call] = len(table)
			table = append(table, w.withStack([]string{w.at(r.File, r.Line), moment(r.At), who(r), r.Function, withNames(r.Values), unended(r, more), ""}, r))
			continue
		}
		result := results(r.Values)
		if at, is := began[r.Call]; is && r.Call != 0 {
			table[at][5], table[at][6] = result, tookOf(rows[:i], r)
			continue
		}
		table = append(table, w.withStack([]string{w.at(r.File, r.Line), moment(r.At), who(r), r.Function, "(it began before)", result, ""}, r))
	}
	return w.stackColumn(columns), table
}

// unended is what stands for the result of a call whose end was not recorded.
func unended(r live.Row, more bool) string {
	if more {
		return "(its return is not among these rows)"
	}
	if r.Leaves {
		return "(no return seen; it may end in a jump to another function)"
	}
	return "(no return seen)" // it runs still, or has ended by a panic, an exception or the like
}

// tookOf is how long the call took that ends with a row.
func tookOf(before []live.Row, end live.Row) string {
	for _, row := range slices.Backward(before) {
		if row.Kind == live.Enter && row.Call == end.Call {
			return (end.At - row.At).Round(time.Microsecond).String()
		}
	}
	return ""
}

// withNames are values with their names.
func withNames(values []live.Value) string {
	var list []string
	for _, v := range values {
		list = append(list, v.Name+"="+valueText(v))
	}
	return strings.Join(list, ", ")
}

// results are what a call has given back, without a name where it is one.
func results(values []live.Value) string {
	if len(values) == 1 {
		return valueText(values[0])
	}
	return withNames(values)
}
