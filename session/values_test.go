package session

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/dap/daptest"
)

// bigSlice scripts an adapter that holds a million ints; paging says whether it can page.
func bigSlice(a *daptest.Adapter, paging bool) {
	element := func(i int) godap.Variable {
		return godap.Variable{Name: fmt.Sprintf("[%d]", i), Value: strconv.Itoa(i * 10), EvaluateName: fmt.Sprintf("big[%d]", i)}
	}
	list := func(start, end, first int) godap.VariablesResponseBody {
		var b godap.VariablesResponseBody
		for i := start; i < end; i++ {
			v := element(i)
			v.Name = fmt.Sprintf("[%d]", i-first)
			b.Variables = append(b.Variables, v)
		}
		return b
	}
	from := 0
	a.Handle("evaluate", func(r *daptest.Request) {
		var args godap.EvaluateArguments
		r.Bind(&args)
		ref := 200
		if n, _ := fmt.Sscanf(args.Expression, "big[%d:", &from); n == 1 {
			ref = 300
		}
		r.Reply(godap.EvaluateResponseBody{Result: "[]int", Type: "[]int", VariablesReference: ref, IndexedVariables: 1_000_000})
	})
	a.Handle("variables", func(r *daptest.Request) {
		var args godap.VariablesArguments
		r.Bind(&args)
		switch {
		case args.VariablesReference == 300:
			r.Reply(list(from, from+64, from))
		case paging:
			r.Reply(list(args.Start, args.Start+args.Count, 0))
		default:
			r.Reply(list(0, 64, 0))
		}
	})
}

func TestEveryElementOfABigValueCanBeReached(t *testing.T) {
	for _, paging := range []bool{true, false} {
		t.Run(fmt.Sprintf("adapter pages %v", paging), func(t *testing.T) {
			in(t, func(t *testing.T) {
				g := newRig(t, nil, StartRequest{}).running()
				defer g.close()
				bigSlice(g.a, paging)
				g.stopped("pause")
				v, err := g.program().Evaluate(t.Context(), "big", 0, 0, Page{Start: 999_990, Count: 50})
				if err != nil || v.ChildTotal != 1_000_000 || len(v.Children) != 10 {
					t.Fatalf("%d children of %d, %v", len(v.Children), v.ChildTotal, err)
				}
				if c := v.Children[9]; c.Name != "[999999]" || c.Value != "9999990" {
					t.Errorf("last %+v", c)
				}
				v, err = g.program().Expand(t.Context(), v.Ref, Page{Start: 100})
				if err != nil || len(v.Children) != 25 || v.Children[0].Name != "[100]" {
					t.Errorf("%d children, %v", len(v.Children), err)
				}
			})
		})
	}
}

func TestLongTextsAreReadPieceByPiece(t *testing.T) {
	in(t, func(t *testing.T) {
		g := newRig(t, nil, StartRequest{}).running()
		defer g.close()
		text := strings.Repeat("é", 5000)
		g.a.Handle("evaluate", func(r *daptest.Request) {
			var args godap.EvaluateArguments
			r.Bind(&args)
			var from, to int
			if n, _ := fmt.Sscanf(args.Expression, "s[%d:%d]", &from, &to); n == 2 {
				r.Reply(godap.EvaluateResponseBody{Result: text[from:to], Type: "string"})
				return
			}
			r.Reply(godap.EvaluateResponseBody{Result: text, Type: "string"})
		})
		g.stopped("pause")
		v, err := g.program().Evaluate(t.Context(), "s", 0, 0, Page{AskedBytes: 5})
		if err != nil || v.Value != "éé" || v.Cut != 10_000 || v.Ref == 0 {
			t.Fatalf("%+v, %v", v, err)
		}
		v, err = g.program().Expand(t.Context(), v.Ref, Page{Start: 9_998, Count: 2})
		if err != nil || v.Value != "é" {
			t.Errorf("%+v, %v", v, err)
		}
	})
}

