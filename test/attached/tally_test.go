//go:build linux

package attached

import (
	"fmt"
	"os"
	"text/tabwriter"
	"time"
)

// print prints the table of a run that is more than a few: endings by language,
// as "harmed/tried", and what was not promised in brackets.
func (t *tally) print() {
	t.mu.Lock()
	defer t.mu.Unlock()
	w := tabwriter.NewWriter(os.Stderr, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, l := range languages {
		fmt.Fprintf(w, "\t%s", l.name)
	}
	fmt.Fprint(w, "\tslowest\t\n")
	total := score{}
	for _, e := range endings {
		fmt.Fprint(w, e)
		var slowest time.Duration
		for _, l := range languages {
			s := t.score(l, e)
			total.add(s)
			slowest = max(slowest, s.slowest)
			fmt.Fprintf(w, "\t%v", s)
		}
		fmt.Fprintf(w, "\t%v\t\n", slowest.Round(time.Millisecond))
	}
	w.Flush()
	fmt.Fprintf(os.Stderr, "%d endings, -seed %d; harmed: %d; not promised: %d, of which harmed: %d\n",
		total.tried+total.unpromised, *seed, total.harmed, total.unpromised, total.unlucky)
}

// score is what became of several programs.
type score struct {
	tried, harmed       int
	unpromised, unlucky int
	slowest             time.Duration
}

func (s *score) add(o score) {
	s.tried, s.harmed = s.tried+o.tried, s.harmed+o.harmed
	s.unpromised, s.unlucky = s.unpromised+o.unpromised, s.unlucky+o.unlucky
}

func (s score) String() string {
	text := "-"
	if s.tried > 0 {
		text = fmt.Sprintf("%d/%d", s.harmed, s.tried)
	}
	if s.unpromised > 0 {
		text += fmt.Sprintf(" (%d/%d)", s.unlucky, s.unpromised)
	}
	return text
}

// score is that of a language and an ending.
func (t *tally) score(l *language, e ending) (s score) {
	for c, list := range t.rows {
		if c.language != l || c.ending != e {
			continue
		}
		for _, o := range list {
			harmed := 0
			if len(o.harm) > 0 {
				harmed = 1
			} else {
				s.slowest = max(s.slowest, o.after)
			}
			if c.isPromised() {
				s.tried, s.harmed = s.tried+1, s.harmed+harmed
			} else {
				s.unpromised, s.unlucky = s.unpromised+1, s.unlucky+harmed
			}
		}
	}
	return s
}
