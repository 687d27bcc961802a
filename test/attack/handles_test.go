//go:build linux

package attack

import (
	"crypto/rand"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"aidb-mcp/internal/testkit"
)

var spelled = regexp.MustCompile(`go-\d+\.h1\.[0-9A-Za-z]+\.w\d+\.[0-9A-Za-z]{22}`)

// ask is a call about a session, and a batch of them.
func ask(id int, session string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"variable","arguments":{"action":"get","expression":"sum","session_id":%q}}}`, id, session)
}

// Eve knows all of ada's handle but its end, and guesses that 100,000 times; she has
// other versions, parts of it and all of it. She learns nothing, not by the time it takes
// either, and ada goes on meanwhile.
func TestGuessedHandles(t *testing.T) {
	g := serve(t)
	p := testkit.NewProgram(t, "averages")
	owner := g.agent(ada)
	id := spelled.FindString(owner.call(t, "session_start", A{"target": p.Dir, "breakpoints": []A{{"file": p.Dir + "/main.go", "line": p.Line("sum")}}, "timeout_ms": 120_000}))
	if id == "" {
		t.Fatal("there is no handle")
	}
	stem := id[:len(id)-22]

	const together, eves = 50, 4
	guesses := 5_000
	if isLong {
		guesses = 100_000
	}
	begun := time.Now()
	var crowd sync.WaitGroup
	for n := range eves {
		crowd.Go(func() {
			h := g.session(eve)
			for range guesses / together / eves {
				var batch []string
				for i := range together {
					batch = append(batch, ask(i+10, guess(stem, i)))
				}
				status, text := g.post(eve, "["+strings.Join(batch, ",")+"]", h)
				if found := strings.Count(text, "AIDB_SESSION_NOT_FOUND: there is no session"); status != 200 || found != together {
					t.Errorf("eve %d: %d, %d of %d were not found: %.600s", n, status, found, together, text)
					return
				}
			}
		})
	}
	done := make(chan struct{})
	go func() {
		crowd.Wait()
		close(done)
	}()
	longest := time.Duration(0)
	for calls := 0; ; calls++ {
		since := time.Now()
		if text := owner.call(t, "variable", A{"action": "get", "expression": "i", "session_id": id}); !strings.Contains(text, id) {
			t.Fatalf("ada is answered %s", text)
		}
		longest = max(longest, time.Since(since))
		select {
		case <-done:
			t.Logf("%d guesses took %s; ada made %d calls meanwhile, the longest %s", guesses, time.Since(begun).Round(time.Second), calls, longest.Round(time.Millisecond))
			g.holdsHer(id, stem)
			owner.call(t, "session", A{"action": "stop", "session_id": id})
			g.stands()
			return
		default:
		}
	}
}

// guess is one of ada's handles, as far as eve knows them.
func guess(stem string, i int) string {
	text := rand.Text()[:22]
	switch i % 10 {
	case 7:
		return strings.Replace(stem, ".h1.", ".h2.", 1) + text
	case 8:
		return stem + text[:21]
	case 9:
		return regexp.MustCompile(`\.w\d+\.`).ReplaceAllString(stem, fmt.Sprintf(".w%d.", i)) + text
	}
	return stem + text
}

// holdsHer holds the answer to ada's own handle, in eve's hands, against that to one that
// never was: its words and its time.
func (g *gateway) holdsHer(id, stem string) {
	g.t.Helper()
	h := g.session(eve)
	var real, never []time.Duration
	for range 300 {
		none := stem + rand.Text()[:22]
		since := time.Now()
		_, a := g.post(eve, ask(7, id), h)
		between := time.Now()
		_, b := g.post(eve, ask(7, none), h)
		real, never = append(real, between.Sub(since)), append(never, time.Since(between))
		if strings.ReplaceAll(a, id, "ID") != strings.ReplaceAll(b, none, "ID") {
			g.t.Fatalf("of ada's session eve hears\n%s\nand of none\n%s", a, b)
		}
	}
	slices.Sort(real)
	slices.Sort(never)
	a, b := real[len(real)/2], never[len(never)/2]
	g.t.Logf("ada's own handle takes %s, one that never was %s", a, b)
	if a > 3*b/2 || b > 3*a/2 {
		g.t.Errorf("ada's own handle takes %s, one that never was %s", a, b)
	}
}

// A handle of a session that was ended, and of a server that was started anew, is good
// for nothing.
func TestReplayedHandles(t *testing.T) {
	g := serve(t)
	p := testkit.NewProgram(t, "averages")
	start := A{"target": p.Dir, "breakpoints": []A{{"file": p.Dir + "/main.go", "line": p.Line("sum")}}, "timeout_ms": 120_000}
	owner := g.agent(ada)
	id := spelled.FindString(owner.call(t, "session_start", start))
	owner.call(t, "session", A{"action": "stop", "session_id": id})
	owner.call(t, "session", A{"action": "cleanup"})
	again := spelled.FindString(owner.call(t, "session_start", start))
	if again == "" || again == id {
		t.Fatalf("%s, and then %s", id, again)
	}
	for who, token := range map[string]string{"ada": ada, "eve": eve} {
		h := g.session(token)
		if _, text := g.post(token, ask(7, id), h); !strings.Contains(text, "AIDB_SESSION_NOT_FOUND") {
			t.Errorf("%s replays: %s", who, text)
		}
	}
	other := serve(t)
	if _, text := other.post(ada, ask(7, again), other.session(ada)); !strings.Contains(text, "AIDB_SESSION_NOT_FOUND") || !strings.Contains(text, "another machine") {
		t.Errorf("another server: %s", text)
	}
	g.stands()
}
