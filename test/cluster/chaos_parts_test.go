//go:build linux

package cluster

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"aidb-mcp/internal/testkit"
)

// part is a process of the cluster that can be killed and started again, with the wires by
// which it reaches the servers.
type part struct {
	c       *chaos
	name    string
	program string // empty: the server
	args    []string
	env     []string
	says    string // when it serves
	http    string
	cables  []*cable

	mu     sync.Mutex // guards the fields below
	cmd    *exec.Cmd
	exited chan struct{}
	err    bytes.Buffer
	errMu  sync.Mutex
}

func (c *chaos) part(name, home string, addresses []string) *part {
	p := &part{c: c, name: name, env: []string{"AIDB_HOME=" + home}}
	for _, address := range addresses {
		p.cables = append(p.cables, newCable(c.t, address))
	}
	return p
}

// through is where the part finds the servers.
func (p *part) through() string {
	var all []string
	for _, w := range p.cables {
		all = append(all, "nats://"+w.address())
	}
	return strings.Join(all, ",")
}

// join lets it in at the embedded server of a gateway.
func (p *part) join(g *part, more ...string) {
	p.c.t.Helper()
	cmd := exec.Command(testkit.Binary(p.c.t), append([]string{"cluster", "token"}, more...)...)
	cmd.Env = append(os.Environ(), g.env...)
	token, err := cmd.Output()
	file := filepath.Join(p.c.t.TempDir(), "join")
	if err == nil {
		err = os.WriteFile(file, token, 0o600)
	}
	if err != nil {
		p.c.t.Fatal(err)
	}
	p.args = append(p.args, "--join-token-file", file)
}

// Write keeps what it says.
func (p *part) Write(text []byte) (int, error) {
	p.errMu.Lock()
	defer p.errMu.Unlock()
	return p.err.Write(text)
}

func (p *part) said() string {
	p.errMu.Lock()
	defer p.errMu.Unlock()
	return p.err.String()
}

// start starts it, and waits until it serves. One whose server is away ends, and is
// started again.
func (p *part) start() {
	for end := time.Now().Add(2 * time.Minute); ; {
		p.errMu.Lock()
		p.err.Reset()
		p.errMu.Unlock()
		program := p.program
		if program == "" {
			program = testkit.Binary(p.c.t)
		}
		cmd := exec.Command(program, p.args...)
		cmd.Env = append(append(os.Environ(), p.c.mark, "NODE_EXTRA_CA_CERTS="), p.env...)
		cmd.Stderr, cmd.SysProcAttr = p, &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} // what the test leaves when it is killed
		exited := make(chan struct{})
		if err := cmd.Start(); err != nil {
			p.c.t.Error(err)
			return
		}
		go func() {
			_ = cmd.Wait() // killed, mostly
			close(exited)
		}()
		p.mu.Lock()
		p.cmd, p.exited = cmd, exited
		p.mu.Unlock()
		if p.says == "" || p.serves(exited, end) {
			return
		}
		if time.Now().After(end) {
			p.c.t.Errorf("%s does not start:\n%s", p.name, p.said())
			return
		}
	}
}

func (p *part) serves(exited <-chan struct{}, end time.Time) bool {
	for time.Now().Before(end) {
		if strings.Contains(p.said(), p.says) {
			return true
		}
		select {
		case <-exited:
			<-time.After(100 * time.Millisecond)
			return false
		case <-time.After(20 * time.Millisecond):
		}
	}
	return false
}

func (p *part) awaitServing() {
	testkit.Eventually(p.c.t, time.Minute, p.name+" to serve", func() bool { return strings.Contains(p.said(), p.says) })
}

// kill ends the process at once.
func (p *part) kill() {
	p.mu.Lock()
	cmd, exited := p.cmd, p.exited
	p.mu.Unlock()
	_ = cmd.Process.Kill() // it may have ended
	<-exited
}

// stop ends it in order.
func (p *part) stop() {
	p.mu.Lock()
	cmd, exited := p.cmd, p.exited
	p.mu.Unlock()
	_ = cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-exited:
	case <-time.After(20 * time.Second):
		p.c.t.Errorf("%s does not end by SIGTERM:\n%s", p.name, p.said())
		p.kill()
	}
}

func (p *part) pid() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.cmd.Process.Pid
}

// fault is something that breaks, and is whole again when do returns.
type fault struct {
	what string
	do   func()
}

// mixed are all faults in an order of chance, in which each kind comes before the next of the same.
func (c *chaos) mixed() (all []fault) {
	kinds := c.faults()
	for _, kind := range kinds {
		c.random.Shuffle(len(kind), func(i, j int) { kind[i], kind[j] = kind[j], kind[i] })
	}
	for i := range 9 {
		c.random.Shuffle(len(kinds), func(i, j int) { kinds[i], kinds[j] = kinds[j], kinds[i] })
		for _, kind := range kinds {
			if i < len(kind) {
				all = append(all, kind[i])
			}
		}
	}
	return all
}

// silence is how long something says nothing.
func (c *chaos) silence() {
	most := 3 * time.Second
	if testkit.IsLong() {
		most = 9 * time.Second
	}
	c.pause(200*time.Millisecond, most)
}

// faults are those of each kind.
func (c *chaos) faults() [][]fault {
	var gateways, servers, machines, cuts, silences, delays, workers, stops []fault
	kill := func(p *part) fault {
		return fault{"kill " + p.name, func() {
			p.kill()
			c.pause(100*time.Millisecond, 1500*time.Millisecond)
			p.start()
		}}
	}
	for _, p := range c.gateways {
		gateways = append(gateways, kill(p))
	}
	for _, p := range c.servers {
		servers = append(servers, kill(p))
	}
	for _, p := range c.machines {
		machines = append(machines, kill(p))
		workers = append(workers, fault{"kill a worker of " + p.name, func() {
			if all := workersUnder(p.pid()); len(all) > 0 {
				_ = syscall.Kill(all[c.random.IntN(len(all))].PID, syscall.SIGKILL)
			}
		}})
		stops = append(stops, fault{"stop " + p.name + " for a while", func() {
			pid := p.pid()
			_ = syscall.Kill(pid, syscall.SIGSTOP)
			c.silence()
			_ = syscall.Kill(pid, syscall.SIGCONT)
		}})
	}
	for _, p := range append(append([]*part{}, c.gateways...), c.machines...) {
		if len(p.cables) == 0 {
			continue
		}
		cuts = append(cuts, fault{"cut " + p.name, func() { p.each((*cable).cut) }})
		silences = append(silences, fault{"silence " + p.name, func() {
			p.each((*cable).stall)
			c.silence()
			p.each((*cable).resume)
		}})
		delays = append(delays, fault{"slow " + p.name, func() {
			p.each(func(w *cable) { w.slow(60 * time.Millisecond) })
			c.pause(500*time.Millisecond, 2*time.Second)
			p.each(func(w *cable) { w.slow(0) })
		}})
	}
	return [][]fault{gateways, servers, machines, cuts, silences, delays, workers, stops}
}

func (p *part) each(do func(*cable)) {
	for _, w := range p.cables {
		do(w)
	}
}

func reaches(address string) bool {
	conn, err := net.DialTimeout("tcp", address, time.Second)
	if err != nil {
		return false
	}
	conn.Close()
	return true
}

// marked are the processes that have a mark in their environment.
func marked(mark string) (all []string) {
	for _, p := range testkit.Processes() {
		env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", p.PID))
		if err == nil && bytes.Contains(env, []byte(mark)) {
			all = append(all, p.String())
		}
	}
	return all
}
