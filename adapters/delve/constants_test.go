package delve

import (
	"strings"
	"testing"
)

// A number has no name that another package has for the same number: every test of Go has
// package internal/fuzz in it, with a constant of one second.
func TestConstantsOfOtherPackages(t *testing.T) {
	t.Parallel()
	d, stop := failed(t, map[string]string{
		"go.mod": "module example.com/named\n\ngo 1.25\n",
		"a_test.go": `package named

import (
	"testing"
	"time"
)

type Colour int

const (
	Red Colour = iota + 1
	Green
)

const patience time.Duration = 7 * time.Second

type lamp struct {
	colour Colour
	every  time.Duration
}

func TestLamp(t *testing.T) {
	l, second, seven := lamp{Green, time.Second}, time.Second, 7*time.Second
	if l.every != 2*time.Second || patience < seven || seven < second {
		t.Errorf("every %v (%d), want %v", l.every, l.every, 2*time.Second)
	}
}
`,
	})
	if said := d.exception(stop.ThreadID).Description; said != "TestLamp: every 1s (1000000000), want 2s" {
		t.Errorf("it says %q", said)
	}
	frame := d.userFrame(stop.ThreadID)
	for expr, want := range map[string]string{"second": "Second (1000000000)", "seven": "7000000000", "l": "{colour: Green (2), every: Second (1000000000)}", "patience": "7000000000"} {
		if got := d.evaluate(frame.Id, expr); !strings.HasSuffix(got, want) {
			t.Errorf("%s is %s, want %s", expr, got, want)
		}
	}
}
