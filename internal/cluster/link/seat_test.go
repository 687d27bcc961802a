package link

import (
	"log/slog"
	"testing"

	"aidb-mcp/internal/cluster/span"
	"aidb-mcp/internal/cluster/wire"
	"aidb-mcp/internal/mcp/frame"
	"aidb-mcp/internal/serving/pool"
)

// quiet is a link that says nothing to anybody.
func quiet() *Link {
	return New(Options{Observe: pool.Nobody(), Log: slog.New(slog.DiscardHandler)})
}

// lineOf gives a seat a line that leads nowhere.
func lineOf(t *testing.T, s *seat) *wire.Line {
	s.name, s.opened = "line", make(chan struct{})
	s.line = wire.New(wire.Options{Name: s.name, Send: func([]byte) error { return nil }})
	t.Cleanup(s.line.Close)
	return s.line
}

// A machine that says twice that a place is there ends no gateway.
func TestAPlaceThatIsOpenedTwice(t *testing.T) {
	s := newSeat(quiet(), pool.Client{Principal: "ada"}, func(frame.Frame) {})
	line := lineOf(t, s)
	for range 2 {
		s.hear(line, span.OpOpened, span.Marshal(span.Opened{}))
	}
	select {
	case <-s.opened:
	default:
		t.Error("nobody is told that the place is there")
	}
}

// Who comes while the place by which others visited is being given back has another.
func TestAVisitWhileTheLastOneEnds(t *testing.T) {
	l, at := quiet(), &machine{name: "m1"}
	first := l.visitor("ada", at)
	lineOf(t, first)
	first.Close()
	if next := l.visitor("ada", at); next == first {
		t.Error("a visitor is given a place that is ending")
	}
}

// Handles name one machine: where another claims to be it, calls about sessions go to neither.
func TestAMachineThatClaimsTheHandlesOfAnother(t *testing.T) {
	l := quiet()
	l.machines["m1"] = &machine{name: "m1", is: span.Presence{Handles: "MRED00"}}
	if at := l.byHandles("MRED00"); at == nil || at.name != "m1" {
		t.Fatalf("%+v", at)
	}
	l.machines["m2"] = &machine{name: "m2", is: span.Presence{Handles: "MRED00"}}
	if at := l.byHandles("MRED00"); at != nil {
		t.Errorf("calls go to %s", at.name)
	}
	l.machines["m2"].gone = true
	if at := l.byHandles("MRED00"); at == nil || at.name != "m1" {
		t.Errorf("calls do not go back: %+v", at)
	}
	l.machines["m3"] = &machine{name: "m3"}
	if at := l.byHandles(""); at != nil {
		t.Errorf("no name is %s", at.name)
	}
}
