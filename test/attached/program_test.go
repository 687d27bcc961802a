//go:build linux

package attached

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"aidb-mcp/internal/testkit"
)

// every is how often the program is asked something.
const every = 10 * time.Millisecond

// production is a program of somebody else that is asked something all the while.
type production struct {
	cmd    *exec.Cmd
	said   bytes.Buffer // on its standard error; to be read after its end only
	gone   chan struct{}
	cancel context.CancelFunc
	asking sync.WaitGroup

	mu      sync.Mutex
	sent    []time.Time // by number
	waited  []time.Duration
	counts  []int // of its threads, as last told
	answers int   // so many have come
	late    time.Duration
	err     error
}

// begin starts a language's program and the client that asks it.
func begin(t *testing.T, l *language) *production {
	t.Helper()
	var p *production
	var port string
	for range 5 { // a port for its debugger may be somebody's
		if p, port = start(t, l); port != "" {
			break
		}
	}
	if port == "" {
		t.Fatalf("the program does not start: %s", &p.said)
	}
	ctx, cancel := context.WithCancel(context.Background())
	p.cancel = cancel
	t.Cleanup(p.end)
	conn, err := net.Dial("tcp", "127.0.0.1:"+port)
	if err != nil {
		t.Fatal(err)
	}
	context.AfterFunc(ctx, func() { _ = conn.Close() })
	p.asking.Go(func() { p.ask(ctx, conn) })
	p.asking.Go(func() { p.hear(conn) })
	testkit.Eventually(t, testkit.CallLimit, "a program that counts", func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		return len(p.counts) == 2 && min(p.counts[0], p.counts[1]) > 20
	})
	return p
}

// start starts a language's program; it says at which port it answers, or ends.
func start(t *testing.T, l *language) (p *production, port string) {
	t.Helper()
	line := slices.Clone(l.run)
	for i := range line { // below what the system gives to whoever wants any port
		line[i] = strings.Replace(line[i], "PORT", strconv.Itoa(15_000+rand.IntN(15_000)), 1)
	}
	p = &production{cmd: exec.Command(line[0], line[1:]...), gone: make(chan struct{})}
	p.cmd.Dir, p.cmd.Stderr = l.at.Dir, &p.said
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	for err == nil && !strings.HasPrefix(port, "port ") { // a JVM may say something first
		port, err = lines.ReadString('\n')
	}
	go func() {
		_, _ = io.Copy(io.Discard, lines)
		_ = p.cmd.Wait()
		close(p.gone)
	}()
	if err != nil {
		<-p.gone
	}
	return p, strings.TrimSpace(strings.TrimPrefix(port, "port "))
}

// end ends the program and its client.
func (p *production) end() {
	p.cancel()
	_ = p.cmd.Process.Kill()
	<-p.gone
	p.asking.Wait()
}

func (p *production) pid() int { return p.cmd.Process.Pid }

// ask sends the number of each request, whether the last was answered or not.
func (p *production) ask(ctx context.Context, conn net.Conn) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for due := time.Now(); ; due = time.Now().Add(every) {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		p.mu.Lock()
		n := len(p.sent)
		p.sent, p.waited = append(p.sent, time.Now()), append(p.waited, -1)
		p.late = max(p.late, time.Since(due))
		p.mu.Unlock()
		if _, err := fmt.Fprintf(conn, "%d\n", n); err != nil {
			p.fail(err)
			return
		}
	}
}

// hear takes the answers: the number of the request and the counts.
func (p *production) hear(conn net.Conn) {
	lines := bufio.NewScanner(conn)
	for lines.Scan() {
		var numbers []int
		for word := range strings.FieldsSeq(lines.Text()) {
			n, err := strconv.Atoi(word)
			if err != nil {
				p.fail(fmt.Errorf("it answers %q", lines.Text()))
				return
			}
			numbers = append(numbers, n)
		}
		p.mu.Lock()
		n := numbers[0]
		p.waited[n], p.counts = time.Since(p.sent[n]), numbers[1:]
		p.answers++
		p.mu.Unlock()
	}
	p.fail(fmt.Errorf("the connection has ended: %w", cmp.Or(lines.Err(), io.EOF)))
}

func (p *production) fail(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err == nil {
		p.err = err
	}
}

// pulse is how far the program is.
type pulse struct {
	asked, answered int
	counts          []int
	late            time.Duration // the machine, at worst, by this test's own clock
	err             error
}

func (p *production) pulse() pulse {
	p.mu.Lock()
	defer p.mu.Unlock()
	return pulse{len(p.sent), p.answers, p.counts, p.late, p.err}
}

// longest is the longest wait for an answer to what was asked from then on.
func (p *production) longest(from time.Time) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	var longest time.Duration
	for n, sent := range p.sent {
		if sent.After(from) {
			longest = max(longest, p.waited[n])
		}
	}
	return longest
}

// death is how the program has ended, empty as long as it lives.
func (p *production) death() string {
	select {
	case <-p.gone:
	default:
		return ""
	}
	said := strings.TrimSpace(p.said.String())
	return fmt.Sprintf("the program has ended: %v: %.300s", p.cmd.ProcessState, said)
}
