//go:build linux

package cluster

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"aidb-mcp/internal/cluster/clustertest"
	"aidb-mcp/internal/cluster/span"
	"aidb-mcp/internal/testkit"
)

// How long things break. In the short run each kind of fault comes about once.
const (
	shortChaos = 10 * time.Second
	longChaos  = 5 * time.Minute
)

// Three gateways, three machines and three servers between them, while agents of both eras,
// and one with a session for each call, debug five languages: whatever is killed, cut and
// slowed, no answer is wrong or comes twice, what has been executed is what was answered and
// what was told to be unknown, a debug session is found from every gateway for as long as
// its worker lives, and at the end nothing is left. AIDB_SEED repeats a run's faults.
func TestChaos(t *testing.T) {
	testkit.Adapters(t)
	t.Run("servers of their own", func(t *testing.T) { wreak(t, newChaos(t, false)) })
	if testkit.IsLong() {
		t.Run("embedded", func(t *testing.T) { wreak(t, newChaos(t, true)) })
	}
}

// chaos is a cluster whose parts can be broken.
type chaos struct {
	t        *testing.T
	random   *rand.Rand
	mark     string // in the environment of all that it starts
	tokens   string
	gateways []*part
	machines []*part
	servers  []*part
	dir      string // the workspace, the same on all machines

	mu   sync.RWMutex // agents that work hold it for reading, who looks at rest for writing
	logs []string
}

