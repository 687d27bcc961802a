package process

import (
	"os"
	"testing"
	"time"
)

func TestCPU(t *testing.T) {
	before, known := CPU(os.Getpid())
	if !known {
		t.Fatal("nothing is known of this process")
	}
	after := before
	for begun := time.Now(); after == before && time.Since(begun) < 10*time.Second; {
		after, _ = CPU(os.Getpid())
	}
	if after <= before {
		t.Errorf("%s before and %s after it computed", before, after)
	}
	if _, known := CPU(1 << 30); known {
		t.Error("a process that is none has taken time")
	}
}
