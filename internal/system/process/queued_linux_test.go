package process

import (
	"testing"
	"time"
)

// What counts is the thread that has waited longest since, and all of a new one's time.
func TestHowLongAProcessorWasWaitedFor(t *testing.T) {
	before := queued{1: time.Minute, 2: time.Second}
	for _, tt := range []struct {
		now  queued
		want time.Duration
	}{
		{queued{1: time.Minute + 2*time.Second, 2: 2 * time.Second}, 2 * time.Second},
		{queued{1: time.Minute, 3: 3 * time.Second}, 3 * time.Second},
		{queued{}, 0},
	} {
		if got := tt.now.since(before); got != tt.want {
			t.Errorf("%v since %v: %v, want %v", tt.now, before, got, tt.want)
		}
	}
}
