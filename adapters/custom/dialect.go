package custom

import (
	"cmp"
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
)

// dialect is what the table says that the adapter says differently.
type dialect struct {
	adapters.Base
	table *definition
	entry bool        // the first stop is the one on entry
	none  atomic.Bool // nobody wants to stop at exceptions
}

func newDialect(a *adapter, entry bool) *dialect {
	info := a.Info()
	d := &dialect{
		Base:  adapters.Base{ID: cmp.Or(a.table.AdapterID, info.Language), Name: info.Name, Uncaught: a.table.Uncaught},
		table: a.table, entry: entry,
	}
	if a.table.All != nil {
		d.Meanings = map[string][]string{"all": a.table.All}
	}
	return d
}

// Initialize offers a terminal where the table says that the adapter uses it.
func (d *dialect) Initialize(args *godap.InitializeRequestArguments) {
	d.Base.Initialize(args)
	args.SupportsRunInTerminalRequest = d.table.Terminal
}

// Stopped takes the first stop for the one on entry where that was asked for:
// adapters call it pause, or step. It is called on the reading goroutine.
func (d *dialect) Stopped(e godap.StoppedEventBody) adapters.Stop {
	stop := d.Base.Stopped(e)
	if d.entry && (stop.Reason == "pause" || stop.Reason == "step") {
		stop.Reason = "entry"
	}
	d.entry = false
	switch stop.Reason {
	case "entry":
	case "exception":
		stop.Ask = d.table.Exception.Describe != ""
	case d.table.StepsStopAs:
		stop.Vague = true
	case d.table.Exception.Stop:
		stop.Ask = true
	}
	return stop
}

// Filters remembers whether any exception is to stop.
func (d *dialect) Filters(choice []string, advertised []godap.ExceptionBreakpointsFilter) ([]string, error) {
	filters, err := d.Base.Filters(choice, advertised)
	if err == nil {
		d.none.Store(slices.Equal(choice, []string{"none"}))
	}
	return filters, err
}

// Noise knows the debugger's own lines.
func (d *dialect) Noise(_, line string) bool {
	return slices.ContainsFunc(d.table.noise, func(p *regexp.Regexp) bool { return p.MatchString(line) })
}

// nearFrames are searched for the user's own.
const nearFrames = 10

// ReadStop asks the program, in the user's frame, whether it stands at an exception.
func (d *dialect) ReadStop(ctx context.Context, c adapters.Caller, stop adapters.Stop) adapters.Stop {
	var stack godap.StackTraceResponseBody
	err := c.Call(ctx, "stackTrace", godap.StackTraceArguments{ThreadId: stop.ThreadID, Levels: nearFrames}, &stack)
	users := slices.IndexFunc(stack.StackFrames, func(f godap.StackFrame) bool { return !d.Internal(f) })
	if err != nil || users < 0 {
		return stop
	}
	text, kind := d.Expression(d.table.Exception.Describe)
	args := godap.EvaluateArguments{Expression: text, FrameId: stack.StackFrames[users].Id, Context: kind}
	var body godap.EvaluateResponseBody
	if err := c.Call(ctx, "evaluate", args, &body); err != nil {
		return stop
	}
	if _, failed := d.Judge(body); failed {
		return stop
	}
	said := unquote(d.table.formatValue(body.Result))
	class, message, ok := strings.Cut(said, ": ")
	if !ok {
		stop.Resume = said == "-"
		return stop
	}
	stop.Resume = stop.Reason != "exception" && d.none.Load()
	stop.Reason, stop.Description, stop.Text = "exception", class, message
	return stop
}

// unquote takes from a text the quotes that its language writes it in.
func unquote(text string) string {
	if plain, err := strconv.Unquote(text); err == nil {
		return plain
	}
	return strings.Trim(text, `"'`)
}

// Correct takes back the capabilities that the table distrusts, and those whose
// work its own words do.
func (d *dialect) Correct(caps *godap.Capabilities) {
	if d.table.Evaluate.Assign != "" {
		caps.SupportsSetVariable, caps.SupportsSetExpression = false, false
	}
	if len(d.table.Distrust) == 0 {
		return
	}
	text, err := json.Marshal(caps)
	var members map[string]json.RawMessage
	if err != nil || json.Unmarshal(text, &members) != nil {
		return
	}
	for _, name := range d.table.Distrust {
		delete(members, name)
	}
	var trusted godap.Capabilities
	if text, err = json.Marshal(members); err == nil && json.Unmarshal(text, &trusted) == nil {
		*caps = trusted
	}
}

// Truth is the table's way to have a condition judged, else the condition itself.
func (d *dialect) Truth(expr string) string {
	if d.table.Evaluate.Truth == "" {
		return expr
	}
	return strings.ReplaceAll(d.table.Evaluate.Truth, "${expression}", expr)
}

// Expression wraps the user's expression as the table says.
func (d *dialect) Expression(expr string) (rewritten, context string) {
	e := d.table.Evaluate
	if e.Wrap != "" {
		expr = strings.ReplaceAll(e.Wrap, "${expression}", expr)
	}
	return expr, cmp.Or(e.Context, "watch")
}

// Judge finds failures that the adapter reports as successes.
func (d *dialect) Judge(body godap.EvaluateResponseBody) (why string, failed bool) {
	if d.table.failed == nil {
		return "", false
	}
	m := d.table.failed.FindStringSubmatch(d.table.formatValue(body.Result))
	if m == nil {
		return "", false
	}
	return cmp.Or(strings.TrimSpace(cmp.Or(m[1:]...)), strings.TrimSpace(m[0]), "it has no value, and the adapter does not say why"), true
}

// Variables have their values, and the keys that stand for their names, as the
// language writes them.
func (d *dialect) Variables(parent string, vars []godap.Variable) []godap.Variable {
	vars = d.Base.Variables(parent, vars)
	for i := range vars {
		vars[i].Name, vars[i].Value = d.table.formatValue(vars[i].Name), d.table.formatValue(vars[i].Value)
	}
	return vars
}

// Assignment is the expression that sets a variable.
func (d *dialect) Assignment(name, value string) string {
	return strings.NewReplacer("${name}", name, "${value}", value).Replace(d.table.Evaluate.Assign)
}

// Sift ends lines as everybody does; some adapters end them as on the wire.
func (d *dialect) Sift(event godap.OutputEventBody) (kept godap.OutputEventBody, keep bool) {
	event.Output = strings.ReplaceAll(event.Output, "\r\n", "\n")
	return event, true
}

// ThreadName is the first line of a thread's name, without what changes at every stop.
func (d *dialect) ThreadName(t godap.Thread) string {
	name, _, _ := strings.Cut(t.Name, "\n")
	return name
}

// Internal knows frames by the table's patterns.
func (d *dialect) Internal(frame godap.StackFrame) bool {
	path := ""
	if frame.Source != nil {
		path = frame.Source.Path
	}
	for _, pattern := range d.table.internal {
		if pattern.MatchString(frame.Name) || path != "" && pattern.MatchString(path) {
			return true
		}
	}
	return d.Base.Internal(frame)
}
