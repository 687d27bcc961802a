//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

package serve

import (
	"fmt"
	"go/constant"
	"reflect"
	"slices"
	"strings"

	"github.com/go-delve/delve/pkg/proc"
	"github.com/go-delve/delve/service/api"

	"aidb-mcp/internal/recording/live"
)

// Bounds of what is kept.
const (
	longestValue = 200    // characters
	mostOpened   = 10_000 // goroutines with calls under way
	mostNotes    = 5
)

// openCall is a call that has begun: where its frame lies from the top of its goroutine's stack,
// which may move.
type openCall struct {
	fn     *proc.Function
	frame  int64
	number int64
}

// where is the place at which a thread stands.
func (l *liveRecorder) where(t *target, th proc.Thread) (row live.Row, scope *proc.EvalScope, frame int64, err error) {
	row.Thread = th.ThreadID()
	g, _ := proc.GetG(th) // a thread of the system's has none
	if g != nil {
		row.Task = g.ID
	}
	frames, err := proc.ThreadStacktrace(t.Target, th, 1)
	if err != nil || len(frames) == 0 {
		return row, nil, 0, fmt.Errorf("reading the stack: %w", err)
	}
	at := t.frameOf(&frames[0].Call)
	row.Function, row.File, row.Line = at.Function, at.File, at.Line
	return row, proc.FrameToScope(t.Target, t.Memory(), g, th.ThreadID(), frames...), frames[0].FrameOffset(), nil
}

// passes notes that a line was reached.
func (l *liveRecorder) passes(t *target, th proc.Thread) {
	row, scope, _, err := l.where(t, th)
	if err != nil {
		l.noted.remark(err.Error())
		return
	}
	if l.order.Condition != "" {
		holds, err := judge(scope, l.order.Condition)
		l.noted.judged(holds, err)
		if err != nil || !holds {
			return
		}
	} else {
		l.noted.judged(true, nil)
	}
	for _, text := range l.order.Expressions {
		v, err := scope.EvalExpression(text, overview)
		row.Values = append(row.Values, l.valueOf(t, text, v, err))
	}
	l.noted.add(row)
}

// judge evaluates a condition.
func judge(scope *proc.EvalScope, text string) (bool, error) {
	v, err := scope.EvalExpression(text, overview)
	switch {
	case err != nil:
		return false, err
	case v.Unreadable != nil:
		return false, v.Unreadable
	case v.Kind != reflect.Bool || v.Value == nil:
		return false, errNotTruth
	}
	return constant.BoolVal(v.Value), nil
}

// enters notes that a call begins.
func (l *liveRecorder) enters(t *target, th proc.Thread, fn *proc.Function) {
	row, scope, frame, err := l.where(t, th)
	if err != nil {
		l.noted.remark(err.Error())
		return
	}
	l.calls++
	l.forget(row.Task, frame+1)
	if len(l.opened) > mostOpened {
		clear(l.opened)
		l.noted.remark("calls that were under way in more than 10000 goroutines have no result")
	}
	l.opened[row.Task] = append(l.opened[row.Task], openCall{fn, frame, l.calls})
	row.Kind, row.Call = live.Enter, l.calls
	l.placeAtHead(t, &row, fn)
	row.Values = l.parameters(t, scope, false)
	l.noted.add(row)
}

// placeAtHead has a row name where the function begins.
func (l *liveRecorder) placeAtHead(t *target, row *live.Row, fn *proc.Function) {
	row.Function = shortName(fn)
	if file, line := t.BinInfo().EntryLineForFunc(fn); file != "" {
		row.File, row.Line = t.paths.client(file), line
	}
}

// leaves notes that a call returns.
func (l *liveRecorder) leaves(t *target, th proc.Thread, fn *proc.Function) {
	row, scope, frame, err := l.where(t, th)
	if err != nil {
		l.noted.remark(err.Error())
		return
	}
	l.forget(row.Task, frame)
	row.Kind = live.Leave
	if calls := l.opened[row.Task]; len(calls) > 0 && calls[len(calls)-1].frame == frame && calls[len(calls)-1].fn == fn {
		row.Call = calls[len(calls)-1].number
		if l.opened[row.Task] = calls[:len(calls)-1]; len(calls) == 1 {
			delete(l.opened, row.Task)
		}
	}
	row.Function = shortName(fn)
	row.Values = l.parameters(t, scope, true)
	l.noted.add(row)
}

