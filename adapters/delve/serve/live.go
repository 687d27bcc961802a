//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

package serve

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/go-delve/delve/pkg/proc"

	"aidb-mcp/adapters/delve/wire"
	"aidb-mcp/adapters/observe/inside"
	"aidb-mcp/internal/recording/live"
)

// Live is the argument by which this process records in a program that runs on, in place of
// serving a session. The order is the first line of its input, whose end lets the program go.
const Live = "--live"

// How often what was noted is told, and how often a program that does not stop is asked again.
const (
	tellingPeriod = 20 * time.Millisecond
	oftenSeconds  = 2 // in which hits are counted
)

// recordLive carries an order out, and returns the exit code.
func recordLive(std standard) int {
	input := bufio.NewReader(std.client)
	line, err := input.ReadBytes('\n')
	if err != nil {
		return 1
	}
	var order wire.LiveOrder
	if json.Unmarshal(line, &order) != nil {
		return 1
	}
	far, err := inside.Answer(order.Order)
	if err != nil {
		fmt.Fprintln(os.Stderr, "dap-go:", err)
		return 1
	}
	defer far.Close()
	l := &liveRecorder{front: newFront(std), far: far, order: order, points: map[uint64]*point{}, opened: map[int64][]openCall{}, leaving: make(chan struct{})}
	go l.awaitEnd(input)
	return l.record()
}

// liveRecorder records in a program that runs on.
//
// Goroutines: record has the program go on and notes what it hits, in whose hands the debugger is
// alone; tell passes on what was noted; awaitEnd and its own wait for who wants it to end, and
// interrupt then stops the program, so that record lets it go.
type liveRecorder struct {
	*front
	far   *inside.Sender
	order wire.LiveOrder

	executable os.FileInfo          // of the program; nil where this system does not tell
	points     map[uint64]*point    // by their addresses
	opened     map[int64][]openCall // calls under way, by their goroutines
	calls      int64
	last       string // the value that was written last

	leave   sync.Once
	leaving chan struct{} // closed when the program is to be let go
	noted   notedRows
}

// point is a place at which the program stops, and goes on by itself.
type point struct {
	note func(*target, proc.Thread)
}

// awaitEnd waits until somebody wants it to end.
func (l *liveRecorder) awaitEnd(input *bufio.Reader) {
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGTERM)
	go func() { // ends with the process
		<-ended
		l.goAway()
	}()
	go func() { // as this one
		_, _ = input.ReadByte()
		l.goAway()
	}()
	l.far.Hear()
	l.goAway()
}

func (l *liveRecorder) goAway() { l.leave.Do(func() { close(l.leaving) }) }

func (l *liveRecorder) isLeaving() bool {
	select {
	case <-l.leaving:
		return true
	default:
		return false
	}
}

// record enters, records, and lets the program go.
func (l *liveRecorder) record() int {
	armed, err := l.enter()
	if err != nil {
		var refused *refusedOrder
		armed = inside.Armed{Error: err.Error(), Refused: errors.As(err, &refused)}
	}
	if err != nil || l.far.Armed(armed) != nil {
		if l.dbg != nil {
			_, _ = l.detach() // why nothing was armed says more
		}
		_ = l.far.Armed(armed) // after it, for nobody is to look before the program is as it was
		return 1
	}
	over := make(chan struct{})
	var telling sync.WaitGroup
	telling.Go(func() { l.tell(over) })
	go l.interrupt(over)
	lives := l.run()
	close(over)
	telling.Wait()
	if lives {
		lives = l.free()
	}
	rows, state := l.noted.take()
	if l.far.Tell(rows, state, lives) != nil {
		return 1
	}
	return 0
}

// enter attaches and sets the breakpoints; the program stands meanwhile.
func (l *liveRecorder) enter() (inside.Armed, error) {
	conf := config()
	l.executable, _ = os.Stat(executableOf(l.order.PID))
	began := time.Now()
	dbg, err := l.debug(&conf.Debugger, wire.Start{Mode: "attach", PID: l.order.PID})
	if err != nil {
		return inside.Armed{}, err
	}
	l.dbg, l.group = dbg, targets(dbg)
	l.attached, l.pid = true, l.order.PID
	if err := l.arm(&target{Target: l.group.Selected, paths: l.paths}); err != nil {
		return inside.Armed{}, err
	}
	l.noted.began = time.Now()
	return inside.Armed{PID: l.pid, Places: len(l.points), Cost: int64(time.Since(began))}, nil
}

