package session

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"aidb-mcp/internal/fault"
)

// What comes before a program is done before each run, and what comes after it when
// all is gone.
func TestBefore(t *testing.T) {
	in(t, func(t *testing.T) {
		var did []string
		before := func(_ context.Context, doing func(string)) (Done, error) {
			doing("cooking")
			did = append(did, "before")
			return Done{Warnings: []string{"it is hot"}, After: func(context.Context) error {
				did = append(did, "after")
				return errors.New("the dishes are dirty")
			}}, nil
		}
		f := &fakeAdapter{planErr: func(context.Context) error { did = append(did, "plan"); return nil }}
		g := newRig(t, f, StartRequest{Before: before}).running()
		defer g.close()
		v, err := g.s.View(t.Context())
		if err != nil || len(v.Warnings) != 1 || v.Warnings[0] != "it is hot" {
			t.Errorf("%+v, %v", v, err)
		}
		if err := g.s.Restart(t.Context(), true); err != nil {
			t.Fatal(err)
		}
		if _, err := g.s.Stop(t.Context(), false); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if got := strings.Join(did, " "); got != "before plan after before plan after" && got != "before plan after before after" {
			t.Errorf("done was %s", got)
		}
		if v, err = g.s.View(t.Context()); err != nil || len(v.Warnings) == 0 || v.Warnings[len(v.Warnings)-1] != "the dishes are dirty" {
			t.Errorf("%+v, %v", v, err)
		}
	})
}

// A start is over when what comes before it fails, or when it is stopped meanwhile.
func TestBeforeFails(t *testing.T) {
	in(t, func(t *testing.T) {
		burnt := fault.New(fault.BuildFailed, "it is burnt")
		g := newRig(t, &fakeAdapter{}, StartRequest{Before: func(context.Context, func(string)) (Done, error) { return Done{}, burnt }})
		if _, err := g.s.WaitFirst(t.Context(), g.s.limits.Build); !errors.Is(err, burnt) {
			t.Errorf("%v", err)
		}
		g = newRig(t, &fakeAdapter{}, StartRequest{Before: func(ctx context.Context, doing func(string)) (Done, error) {
			doing("cooking")
			<-ctx.Done()
			return Done{}, context.Cause(ctx)
		}})
		synctest.Wait()
		if st := g.s.State(); st.Status != Starting || st.Doing != "cooking" {
			t.Errorf("%+v", st)
		}
		if st, err := g.s.Stop(t.Context(), false); err != nil || st.Status != Terminated {
			t.Errorf("%+v, %v", st, err)
		}
	})
}

// The address at which a server says that it can be called is told once.
func TestServerReady(t *testing.T) {
	in(t, func(t *testing.T) {
		find := func(printed string) string {
			if _, at, found := strings.Cut(printed, "ready at "); found {
				return at
			}
			return ""
		}
		g := newRig(t, &fakeAdapter{}, StartRequest{Ready: find}).running()
		defer g.close()
		for i, want := range []string{"", "http://shop", ""} {
			if i == 1 {
				g.s.out.Write("stdout", "ready at http://shop")
			}
			if v, err := g.s.View(t.Context()); err != nil || v.ServerReady != want {
				t.Errorf("%q, %v, want %q", v.ServerReady, err, want)
			}
		}
	})
}
