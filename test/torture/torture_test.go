//go:build linux

package torture

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"aidb-mcp/internal/testkit"
)

// workers is how many servers there are at once.
const workers = 2

// No process, file, descriptor or socket is left of any session, however and
// whenever it ended, and every call was answered.
func TestNothingIsLeft(t *testing.T) {
	testkit.Adapters(t)
	list := chosen()
	ward := &ward{servers: map[int]bool{}}
	tally := newTally()
	began := time.Now()
	t.Logf("%d sessions, -seed %d", len(list), *seed)

	t.Run("sessions", func(t *testing.T) {
		next := make(chan recipe)
		var gone sync.WaitGroup
		for range workers {
			w := newWorker(t, ward, tally)
			gone.Go(func() {
				w.work(next)
				w.close()
			})
		}
		for _, r := range list {
			next <- r
		}
		close(next)
		gone.Wait()
	})
	left := ward.settle()
	for _, what := range left {
		t.Errorf("left when all servers had ended: %s", what)
	}
	fmt.Fprintf(os.Stderr, "%s%d sessions in %v, -seed %d; left: %d\n", tally, tally.sessions, time.Since(began).Round(time.Second), *seed, tally.left+len(left))
}

// worker tortures one session after another: in a server of its own that goes
// on, where the ending lets it, else in a new one.
type worker struct {
	t        *testing.T
	ward     *ward
	tally    *tally
	dir      string
	programs map[*language]*testkit.Program
	beside   *testkit.Program // of the bystander
	server   *testkit.Server  // that goes on; nil until it is needed
}

func newWorker(t *testing.T, ward *ward, tally *tally) *worker {
	w := &worker{t: t, ward: ward, tally: tally, dir: t.TempDir(), programs: map[*language]*testkit.Program{}}
	w.beside = javascript.program(t)
	return w
}

// program is the worker's own copy of a language's pest, built at the first use.
func (w *worker) program(l *language) *testkit.Program {
	if w.programs[l] == nil {
		w.programs[l] = l.program(w.t)
	}
	return w.programs[l]
}

func (w *worker) work(next <-chan recipe) {
	for r := range next {
		w.t.Run(fmt.Sprintf("%04d", r.n), func(t *testing.T) {
			began := time.Now()
			left, err := w.session(t, r)
			w.tally.add(r, left, err)
			for _, what := range left {
				t.Errorf("%v\n\tleft: %s", r, what)
			}
			if err != nil {
				t.Errorf("%v\n\t%v", r, err)
			}
			if t.Failed() && w.server != nil {
				w.server.CloseInput() // the next ones begin with a clean slate
				w.server = nil
			}
			t.Logf("%v: %v", r, time.Since(began).Round(time.Millisecond))
		})
	}
}

// session is one session from its start to the count.
func (w *worker) session(t *testing.T, r recipe) (left []string, err error) {
	program := w.program(r.language)
	if r.moment == building {
		if err := r.touch(program); err != nil {
			return nil, err
		}
	}
	server, tmp, err := w.open(t, r)
	if err != nil {
		return nil, err
	}
	v := &victim{recipe: r, place: newPlace(server, w.ward, fmt.Sprintf("pest-%d-%04d", os.Getpid(), r.n), program.Dir)}
	err = v.torture(program)
	if err == nil && r.ending == byAll {
		err = w.sweep(t, tmp)
	}
	if err != nil && !r.ending.survived() {
		server.CloseInput()
	}
	left = v.settle()
	if err == nil && r.ending.survived() {
		err = w.unharmed()
	}
	return left, err
}

// open is the server for a recipe, and its temporary directory.
func (w *worker) open(t *testing.T, r recipe) (server *testkit.Server, tmp string, err error) {
	if r.ending.survived() {
		if w.server == nil {
			w.server = w.ward.start(w.t, w.dir, "")
			err = w.accompany()
		}
		return w.server, w.server.Tmp, err
	}
	if r.deepTmp {
		tmp = t.TempDir()
		return w.ward.start(t, w.dir, tmp), tmp, nil
	}
	tmp = fmt.Sprintf("/tmp/t%08x", rand.Uint32()) // short enough for sockets
	if err := os.Mkdir(tmp, 0o700); err != nil {
		return nil, "", err
	}
	t.Cleanup(func() { os.RemoveAll(tmp) })
	return w.ward.start(t, w.dir, tmp), tmp, nil
}

// idle is the most goroutines of a server that debugs nothing; there are 18, with
// those of the runtime.
const idle = 25

// close ends the server that went on, and counts its goroutines.
func (w *worker) close() {
	if w.server == nil {
		return
	}
	if _, err := ask(w.server, "session", A{"action": "stop", "session_id": bystander}); err != nil {
		w.t.Error(err)
	}
	testkit.NoneLeft(w.t, settleLimit, func() []testkit.Proc { return testkit.Descendants(w.server.PID()) })
	if n := w.server.Goroutines(); n > idle {
		w.t.Errorf("left: %d goroutines of a server that debugs nothing", n)
	}
}

// bystander is a session beside the others that none of them may harm. It needs
// the server's private directory, which so is there before anything is counted.
const bystander = "bystander"

func (w *worker) accompany() error {
	r := recipe{language: javascript, moment: stopped, ending: byStop}
	got, err := ask(w.server, "session_start", r.start(w.beside, bystander))
	if err == nil && got.Status() != "stopped_at_breakpoint" {
		err = fmt.Errorf("the bystander did not stop:\n%s", got)
	}
	return err
}

// unharmed wants the bystander to stand as before.
func (w *worker) unharmed() error {
	got, err := ask(w.server, "inspect", A{"expression": "ticks + 41", "session_id": bystander})
	if err == nil && got.At("data", "result", "v") != "41" {
		err = fmt.Errorf("the session beside it:\n%s", got)
	}
	return err
}

// sweep starts the next server in a temporary directory, for a session of its
// own that needs no private directory, and ends it.
func (w *worker) sweep(t *testing.T, tmp string) error {
	s := w.ward.start(t, w.dir, tmp)
	defer func() {
		s.CloseInput()
		<-s.Exited()
	}()
	r := recipe{language: python, moment: running, ending: byExit}
	got, err := ask(s, "session_start", r.start(w.program(python), "sweeper"))
	if err == nil && !strings.Contains(got.Text, "ready") {
		err = fmt.Errorf("the next server:\n%s", got)
	}
	return err
}

// ask makes a call and waits for its answer.
func ask(s *testkit.Server, tool string, args A) (testkit.Reply, error) {
	ctx, cancel := context.WithTimeout(context.Background(), callLimit)
	defer cancel()
	return s.CallContext(ctx, tool, args)
}
