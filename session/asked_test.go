package session

import (
	"strings"
	"testing"
	"testing/synctest"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/dap/daptest"
	"aidb-mcp/internal/fault"
)

// Input that the program cannot be given is refused before anything is started,
// with what the adapter says about it.
func TestInputThatCannotBeGiven(t *testing.T) {
	text := "hello\n"
	for name, c := range map[string]struct {
		plan func(*adapters.Plan)
		says string
	}{
		"attached":    {func(p *adapters.Plan) { p.Mode = adapters.Attach }, "keeps its own standard input"},
		"a core file": {func(p *adapters.Plan) { p.Mode = adapters.Core }, "keeps its own standard input"},
		"no way":      {func(p *adapters.Plan) { p.Capabilities.Start.NoInput = "let it read a file" }, "Fake starts the program itself"},
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(t *testing.T) {
				f := &fakeAdapter{plan: c.plan}
				g := newRig(t, f, StartRequest{Program: adapters.Request{Stdin: &text}})
				defer g.close()
				synctest.Wait()
				_, err := g.s.Wait(t.Context(), 0)
				failed := wantCode(t, err, fault.NotSupported)
				if !strings.Contains(failed.Message, c.says) || failed.Field != "stdin" || failed.Hint == "" {
					t.Errorf("%+v", failed)
				}
				if len(f.adapters) != 0 || f.closed.Load() != 1 {
					t.Errorf("%d adapters were started, %d plans closed", len(f.adapters), f.closed.Load())
				}
			})
		})
	}
}

// An adapter that says nothing beforehand, and starts the program without us, is
// told of: the text of the start has reached nobody.
func TestInputThatNobodyReads(t *testing.T) {
	text := "hello\n"
	in(t, func(t *testing.T) {
		g := newRig(t, nil, StartRequest{Program: adapters.Request{Stdin: &text}}).running()
		defer g.close()
		v, err := g.s.View(t.Context())
		if err != nil || len(v.Warnings) != 1 || !strings.Contains(v.Warnings[0], "was not given stdin") {
			t.Errorf("warnings %v, %v", v, err)
		}
	})
}

// A choice of exceptions is refused where the adapter has no filters, unless it
// needs none.
func TestExceptionsWithoutFilters(t *testing.T) {
	for name, c := range map[string]struct {
		choice  []string
		stops   bool
		refused bool
	}{
		"default":             {nil, false, false},
		"none":                {[]string{"none"}, false, false},
		"all":                 {[]string{"all"}, false, true},
		"uncaught":            {[]string{"uncaught"}, false, true},
		"uncaught, by itself": {[]string{"uncaught"}, true, false},
		"all, by itself":      {[]string{"all"}, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(t *testing.T) {
				f := &fakeAdapter{
					plan: func(p *adapters.Plan) { p.Capabilities.Exceptions.StopsUncaught = c.stops },
					script: func(a *daptest.Adapter) {
						a.Handle("initialize", func(r *daptest.Request) { r.Reply(godap.Capabilities{SupportsConfigurationDoneRequest: true}) })
					},
				}
				g := newRig(t, f, StartRequest{Exceptions: c.choice})
				defer g.close()
				synctest.Wait()
				_, err := g.s.Wait(t.Context(), 0)
				if !c.refused {
					if err != nil {
						t.Error(err)
					}
					return
				}
				if failed := wantCode(t, err, fault.NotSupported); failed.Field != "exceptions" {
					t.Errorf("%+v", failed)
				}
			})
		})
	}
}
