package dap_test

import (
	"context"
	"log/slog"
	"testing"

	"aidb-mcp/dap"
	"aidb-mcp/dap/daptest"
)

func open(t *testing.T, a *daptest.Adapter, change func(*dap.Options)) *dap.Conn {
	o := dap.Options{Name: "fake-1", Log: slog.New(slog.DiscardHandler)}
	if change != nil {
		change(&o)
	}
	conn := dap.New(a.Stream(), o)
	t.Cleanup(func() { conn.Close() })
	return conn
}

func TestCallReturnsTheBodyOfTheReply(t *testing.T) {
	a := daptest.New(t)
	a.Answer(map[string]int{"n": 7}, "count")
	var body struct{ N int }
	if err := open(t, a, nil).Call(context.Background(), "count", nil, &body); err != nil || body.N != 7 {
		t.Fatalf("got %+v, %v", body, err)
	}
}