// forget takes out calls of a goroutine whose frames lie below one that stands: a panic has left them.
func (l *liveRecorder) forget(goroutine, frame int64) {
	calls := l.opened[goroutine]
	for len(calls) > 0 && calls[len(calls)-1].frame < frame {
		calls = calls[:len(calls)-1]
	}
	if len(calls) == 0 {
		delete(l.opened, goroutine)
		return
	}
	l.opened[goroutine] = calls
}

// parameters are what a function was given, or gives.
func (l *liveRecorder) parameters(t *target, scope *proc.EvalScope, results bool) []live.Value {
	vars, err := scope.FunctionArguments(overview)
	if err != nil {
		return []live.Value{{Missing: err.Error()}}
	}
	vars = slices.DeleteFunc(vars, func(v *proc.Variable) bool { return v.Flags&proc.VariableReturnArgument != 0 != results })
	vars = onceEach(vars)
	var list []live.Value
	registers := &resultTaker{scope: scope}
	for i, v := range vars {
		name := v.Name
		if nameless := strings.HasPrefix(name, "~"); nameless && len(vars) > 1 { // that is the compiler's name for it
			name = fmt.Sprintf("result %d", i+1)
		} else if nameless {
			name = ""
		}
		if results {
			v, err = registers.result(t, v)
		}
		list = append(list, l.valueOf(t, name, v, err))
	}
	return list
}

// onceEach leaves out what the debug information has twice, as it has results of some functions
// with defer: the one that can be read stays.
func onceEach(vars []*proc.Variable) []*proc.Variable {
	var list []*proc.Variable
	for _, v := range vars {
		at := slices.IndexFunc(list, func(o *proc.Variable) bool { return o.Name == v.Name })
		switch {
		case at < 0:
			list = append(list, v)
		case list[at].Unreadable != nil:
			list[at] = v
		}
	}
	return list
}

// written notes that the variable was written to.
func (l *liveRecorder) written(t *target, th proc.Thread, look string) {
	row, scope, _, err := l.where(t, th)
	if err != nil {
		l.noted.remark(err.Error())
		return
	}
	if registers, err := th.Registers(); err == nil { // the instruction before has written
		if file, line, fn := t.BinInfo().PCToLine(registers.PC() - 1); fn != nil {
			row.File, row.Line, row.Function = t.paths.client(file), line, shortName(fn)
		}
	}
	before := l.last
	l.last = l.seen(t, scope, look)
	row.Kind, row.Values = live.Written, []live.Value{{Name: "before", Text: before}, {Name: "after", Text: l.last}}
	l.noted.add(row)
}

// seen is what lies where the variable is.
func (l *liveRecorder) seen(t *target, scope *proc.EvalScope, look string) string {
	v, err := scope.EvalExpression(look, overview)
	value := l.valueOf(t, "", v, err)
	if value.Missing != "" {
		return "(" + value.Missing + ")"
	}
	return value.Text
}

// valueOf is a value as a row has it.
func (l *liveRecorder) valueOf(t *target, name string, v *proc.Variable, err error) live.Value {
	if err == nil {
		err = v.Unreadable
	}
	if err != nil {
		return live.Value{Name: name, Missing: inWords(err)}
	}
	shown := api.ConvertVar(v)
	t.correct(shown)
	text := []rune(pretty(shown))
	if len(text) > longestValue {
		return live.Value{Name: name, Text: string(text[:longestValue]), Cut: true}
	}
	return live.Value{Name: name, Text: string(text)}
}

// inWords says what Delve means where a variable has no place.
func inWords(err error) string {
	text := err.Error()
	if strings.Contains(text, "could not find loclist entry") || strings.Contains(text, "empty OP stack") {
		return "it was optimized away there"
	}
	return text
}

func withNote(notes []string, text string) []string {
	if len(notes) >= mostNotes || slices.Contains(notes, text) {
		return notes
	}
	return append(slices.Clone(notes), text)
}
