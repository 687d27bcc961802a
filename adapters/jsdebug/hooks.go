package jsdebug

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"aidb-mcp/adapters/jsdebug/inspector"
	"aidb-mcp/adapters/observe/inside"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/recording/live"
)

// spot is where V8 can be held up.
type spot struct {
	Script string `json:"scriptId"`
	Line   int    `json:"lineNumber"`
	Column int    `json:"columnNumber"`
}

func (s spot) in(from, to position) bool {
	at := position{s.Line, s.Column}
	return at.compare(from) >= 0 && at.compare(to) <= 0
}

func (p position) compare(o position) int {
	return cmp.Or(cmp.Compare(p[0], o[0]), cmp.Compare(p[1], o[1]))
}

// place is what hits.js knows of one.
type place struct {
	Name   string   `json:"name"`
	File   string   `json:"file"`
	Line   int      `json:"line"`
	Params []string `json:"params,omitempty"`
	Open   bool     `json:"open,omitempty"`
	Of     int      `json:"of"`             // the function
	Ends   bool     `json:"ends,omitempty"` // V8 has left the blocks there
}

// hooks are the calls of hits.js at each spot, and the places that they name.
func (a *arming) hooks(ctx context.Context, f *found) (map[spot][]string, []place, error) {
	hooks, places := map[spot][]string{}, []place{}
	test := "null"
	if a.spec.Condition != "" {
		test = "()=>(" + a.spec.Condition + "\n)"
	}
	for _, p := range f.Passes {
		spots, err := a.possible(ctx, p.Script, p.From, p.To)
		if err != nil {
			return nil, nil, err
		}
		if len(spots) == 0 {
			continue
		}
		hooks[spots[0].spot] = append(hooks[spots[0].spot], fmt.Sprintf("pass(%d,%s,[%s])", len(places), test, closures(a.spec.Expressions)))
		places = append(places, place{Name: p.Name, File: p.File, Line: p.Line, Ends: spots[0].Type == "return"})
	}
	for n, fn := range f.Functions {
		spots, err := a.possible(ctx, fn.Script, fn.From, fn.To)
		if err != nil {
			return nil, nil, err
		}
		if len(spots) == 0 {
			continue
		}
		at := len(places)
		places = append(places, place{Name: fn.Name, File: fn.File, Line: fn.Line, Params: fn.Params, Open: fn.Open, Of: n})
		hooks[spots[0].spot] = append(hooks[spots[0].spot], fmt.Sprintf("enter(%d,%s,[%s])", at, test, closures(fn.Params)))
		if !fn.Open {
			fn.leaves(at, test, spots, hooks)
		}
	}
	if len(hooks) == 0 {
		return nil, nil, fault.New(fault.InvalidParam, "nothing was armed: V8 has no place there at which it can be held up")
	}
	return hooks, places, nil
}

// closures are functions that give expressions.
func closures(expressions []string) string {
	var list []string
	for _, e := range expressions {
		list = append(list, "()=>("+e+"\n)")
	}
	return strings.Join(list, ",")
}

// leaves adds the calls at the ends of a function.
func (f foundFunction) leaves(at int, test string, spots []possibleSpot, hooks map[spot][]string) {
	for _, r := range f.Returns {
		i := slices.IndexFunc(spots, func(s possibleSpot) bool { return s.Type != "return" && s.in(r.From, r.To) })
		if r.Value != "" && i >= 0 {
			hooks[spots[i].spot] = append(hooks[spots[i].spot], fmt.Sprintf("ready(%d,()=>(%s\n))", at, r.Value))
		}
	}
	for _, s := range spots {
		if s.Type == "return" {
			hooks[s.spot] = append(hooks[s.spot], fmt.Sprintf("leave(%d,%s,%s)", at, test, f.result(s.spot)))
		}
	}
}

// result is a function that gives what is returned at a spot; null where that cannot be asked again.
func (f foundFunction) result(s spot) string {
	for _, r := range f.Returns {
		if s.in(r.From, r.To) {
			if r.Value == "" {
				return "null"
			}
			return "()=>(" + r.Value + "\n)"
		}
	}
	if f.Ends || !f.Block {
		return "null"
	}
	return "()=>undefined"
}

// possibleSpot is one that V8 offers; Type tells a return.
type possibleSpot struct {
	spot
	Type string `json:"type"`
}