// run lets the program go on until it is to be let go; false: it has ended.
func (l *liveRecorder) run() (lives bool) {
	for !l.isLeaving() {
		if err := l.group.Continue(); err != nil {
			var exited proc.ErrProcessExited
			if errors.As(err, &exited) {
				return false
			}
			l.noted.remark("the debugger failed, and was taken out: " + err.Error())
			return true
		}
		for _, t := range l.group.Targets() {
			if valid, _ := t.Valid(); valid {
				l.look(&target{Target: t, paths: l.paths})
			}
		}
	}
	valid, _ := l.group.Valid()
	return valid
}

// look notes what threads have hit.
func (l *liveRecorder) look(t *target) {
	for _, th := range t.ThreadList() {
		at := th.Breakpoint()
		if at.Breakpoint == nil || !at.Active || l.points[at.Addr] == nil {
			continue
		}
		if !l.noted.hit(l.order.Most) {
			l.goAway()
			return
		}
		l.points[at.Addr].note(t, th)
	}
}

// interrupt stops a program that is to be let go. Delve forgets a wish that comes between a stop
// and the moment at which the program goes on.
func (l *liveRecorder) interrupt(over <-chan struct{}) {
	select {
	case <-over:
		return
	case <-l.leaving:
	}
	again := time.NewTicker(haltAgain)
	defer again.Stop()
	for {
		_ = l.group.RequestManualStop() // it fails where the program has ended, which is a halt too
		select {
		case <-over:
			return
		case <-again.C:
		}
	}
}

// free lets the program go, and says whether it lives. In one that has replaced itself nothing of
// ours is, and nothing is to be written over it.
func (l *liveRecorder) free() bool {
	replaced := l.isReplaced()
	if replaced {
		l.noted.out("the program has replaced itself by another (exec), and was left")
		for _, t := range l.group.Targets() {
			clear(t.Breakpoints().M)
		}
	}
	left, err := l.detach()
	if err != nil && !replaced {
		l.noted.remark("letting go of the program: " + err.Error())
	}
	return left
}

// isReplaced says that the process runs another program by now.
func (l *liveRecorder) isReplaced() bool {
	now, err := os.Stat(executableOf(l.pid))
	return err == nil && l.executable != nil && !os.SameFile(now, l.executable)
}

func executableOf(pid int) string { return fmt.Sprintf("/proc/%d/exe", pid) }

// tell passes on what was noted, as long as somebody listens.
func (l *liveRecorder) tell(over <-chan struct{}) {
	again := time.NewTicker(tellingPeriod)
	defer again.Stop()
	told := int64(0)
	for {
		select {
		case <-over:
			return
		case <-again.C:
		}
		if l.isReplaced() {
			l.goAway()
		}
		if rows, state := l.noted.take(); len(rows) > 0 || state.Hits != told {
			told = state.Hits
			if l.far.Tell(rows, state, false) != nil {
				l.goAway()
				return
			}
		}
	}
}

// waitingRows is how many rows may wait to be told.
const waitingRows = 20_000

// notedRows are those that were not told yet, and the counts. It is safe for concurrent use.
type notedRows struct {
	mu    sync.Mutex // guards the fields below
	began time.Time
	rows  []live.Row
	state live.State
	since time.Time // since when hits are counted
	hits  int64     // at that time
}

// hit counts one, and says whether there may be more.
func (n *notedRows) hit(most int) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.state.Hits++
	if now := time.Now(); now.Sub(n.since) >= oftenSeconds*time.Second {
		n.since, n.hits = now, n.state.Hits
	}
	if n.state.Out == "" && n.state.Hits-n.hits > int64(oftenSeconds*most) {
		n.state.Out = fmt.Sprintf("there were more than %d hits a second, and it was taken out: a debugger stops the program at each", most)
	}
	return n.state.Out == ""
}

func (n *notedRows) add(r live.Row) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.state.Rows++
	r.N, r.At = n.state.Rows, time.Since(n.began)
	n.rows = append(n.rows, r)
	if len(n.rows) > waitingRows {
		n.rows = n.rows[1:]
		n.state.Dropped++
	}
}

// judged counts how a condition was.
func (n *notedRows) judged(holds bool, err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	switch {
	case err != nil:
		n.state.Unread++
		n.state.Notes = withNote(n.state.Notes, "of the condition: "+inWords(err))
	case holds:
		n.state.Matched++
	}
}

// out notes why it was taken out.
func (n *notedRows) out(why string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.state.Out = why
}

func (n *notedRows) remark(text string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.state.Notes = withNote(n.state.Notes, text)
}

// take gives the rows that wait, and how it stands.
func (n *notedRows) take() ([]live.Row, live.State) {
	n.mu.Lock()
	defer n.mu.Unlock()
	rows := n.rows
	n.rows = nil
	return rows, n.state
}
