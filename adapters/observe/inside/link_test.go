package inside

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"testing"

	"aidb-mcp/internal/recording/live"
)

// program is the far end of a link, which a test plays.
type program struct {
	net.Conn
	done chan error // what became of it
}

// armWith arms a link to a program that says these messages once it was asked to end.
func armWith(t *testing.T, last ...string) *Link {
	t.Helper()
	p := program{done: make(chan error, 1)}
	enter := func(_ context.Context, o Order) error {
		conn, err := net.Dial("unix", o.Address)
		if err != nil {
			return err
		}
		p.Conn = conn
		hello, err := json.Marshal(map[string]string{"token": o.Token})
		if err != nil {
			return err
		}
		go func() { p.done <- p.play(string(hello), last) }() // ends when it has said everything
		return nil
	}
	l, _, err := Arm(t.Context(), t.TempDir(), live.Spec{}, enter)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		l.Close()
		if err := <-p.done; err != nil {
			t.Error(err)
		}
	})
	return l
}

// play says who it is and what it has armed, waits for the word to end, and says the last.
func (p program) play(hello string, last []string) error {
	defer p.Close()
	for _, m := range []string{hello, `{"places":1}`, `{"rows":[[1,5,0,1,"","f","a.py",3,0,[]]],"hits":1,"read":1}`} {
		if _, err := fmt.Fprintln(p, m); err != nil {
			return err
		}
	}
	if _, err := p.Read(make([]byte, 1)); err != nil {
		return err
	}
	for _, m := range last {
		if _, err := fmt.Fprintln(p, m); err != nil {
			return err
		}
	}
	return nil
}

// What a program tells with its last word is kept, and a last word that tells nothing else leaves
// the counts as they were.
func TestTheLastWordIsHeard(t *testing.T) {
	t.Parallel()
	const more = `"rows":[[2,6,0,1,"","f","a.py",3,0,[]]],"hits":9,"dropped":7,"read":2`
	for name, last := range map[string][]string{
		"in one message": {"{" + more + `,"end":true}`},
		"in two":         {"{" + more + "}", `{"end":true}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := armWith(t, last...)
			state := l.Close()
			rows, _ := l.Read(10)
			if len(rows) != 2 || rows[1].N != 2 {
				t.Errorf("the rows are %+v", rows)
			}
			if state.Hits != 9 || state.Dropped != 7 || !state.Running {
				t.Errorf("got %+v", state)
			}
		})
	}
}