type possibleBreakpointsArguments struct {
	Start  spot `json:"start"`
	End    spot `json:"end"`
	Inside bool `json:"restrictToFunction"`
}

// possible are the spots between two positions, in one function.
func (a *arming) possible(ctx context.Context, script string, from, to position) ([]possibleSpot, error) {
	var said struct {
		Locations []possibleSpot `json:"locations"`
	}
	arguments := possibleBreakpointsArguments{spot{script, from[0], from[1]}, spot{script, to[0] + 1, 0}, true} // a column behind a line's end finds nothing
	err := a.client.Call(ctx, "Debugger.getPossibleBreakpoints", arguments, &said)
	return slices.DeleteFunc(said.Locations, func(s possibleSpot) bool { return !s.in(from, to) }), err
}

// condition is what V8 judges at a spot: it calls what records, and never holds.
func (a *arming) condition(calls []string) string {
	text := "typeof " + a.name + "!=='undefined'&&("
	for _, c := range calls {
		text += a.name + "." + c + ","
	}
	return text + "false)"
}

type evaluateArguments struct {
	Expression string `json:"expression"`
	Lines      bool   `json:"includeCommandLineAPI"`
	Await      bool   `json:"awaitPromise"`
	ByValue    bool   `json:"returnByValue"`
	Silent     bool   `json:"silent"`
	Unstopped  bool   `json:"disableBreaks"` // a pause that was asked for is left to the program's own code
}

type evaluated struct {
	Result struct {
		Value string `json:"value"`
	} `json:"result"`
	Exception *struct {
		Text   string `json:"text"`
		Detail struct {
			Description string `json:"description"`
		} `json:"exception"`
	} `json:"exceptionDetails"`
}

// evaluateIn evaluates in the program, apart from any frame, what gives a text.
func evaluateIn(ctx context.Context, c *inspector.Client, expression string) (string, error) {
	var e evaluated
	if err := c.Call(ctx, "Runtime.evaluate", evaluateArguments{Expression: expression, Lines: true, Await: true, ByValue: true, Silent: true}, &e); err != nil {
		if strings.Contains(err.Error(), "context") && ctx.Err() == nil { // it cannot be found, or was destroyed: node waits for us at its end
			err = fmt.Errorf("%w (%w)", inspector.ErrHungUp, err)
		}
		return "", err
	}
	if e.Exception != nil {
		return "", fmt.Errorf("in the program: %.300s", cmp.Or(e.Exception.Detail.Description, e.Exception.Text))
	}
	return e.Result.Value, nil
}

// farewell is evaluated at the end: it takes everything out.
func (a *arming) farewell() string {
	return fmt.Sprintf("delete globalThis.%[1]s_tell, typeof %[1]s==='undefined'?'':%[1]s.close()", a.name)
}

// install puts into the program what counts.
func (a *arming) install(ctx context.Context, hooks map[spot][]string, places []place) error {
	text, err := liveScripts.ReadFile("live/hits.js")
	if err != nil {
		return err
	}
	texts := map[string]string{}
	for _, name := range []string{"shown.cjs", "whole.cjs"} {
		part, err := recorder.ReadFile("recorder/" + name)
		if err != nil {
			return err
		}
		texts["./"+name] = string(part)
	}
	asked := struct {
		Most        int      `json:"most"`
		Expressions []string `json:"expressions"`
		Places      []place  `json:"places"`
		Hooks       [][2]any `json:"hooks"` // a spot, and what is judged there
	}{Most: a.spec.Most, Expressions: a.spec.Expressions, Places: places}
	for at, calls := range hooks {
		asked.Hooks = append(asked.Hooks, [2]any{at, a.condition(calls)})
	}
	whole, err := json.Marshal([]any{a.name, asked, texts})
	if err != nil {
		return err
	}
	// It is done at a turn of the event loop, when nothing of the program's is under way.
	ctx, cancel := context.WithTimeoutCause(ctx, turnLimit, errNoTurn)
	defer cancel()
	_, err = evaluateIn(ctx, a.client, string(text)+".apply(undefined, "+string(whole)+".concat(typeof require === 'undefined' ? process.mainModule && process.mainModule.require : require))")
	return err
}

// turnLimit is how long the event loop of a program may take to turn.
const turnLimit = 6 * time.Second

