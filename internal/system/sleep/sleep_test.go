package sleep

import (
	"context"
	"testing"
	"time"
)

func TestFor(t *testing.T) {
	if !For(t.Context(), time.Millisecond) {
		t.Error("nobody has ended it")
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(time.Millisecond, cancel)
	if began := time.Now(); For(ctx, time.Minute) || time.Since(began) > time.Minute/2 {
		t.Error("it goes on after its end")
	}
}