func newChaos(t *testing.T, isEmbedded bool) *chaos {
	seed := uint64(time.Now().UnixNano())
	if text := os.Getenv("AIDB_SEED"); text != "" {
		if _, err := fmt.Sscan(text, &seed); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("AIDB_SEED=%d", seed)
	c := &chaos{t: t, random: rand.New(rand.NewPCG(seed, 30)), mark: fmt.Sprintf("AIDB_TEST_CHAOS=%d-%d", os.Getpid(), seed), dir: programs(t)}
	c.tokens = filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(c.tokens, []byte("ada "+secret+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	homes := map[string]string{}
	var users []string
	for _, name := range []string{"g1", "g2", "g3", "m1", "m2", "m3"} {
		homes[name] = home(t)
		role := span.Machine
		if name[0] == 'g' {
			role = span.Gateway
		}
		user, err := clustertest.User(homes[name], role, name)
		if err != nil {
			t.Fatal(err)
		}
		users = append(users, user)
	}
	var addresses []string
	if isEmbedded {
		addresses = []string{testkit.Address(testkit.Port(t))}
	} else {
		addresses = c.startServers(users)
	}
	for i := range 3 {
		name := fmt.Sprint("g", i+1)
		p := c.part(name, homes[name], addresses)
		p.http = testkit.Address(testkit.Port(t))
		p.args = []string{"serve", "--http", p.http, "--token-file", c.tokens, "--name", name, "--log-level", "warn"}
		if isEmbedded && i == 0 {
			p.cables = nil
			p.args = append(p.args, "--cluster", "embedded", "--cluster-listen", addresses[0], "--cluster-gateway-only")
		} else {
			p.args = append(p.args, "--cluster", p.through())
		}
		if isEmbedded && i > 0 {
			p.join(c.gateways[0], "--gateway")
		}
		p.says = "aidb-mcp serves"
		c.gateways = append(c.gateways, p)
		p.start()
	}
	for i := range 3 {
		name := fmt.Sprint("m", i+1)
		p := c.part(name, homes[name], addresses)
		p.args = []string{"worker", "--join", p.through(), "--name", name, "--workspace", "loop=" + c.dir, "--workers", "20", "--worker-start-timeout", "60s", "--replies", "json", "--log-level", "warn"}
		if isEmbedded {
			p.join(c.gateways[0])
		}
		p.says = "serves the cluster at"
		c.machines = append(c.machines, p)
		p.start()
	}
	return c
}

// startServers starts three servers that replace each other, and is where they listen.
func (c *chaos) startServers(users []string) (addresses []string) {
	c.t.Helper()
	var routes, at []string
	for range 3 {
		addresses = append(addresses, testkit.Address(testkit.Port(c.t)))
		at = append(at, testkit.Address(testkit.Port(c.t)))
		routes = append(routes, "nats://"+at[len(at)-1])
	}
	for i := range 3 {
		name := fmt.Sprint("n", i+1)
		file := filepath.Join(c.t.TempDir(), "nats.conf")
		if err := os.WriteFile(file, []byte(clustertest.Config(name, addresses[i], at[i], routes, users)), 0o600); err != nil {
			c.t.Fatal(err)
		}
		p := &part{c: c, name: name, env: []string{clustertest.Variable(file)}, program: os.Args[0]}
		c.servers = append(c.servers, p)
		p.start()
	}
	for _, address := range addresses {
		testkit.Eventually(c.t, time.Minute, "the server at "+address, func() bool { return reaches(address) })
	}
	return addresses
}

// wreak breaks things for a while, looks at what lives in between, and counts at the end.
func wreak(t *testing.T, c *chaos) {
	agents := c.agents()
	var working sync.WaitGroup
	over := make(chan struct{})
	for _, a := range agents {
		working.Go(func() { a.work(over) })
	}
	for _, a := range agents {
		testkit.Eventually(t, 3*time.Minute, "the first results of "+a.String(), func() bool { return a.count().results > 1 })
	}
	lasts := shortChaos
	if testkit.IsLong() {
		lasts = longChaos
	}
	faults := c.mixed()
	begun, n := time.Now(), 0
	for ; time.Since(begun) < lasts; n++ {
		f := faults[n%len(faults)]
		c.log("%s", f.what)
		f.do()
		c.pause(200*time.Millisecond, time.Second)
		if n%8 == 7 {
			c.lookAtRest(agents)
		}
	}
	c.lookAtRest(agents)
	close(over)
	working.Wait()
	total := counts{}
	for _, a := range agents {
		a.finish()
		one := a.count()
		t.Logf("%s: %s; unknown: %v", a, one, a.why)
		total.add(one)
	}
	t.Logf("%d faults in %s: %s", n, time.Since(begun).Round(time.Second), total)
	if total.executed < total.results || total.executed > total.results+total.unknown {
		t.Errorf("%d executions are not what was answered and what was told to be unknown", total.executed)
	}
	if t.Failed() {
		t.Logf("what was done:\n%s", strings.Join(c.logs, "\n"))
	}
	c.end()
}

// pause waits for as long as chance says.
func (c *chaos) pause(least, most time.Duration) {
	<-time.After(least + time.Duration(c.random.Int64N(int64(most-least))))
}

func (c *chaos) log(format string, args ...any) {
	c.logs = append(c.logs, time.Now().Format("15:04:05.000 ")+fmt.Sprintf(format, args...))
}

// lookAtRest finds every debug session whose agent has not been told that it is lost from
// every gateway, when all is whole: it lives at all of them, or at none.
func (c *chaos) lookAtRest(agents []*agent) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range c.machines {
		p.awaitServing()
	}
	for _, a := range agents {
		id := a.handle()
		if id == "" {
			continue
		}
		var lives, not []string
		for _, g := range c.gateways {
			says := c.settled(g, id)
			if strings.HasPrefix(says, "ok") {
				lives = append(lives, g.name)
			} else {
				not = append(not, g.name+": "+says)
			}
		}
		if len(lives) > 0 && len(not) > 0 {
			c.t.Errorf("%s: the session %s lives at %s, and not at %s", a, id, lives, not)
		}
		c.log("%s: %s lives at %v, not at %v", a, id, lives, not)
	}
}

// settled is what a gateway says of a session; one that has just come back, or whose
// machine has, is given the time that documentation gives it.
func (c *chaos) settled(g *part, id string) (says string) {
	for end := time.Now().Add(10 * time.Second); ; {
		one, err := dial(g, secondEra)
		if err == nil {
			says = one.status(id)
			one.close()
		} else {
			says = err.Error()
		}
		away := err != nil || strings.Contains(says, "not been heard since") || strings.Contains(says, "went away in this moment")
		if !away || time.Now().After(end) {
			return says
		}
		<-time.After(100 * time.Millisecond)
	}
}

// end ends everything, and finds nothing left.
func (c *chaos) end() {
	for _, p := range append(append(append([]*part{}, c.gateways...), c.machines...), c.servers...) {
		p.stop()
	}
	var left []string
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); {
		if left = marked(c.mark); len(left) == 0 {
			return
		}
		<-time.After(100 * time.Millisecond)
	}
	c.t.Errorf("these are left:\n%s", strings.Join(left, "\n"))
}