var errNoTurn = fmt.Errorf("the program's event loop did not turn within %s: it is stopped, or busy in one go. Let it go on first", turnLimit)

// observed is a recorder in a program. It is safe for concurrent use.
//
// One goroutine fetches the rows, until the program has gone or Close.
type observed struct {
	inside.Rows
	client *inspector.Client
	name   string
	over   chan struct{} // closed when no more rows come
	stop   chan struct{} // closed by Close
	once   sync.Once

	// patience is what fetching is bounded by: it ends some time after Close, whatever is asked then.
	patience context.Context
	giveUp   context.CancelCauseFunc
}

// How often rows are fetched, how many at once, and how long the program may take to answer, to
// tell its last rows, and to take everything out.
const (
	fetching   = 40 * time.Millisecond
	fetched    = 5000
	fetchLimit = 10 * time.Second
	lastLimit  = 5 * time.Second
	goneLimit  = 3 * time.Second
)

func (r *observed) follow() {
	defer r.giveUp(nil)
	defer close(r.over)
	again := time.NewTicker(fetching)
	defer again.Stop()
	for {
		ended, err := r.fetch()
		if err != nil || ended {
			r.Add(nil, func(s *live.State) {
				s.Running = !errors.Is(err, inspector.ErrHungUp)
				if s.Running && err != nil && s.Out == "" {
					s.Out = "it was taken out of the program: " + err.Error()
				}
			})
			r.leave()
			return
		}
		select {
		case <-again.C:
		case <-r.stop:
			r.last()
			r.leave()
			return
		case <-r.client.Over():
			r.Add(nil, func(s *live.State) { s.Running = false })
			r.client.Close() // its process waits for that
			return
		}
	}
}

// fetch takes all rows that wait, and says whether it is over: it cost too much.
func (r *observed) fetch() (over bool, err error) {
	for {
		text, err := r.evaluate(fmt.Sprintf("typeof %[1]s==='undefined'?'':%[1]s.take(%[2]d)", r.name, fetched))
		if err != nil {
			return true, err
		}
		if text == "" {
			return true, errors.New("what records has gone")
		}
		m, err := inside.Read([]byte(text))
		if err != nil {
			return true, err
		}
		r.Add(m.Rows, m.Into)
		if m.More == 0 || m.Out != "" {
			return m.Out != "" && m.More == 0, nil
		}
		select {
		case <-r.stop:
			return false, nil
		default:
		}
	}
}

// evaluate evaluates in the program, which may take its time.
func (r *observed) evaluate(expression string) (string, error) {
	ctx, cancel := context.WithTimeoutCause(r.patience, fetchLimit, fmt.Errorf("the program did not answer within %s", fetchLimit))
	defer cancel()
	return evaluateIn(ctx, r.client, expression)
}

// last takes what was recorded until it is to end.
func (r *observed) last() {
	end := time.Now().Add(lastLimit)
	if _, err := r.evaluate(fmt.Sprintf("typeof %[1]s==='undefined'?'':(%[1]s.quiet(),'')", r.name)); err != nil {
		return // leave says what becomes of it
	}
	for time.Now().Before(end) {
		_, before := r.Read(0)
		_, err := r.fetch()
		if _, after := r.Read(0); err != nil || after.Waiting == before.Waiting {
			return
		}
	}
}

// leave takes everything out.
func (r *observed) leave() {
	ctx, cancel := context.WithTimeout(context.Background(), goneLimit)
	defer cancel()
	_, err := evaluateIn(ctx, r.client, fmt.Sprintf("typeof %[1]s==='undefined'?'':%[1]s.close()", r.name))
	if err != nil && !errors.Is(err, inspector.ErrHungUp) {
		r.Add(nil, func(s *live.State) {
			s.Notes = append(s.Notes, "the program did not answer in time: the breakpoints do nothing any more, and go as soon as its event loop turns")
		})
	}
	r.client.Close()
}

// Close takes the recorder out of the program, and gives the state at the end.
func (r *observed) Close() live.State {
	r.once.Do(func() {
		close(r.stop)
		late := time.AfterFunc(lastLimit, func() { r.giveUp(errors.New("the program did not answer in time when the recorder was to end")) })
		defer late.Stop()
		<-r.over
	})
	_, state := r.Read(0)
	return state
}
