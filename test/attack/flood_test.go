//go:build linux

package attack

import (
	"fmt"
	"net"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"aidb-mcp/internal/testkit"
)

// isLong says that everything is to be run, and figures be proven.
var isLong = os.Getenv("AIDB_LONG") != ""

// A flood of connections, of which some say nothing, some half of something and some
// the wrong thing, while agents debug: they go on, the gateway answers who asks for
// its health, and the flood finds room for itself only.
func TestAFlood(t *testing.T) {
	agents, steps := 3, 4
	if isLong {
		agents, steps = 30, 30
	}
	g := serve(t, "--workers", fmt.Sprint(agents+2))
	p := testkit.NewProgram(t, "averages")
	binary := p.Build(".")
	var honest []agent
	for i := range agents {
		a := g.agent([]string{ada, bob}[i%2])
		a.call(t, "session_start", A{"target": binary, "breakpoints": []A{{"file": p.Dir + "/main.go", "line": p.Line("sum")}}, "timeout_ms": 120_000})
		honest = append(honest, a)
	}
	before := debug(t, honest, steps)

	over, begun := make(chan struct{}), make(chan struct{})
	var flood sync.WaitGroup
	flood.Go(func() { pour(g, connectionsOf(t), over, begun) })
	<-begun
	meanwhile := debug(t, honest, steps)
	for range 5 {
		if status, text := g.get("/healthz", ""); status != 200 {
			t.Errorf("healthz: %d %s", status, text)
		}
	}
	close(over)
	flood.Wait()
	t.Logf("%d agents, latency before %s, under the flood %s: %.1f times", agents, before, meanwhile, float64(meanwhile.median)/float64(before.median))
	if isLong && meanwhile.median > 3*before.median {
		t.Errorf("under the flood it is more than three times as long")
	}
	g.stands()
}

type latency struct{ median, most time.Duration }

func (l latency) String() string {
	return fmt.Sprintf("%s (longest %s)", l.median.Round(time.Millisecond/10), l.most.Round(time.Millisecond))
}

// debug has each agent look at its program and evaluate, all of them at once.
func debug(t *testing.T, honest []agent, steps int) latency {
	t.Helper()
	var mu sync.Mutex
	var took []time.Duration
	var all sync.WaitGroup
	for _, a := range honest {
		all.Go(func() {
			for range steps {
				begun := time.Now()
				a.call(t, "inspect", A{"target": "locals"})
				a.call(t, "step", A{"action": "over"})
				a.call(t, "execute", A{"action": "continue"})
				mu.Lock()
				took = append(took, time.Since(begun)/3)
				mu.Unlock()
				a.call(t, "session", A{"action": "restart"})
			}
		})
	}
	all.Wait()
	slices.Sort(took)
	return latency{took[len(took)/2], took[len(took)-1]}
}

// connectionsOf is how many a flood has: as many as this process may open.
func connectionsOf(t *testing.T) int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	most := 10_000
	if !isLong {
		most = 2000
	}
	return min(most, int(limit.Cur)-500)
}

// pour opens connections, and holds them, until it is over; begun is closed when
// there are as many as there will be. Those that are closed are opened again.
func pour(g *gateway, most int, over <-chan struct{}, begun chan<- struct{}) {
	words := []string{
		"", "GET /healthz HTTP/1.1\r\n", "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer wrong\r\nContent-Length: 100000\r\n\r\n[[[",
		"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\r\n", strings.Repeat("[", 1000),
	}
	open := make([]net.Conn, most)
	defer func() {
		for _, conn := range open {
			if conn != nil {
				conn.Close()
			}
		}
	}()
	for n := 0; ; n++ {
		select {
		case <-over:
			return
		default:
		}
		if n == most {
			close(begun)
		}
		if n > most { // a hundred a second, and not all that the machine can do
			select {
			case <-over:
				return
			case <-time.After(10 * time.Millisecond):
			}
		}
		if old := open[n%most]; old != nil {
			old.Close()
		}
		conn, err := net.DialTimeout("tcp", g.address, time.Second)
		if err == nil {
			_, _ = conn.Write([]byte(words[n%len(words)]))
		}
		open[n%most] = conn
	}
}

// A gateway that may open few files keeps some of them for those who come.
func TestFewDescriptors(t *testing.T) {
	g := serveWith(t, testkit.Options{Through: []string{"sh", "-c", `ulimit -n 128; exec "$@"`, "sh"}}, "--workers", "4")
	for range 200 {
		if _, err := g.dial(); err != nil {
			t.Fatal(err)
		}
	}
	g.stands()
}

// A name cannot take all connections, and not all that may be answered at once.
func TestConnectionsWithAToken(t *testing.T) {
	g := serve(t)
	h := g.session(eve)
	for range 700 {
		conn, err := g.dial()
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(conn, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nMcp-Session-Id: %s\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: 1000\r\n\r\n{", eve, h["Mcp-Session-Id"])
	}
	// As soon as the gateway has come to read what has been sent to it.
	testkit.Eventually(t, testkit.CallLimit, "one more of the same name to be refused", func() bool {
		conn, err := g.dial()
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(conn, "GET /metrics HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n\r\n", eve)
		return strings.Contains(says(conn), "503")
	})
	g.stands()
}
