//go:build linux

package languages

import (
	"encoding/json"
	"strings"
	"time"

	"aidb-mcp/internal/testkit"
)

// quickly is how long a look at a big value may take on a busy machine.
const quickly = 5 * time.Second

// bigness: values that do not fit a reply.
var bigness = []behaviour{
	{
		Name: "list of a million",
		At:   stopAt{"big", "big-end"}, Looks: true,
		Sentence: "A list of a million elements gives a small, quick reply, and can be paged from any index.",
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
		Name: "text of a megabyte",
		At:   stopAt{"big", "big-end"}, Looks: true,
		Sentence: "A text of a megabyte is cut. The reply says so, with the length or the call for the rest, and the pieces fit together.",
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
			if v := r.At("data", "result", "v"); len(v) < 1000 {
				s.t.Errorf("no more than %d bytes are shown of a text that was asked for", len(v))
			}
			if took := time.Since(begun); took > quickly {
				s.t.Errorf("it took %v", took)
			}
			s.readsOn(r, 3)
		},
	},
	{
		Name: "deep nesting",
		At:   stopAt{"big", "big-end"}, Looks: true,
		Sentence: "A chain of fifty objects is shown to the requested depth, and every link can be reached by its path.",
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

// readsOn follows the offered calls for further pieces of a text of digits, and
// wants each piece to go on where the one before ended. Where no call is offered
// the length is said.
func (s *subject) readsOn(r testkit.Reply, pieces int) {
	s.t.Helper()
	digits := func(r testkit.Reply) string { return strings.Trim(r.At("data", "result", "v"), "\"'`\u2026") }
	text := digits(r)
	s.shows(r, "text", "omitted", "0", "get", "params", "start")
	if total := r.At("omitted", "0", "total"); total != "1000000" && r.At("omitted", "0", "get", "params", "start") == "" {
		s.t.Errorf("neither the length nor a call for the rest: %s", total)
	}
	for range pieces {
		if r.At("omitted", "0", "get", "params", "start") == "" {
			return // the adapter gives no more than this, or opens it as it opens an object
		}
		var next A
		if err := json.Unmarshal([]byte(r.At("omitted", "0", "get", "params")), &next); err != nil {
			s.t.Fatal(err)
		}
		r = s.OK(r.At("omitted", "0", "get", "tool"), next)
		piece := digits(r)
		if piece == "" {
			return // nothing but the sign by which the adapter says that it has cut the text
		}
		if piece[0] != '0'+(text[len(text)-1]-'0'+1)%10 {
			s.t.Fatalf("after …%s comes %.40s, in\n%s", text[len(text)-min(20, len(text)):], piece, r)
		}
		text += piece
	}
	if whole := strings.Repeat("0123456789", len(text)/10+1); text != whole[:len(text)] {
		s.t.Errorf("%d digits are out of order: %.200s", len(text), text)
	}
}