func TestDepthAndBreadthAreBounded(t *testing.T) {
	in(t, func(t *testing.T) {
		g := newRig(t, nil, StartRequest{}).running()
		defer g.close()
		var cycle []godap.Variable
		for i := range 30 {
			cycle = append(cycle, godap.Variable{Name: "self" + strconv.Itoa(i), Value: "{…}", VariablesReference: 100})
		}
		g.a.Answer(godap.VariablesResponseBody{Variables: cycle}, "variables")
		g.stopped("pause")
		vars, total, err := g.program().Variables(t.Context(), Locals, 0, 0, Page{Depth: 99})
		if err != nil || total != 30 {
			t.Fatalf("total %d, %v", total, err)
		}
		var count func([]Variable, int) int
		deepest := 0
		count = func(vars []Variable, level int) int {
			deepest = max(deepest, level)
			n := len(vars)
			for _, v := range vars {
				if len(v.Children) > 0 {
					n += count(v.Children, level+1)
				}
			}
			return n
		}
		if n := count(vars, 0); n > maxValues || deepest > maxDepth {
			t.Errorf("%d values, %d levels deep", n, deepest)
		}
	})
}

func TestVariablesFilterAndScopes(t *testing.T) {
	in(t, func(t *testing.T) {
		g := newRig(t, nil, StartRequest{}).running()
		defer g.close()
		g.a.Answer(godap.ScopesResponseBody{Scopes: []godap.Scope{
			{Name: "Arguments", VariablesReference: 1, PresentationHint: "arguments"},
			{Name: "Locals (warning: optimized function)", VariablesReference: 2},
			{Name: "Globals (package main)", VariablesReference: 3},
		}}, "scopes")
		g.a.Handle("variables", func(r *daptest.Request) {
			var args godap.VariablesArguments
			r.Bind(&args)
			name := []string{"", "arg", "local", "global"}[args.VariablesReference]
			r.Reply(godap.VariablesResponseBody{Variables: []godap.Variable{{Name: name + "A"}, {Name: name + "B"}}})
		})
		g.stopped("pause")
		names := func(scope Scope, p Page) (names []string) {
			t.Helper()
			vars, _, err := g.program().Variables(t.Context(), scope, 0, 0, p)
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range vars {
				names = append(names, v.Name)
			}
			return names
		}
		for _, c := range []struct {
			scope Scope
			page  Page
			want  []string
		}{
			{Locals, Page{}, []string{"argA", "argB", "localA", "localB"}},
			{Arguments, Page{}, []string{"argA", "argB"}},
			{Globals, Page{Filter: "LA"}, []string{"globalA"}},
			{Locals, Page{Start: 1, Count: 2}, []string{"argB", "localA"}},
		} {
			if got := names(c.scope, c.page); !slices.Equal(got, c.want) {
				t.Errorf("%s %+v: %v, wanted %v", c.scope, c.page, got, c.want)
			}
		}
		v, err := g.s.View(t.Context())
		if err != nil || len(v.Warnings) != 1 || !strings.Contains(v.Warnings[0], "optimized") {
			t.Errorf("warnings %v, %v", v.Warnings, err)
		}
	})
}

