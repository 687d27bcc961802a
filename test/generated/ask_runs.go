package generated

import (
	"fmt"
	"maps"
	"slices"
)

// limited asks for a line's passes with room for a few: how many are left out, and where, must be said.
func (a *asker) limited() *question {
	q := a.values(false)
	if q == nil || len(q.Rows) < 6 {
		return nil
	}
	q.Kind, q.Args["limit"] = "values limited", 4
	return q
}

// never asks for a line that no run comes to.
func (a *asker) never() *question {
	var found []*place
	for _, s := range a.all {
		if s.Line > 0 && s.Hits == 0 && a.plain(s) && a.alone(s) && s.Kind != Do && len(a.readable(s)) > 0 {
			found = append(found, s)
		}
	}
	if len(found) == 0 {
		return nil
	}
	s := found[a.IntN(len(found))]
	text := a.w.outer(a.readable(s)[0])
	return &question{Kind: "never", Columns: []string{text}, Args: map[string]any{"what": "values", "location": a.at(s.Line), "expressions": []string{text}}}
}

// alone says that a statement has one line, and that no other stands in it.
func (a *asker) alone(s *place) bool {
	if s.Line != s.End || s.Long {
		return false
	}
	for _, o := range a.all {
		if o.Stmt != s.Stmt && o.Line <= s.Line && s.Line <= o.End && (o.Line == o.End || o.Line == s.Line) {
			return false
		}
	}
	return true
}

// within asks for the lines of one call.
func (a *asker) within() *question {
	var called []*frame
	a.run(&machine{Entered: func(f *frame) {
		if f.Func != a.p.Main && f.Func != a.p.Class.New && !f.Func.Closure && f.Func.Of == nil {
			called = append(called, f)
		}
	}})
	if len(called) == 0 {
		return nil
	}
	chosen, number := called[a.IntN(len(called))], 0
	for _, f := range called {
		if f.Func == chosen.Func && f.Number <= chosen.Number {
			number++
		}
	}
	q := &question{Kind: "lines", Func: chosen.Func, Folded: a.folded(), Passes: map[int]int{}, Args: map[string]any{"what": "lines", "function": chosen.Func.Name, "call": number}}
	own := map[*Stmt]bool{}
	for _, s := range a.all {
		if s.In == chosen.Func && s.Line > 0 && a.plain(s) && a.alone(s) {
			own[s.Stmt], q.Passes[s.Line] = s.Kind != Declare || !s.Last, 0 // what ends as it is declared is no variable of a later line
		}
	}
	a.run(&machine{
		Before: func(in *frame, s *Stmt) {
			if _, is := own[s]; is && in.Number == chosen.Number {
				q.Passes[s.Line]++
			}
		},
		Wrote: func(w write) {
			c, is := w.To.in.(*cell)
			if !is || w.In.Number != chosen.Number || c.of.Type != Int {
				return
			}
			if !slices.Contains(q.Columns, c.of.Name) {
				q.Columns = append(q.Columns, c.of.Name)
			}
			may := !own[w.At] || shown(w.Was) == shown(w.Value)
			q.Rows = append(q.Rows, row{Line: w.At.Line, End: w.At.End, Cells: []string{c.of.Name, shown(w.Value)}, May: may})
		},
	})
	if len(q.Passes) == 0 {
		return nil
	}
	return q
}

// stop asks for the variables where a line is passed for one time of several.
func (a *asker) stop() *question {
	s := a.one(func(s *place) bool {
		return a.plain(s) && a.alone(s) && a.number(s, true) != nil
	})
	if s == nil {
		return nil
	}
	number := 1 + a.IntN(s.Hits)
	return a.stopAt(s, number, map[string]any{"hit_condition": fmt.Sprint(number)})
}

// stopIf asks for them where a condition first holds.
func (a *asker) stopIf() *question {
	s := a.one(func(s *place) bool { return a.plain(s) && a.alone(s) && a.number(s, true) != nil })
	if s == nil {
		return nil
	}
	v, chosen := a.number(s, true), a.IntN(s.Hits)
	var values []any
	a.run(&machine{Before: func(in *frame, at *Stmt) {
		if c := in.scope.find(v); at == s.Stmt && c != nil {
			values = append(values, c.value)
		}
	}})
	if chosen >= len(values) || values[chosen] == nil || slices.Contains(values, nil) {
		return nil
	}
	condition := Op{"==", Use{v}, Lit{values[chosen]}}
	return a.stopAt(s, slices.Index(values, values[chosen])+1, map[string]any{"condition": a.w.outer(condition)})
}

func (a *asker) stopAt(s *place, number int, how map[string]any) *question {
	at := map[string]any{"file": a.file, "line": s.Line}
	maps.Copy(at, how)
	q := &question{Kind: "stop", Tool: "session_start", Folded: a.folded(), Args: map[string]any{"breakpoints": []map[string]any{at}}}
	hits := 0
	a.run(&machine{Before: func(in *frame, at *Stmt) {
		if at != s.Stmt {
			return
		}
		if hits++; hits != number {
			return
		}
		for f := in; f != nil; f = f.From {
			copied := *f
			q.Stack = append(q.Stack, &copied)
		}
		seen := map[string]bool{}
		for _, v := range slices.Backward(s.Sight) {
			if c := in.scope.find(v); !seen[v.Name] && v.Type == Int && c != nil && c.value != nil {
				q.Rows = append(q.Rows, row{Line: s.Line, End: s.End, Cells: []string{v.Name, shown(c.value)}})
			}
			seen[v.Name] = true
		}
	}})
	if len(q.Rows) == 0 {
		return nil
	}
	return q
}

// diagnosis asks why the program fails.
func (a *asker) diagnosis() *question {
	q := &question{Kind: "diagnose", Tool: "diagnose", Args: map[string]any{"keep": false}}
	rows := map[*frame]int{}
	m := a.run(&machine{
		Entered: func(in *frame) {
			r := row{Line: -1}
			if in.From != nil {
				r = row{Line: in.From.At.Line, End: in.From.At.End}
			}
			for _, v := range in.Args {
				text := shown(v)
				if _, is := v.(int); !is && a.d.Pointers {
					text = anything
				}
				r.Cells = append(r.Cells, text)
			}
			rows[in] = len(q.Rows)
			q.Rows, q.Funcs = append(q.Rows, r), append(q.Funcs, in.Func)
		},
		Left: func(in *frame) {
			result := shown(in.Result)
			if in.Raised {
				result = "raised"
			}
			q.Rows[rows[in]].Cells = append(q.Rows[rows[in]].Cells, result)
		},
	})
	if m.failed == nil {
		return nil
	}
	q.Failed, q.Sides = m.failed, [2]string{shown(m.sides[0]), shown(m.sides[1])}
	return q
}
