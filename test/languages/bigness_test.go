//go:build linux

package languages

import "time"

// quickly is how long a look at a big value may take on a busy machine.
const quickly = 5 * time.Second

// bigness: values that do not fit a reply.
var bigness = []behaviour{
	{
		Name:     "list of a million",
		Sentence: "A list of a million elements comes within the budget, quickly, and is paged from anywhere.",
		Run: func(s *subject) {
			s.stop("big", "big-end")
			begun := time.Now()
			r := s.OK("inspect", A{"expression": s.say("million")})
			if len(r.Text) > 8000 {
				s.t.Errorf("%d bytes:\n%.2000s", len(r.Text), r.Text)
			}
			r.Has("omitted")
			r = s.OK("inspect", A{"expression": s.say("million"), "start": 500_000, "count": 3})
			r.Contains([]string{"data", "result"}, "500000", "500001", "500002").Lacks("500004")
			s.evaluates("last")
			if took := time.Since(begun); took > quickly {
				s.t.Errorf("three looks took %v", took)
			}
		},
	},
	{
		Name:     "text of a megabyte",
		Sentence: "A text of a megabyte is cut, and the cut is said with the length or the call for the rest.",
		Run: func(s *subject) {
			stop := s.stop("big", "big-end")
			if len(stop.Text) > 8000 {
				s.t.Errorf("the stop takes %d bytes:\n%.2000s", len(stop.Text), stop.Text)
			}
			begun := time.Now()
			r := s.OK("inspect", A{"expression": s.say("text")}).Contains([]string{"data", "result", "v"}, "0123456789")
			if len(r.Text) > 8000 {
				s.t.Errorf("%d bytes:\n%.2000s", len(r.Text), r.Text)
			}
			r.Has("omitted")
			if took := time.Since(begun); took > quickly {
				s.t.Errorf("it took %v", took)
			}
		},
	},
	{
		Name:     "deep nesting",
		Sentence: "A chain of fifty objects is shown to the asked depth, and any link is reached by its path.",
		Run: func(s *subject) {
			s.stop("big", "big-end")
			r := s.OK("inspect", A{"expression": s.say("deep"), "depth": 3}).Contains([]string{"data", "result"}, "depth", "next")
			if len(r.Text) > 8000 {
				s.t.Errorf("%d bytes:\n%.2000s", len(r.Text), r.Text)
			}
			s.evaluates("third")
		},
	},
}