func TestDeepStacksArePaged(t *testing.T) {
	in(t, func(t *testing.T) {
		g := newRig(t, nil, StartRequest{}).running()
		defer g.close()
		const depth = 10_000
		g.a.Handle("stackTrace", func(r *daptest.Request) {
			var args godap.StackTraceArguments
			r.Bind(&args)
			var body godap.StackTraceResponseBody
			for i := args.StartFrame; i < min(depth, args.StartFrame+args.Levels); i++ {
				body.StackFrames = append(body.StackFrames, godap.StackFrame{Id: i + 1, Name: "main.down", Line: 4})
			}
			r.Reply(body)
		})
		g.stopped("breakpoint")
		v, err := g.s.View(t.Context())
		if err != nil || len(v.Stack) != 10 || v.StackTotal != 0 {
			t.Errorf("%d frames of %d, %v", len(v.Stack), v.StackTotal, err)
		}
		frames, total, err := g.program().Stack(t.Context(), 0, 9_995, 10)
		if err != nil || len(frames) != 5 || total != depth || frames[4].Index != 9_999 {
			t.Errorf("%d frames of %d, %v", len(frames), total, err)
		}
		if v, _ := g.s.View(t.Context()); v.SameFrame {
			t.Error("one frame of a deep recursion was taken for another")
		}
	})
}

// A length is that of the text itself, or none is told.
func TestLengthsAreExactOrUnknown(t *testing.T) {
	in(t, func(t *testing.T) {
		f := &fakeAdapter{plan: func(p *adapters.Plan) { p.Capabilities.Values.LongestValue = 5000 }}
		g := newRig(t, f, StartRequest{}).running()
		defer g.close()
		quoted := func(text string, n int) string { return `"` + strings.Repeat(text, n) + `"` }
		texts := map[string]struct {
			value string
			want  int
		}{
			"short":   {quoted("x", 100), 0}, // it is all there
			"whole":   {quoted("x", 300), 300},
			"escapes": {quoted(`\n`, 300), 300},
			"units":   {quoted("é", 300), 0},  // bytes, characters or what else the language counts
			"limit":   {quoted("x", 5000), 0}, // the adapter may have cut it
			"cut":     {quoted("x", 300)[:300] + `..."`, 0},
			"bytes":   {`b'` + strings.Repeat(`\x00`, 200) + "'", 0},
		}
		var list []godap.Variable
		for name, c := range texts {
			list = append(list, godap.Variable{Name: name, Value: c.value, EvaluateName: name})
		}
		g.a.Answer(godap.VariablesResponseBody{Variables: list}, "variables")
		g.stopped("step")
		vars, _, err := g.program().Variables(t.Context(), Locals, 0, 0, Page{})
		if err != nil || len(vars) != len(texts) {
			t.Fatal(vars, err)
		}
		for _, v := range vars {
			if want := texts[v.Name].want; v.Length != want {
				t.Errorf("%s: the length is %d, want %d", v.Name, v.Length, want)
			}
		}
	})
}

// A list in an object that does not fit takes no room from its plain fields; an
// adapter that does not answer for them costs nothing but the preview.
func TestPreviewsOfObjects(t *testing.T) {
	in(t, func(t *testing.T) {
		g := newRig(t, nil, StartRequest{}).running()
		defer g.close()
		silent := false
		text := "T {items: [" + strings.Repeat("0,", 200) + "], n: 3}"
		g.a.Handle("variables", func(r *daptest.Request) {
			var args godap.VariablesArguments
			r.Bind(&args)
			switch {
			case args.VariablesReference == 100:
				r.Reply(godap.VariablesResponseBody{Variables: []godap.Variable{{Name: "t", Value: text, EvaluateName: "t", VariablesReference: 7}}})
			case !silent:
				r.Reply(godap.VariablesResponseBody{Variables: []godap.Variable{{Name: "items", Value: text[10:200], VariablesReference: 8}, {Name: "n", Value: "3"}}})
			}
		})
		g.stopped("step")
		v, err := g.s.View(t.Context())
		if err != nil || !strings.HasPrefix(v.Locals[0].Value, "T {n: 3, items: [0,0,") || v.Locals[0].Cut != len(text) || v.Locals[0].Ref == 0 {
			t.Errorf("%+v, %v", v.Locals, err)
		}
		silent = true
		g.stopped("step")
		if v, err = g.s.View(t.Context()); err != nil || v.Locals[0].Value != text[:200] {
			t.Errorf("%+v, %v", v.Locals, err)
		}
	})
}
