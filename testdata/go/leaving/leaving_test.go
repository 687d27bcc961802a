// Package leaving has tests that pass and leave something running, and tests that do not.
package leaving

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

func query(late, answer chan int) {
	<-late
	answer <- 1 // @mark send
}

// TestSenderAfterTimeout: nobody takes the answer of who comes too late.
func TestSenderAfterTimeout(t *testing.T) {
	late, answer := make(chan int), make(chan int)
	go query(late, answer) // @mark query
	select {
	case <-answer:
		t.Fatal("in time")
	case <-time.After(100 * time.Microsecond):
		close(late)
	}
}

func watch(ctx context.Context) {
	go func() { // @mark watch
		<-ctx.Done() // @mark done
	}()
}

func TestForgottenCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	_ = cancel
	watch(ctx)
}

type pool struct{ jobs chan func() }

func newPool(workers int) *pool {
	p := &pool{jobs: make(chan func())}
	for range workers {
		go p.work() // @mark worker
	}
	return p
}

func (p *pool) work() {
	for job := range p.jobs { // @mark jobs
		job()
	}
}

func TestPoolNotClosed(t *testing.T) {
	p, done := newPool(3), make(chan bool)
	p.jobs <- func() { close(done) }
	<-done
}

func TestTicker(t *testing.T) {
	tick := time.NewTicker(time.Hour)
	go func() { // @mark ticker
		for range tick.C { // @mark tick
		}
	}()
}

func TestAfterFunc(t *testing.T) {
	began := make(chan bool)
	time.AfterFunc(time.Millisecond, func() {
		close(began)
		select {} // @mark after
	})
	<-began
}

func TestSelectForever(t *testing.T) {
	t.Run("part", func(t *testing.T) {
		go func() { select {} }() // @mark forever
	})
}

func TestServerNotShut(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: http.NotFoundHandler()}
	go server.Serve(listener) // @mark serve
	answer, err := http.Get("http://" + listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
}

func TestTestServerNotClosed(t *testing.T) {
	_ = httptest.NewServer(http.NotFoundHandler()) // @mark httptest
}

// group is errgroup's, which nobody has to fetch.
type group struct {
	wg   sync.WaitGroup
	once sync.Once
	err  error
}

func (g *group) run(f func() error) {
	g.wg.Add(1)
	go func() { // @mark group
		defer g.wg.Done()
		if err := f(); err != nil {
			g.once.Do(func() { g.err = err })
		}
	}()
}

func TestEarlyReturn(t *testing.T) {
	var g group
	results, failed := make(chan int), make(chan error, 1)
	g.run(func() error { failed <- errors.New("no"); return <-failed })
	g.run(func() error { results <- 1; return nil }) // @mark result
	<-failed
	failed <- errors.New("no")
}

func TestLockHeld(t *testing.T) {
	var mu sync.Mutex
	mu.Lock()
	go func() { // @mark locker
		mu.Lock() // @mark lock
		defer mu.Unlock()
	}()
}

func TestProcess(t *testing.T) {
	if err := exec.Command("sleep", "60").Start(); err != nil {
		t.Fatal(err)
	}
}

func TestBodyNotClosed(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Write(make([]byte, 1<<20))
		<-r.Context().Done()
	}))
	t.Cleanup(func() { go server.Close() })
	if _, err := http.Get(server.URL); err != nil { // @mark body
		t.Fatal(err)
	}
}

// TestFailsAfterwards leaves what fails when nobody looks any more.
func TestFailsAfterwards(t *testing.T) {
	go func() {
		time.Sleep(100 * time.Millisecond)
		panic("too late") // @mark late
	}()
}

// TestFirstAnswer takes the first of two answers, and nobody the other.
func TestFirstAnswer(t *testing.T) {
	answers, asked := make(chan int), make(chan bool, 2)
	for range 2 {
		go func() { // @mark asks
			asked <- true
			answers <- 1 // @mark second
		}()
	}
	<-answers
	<-asked
	<-asked
}

// TestProducerAfterBreak reads a part of what is produced.
func TestProducerAfterBreak(t *testing.T) {
	numbers := make(chan int)
	go func() { // @mark produces
		defer close(numbers)
		for n := 0; ; n++ {
			numbers <- n // @mark next
		}
	}()
	for n := range numbers {
		if n == 3 {
			break
		}
	}
}

// TestConditionNotSignalled waits for a change of which nobody tells.
func TestConditionNotSignalled(t *testing.T) {
	changed := sync.NewCond(new(sync.Mutex))
	waits := make(chan bool)
	go func() { // @mark conditioned
		changed.L.Lock()
		close(waits)
		changed.Wait() // @mark unsignalled
		changed.L.Unlock()
	}()
	<-waits
}

// TestGroupNeverDone waits in a goroutine for a worker that forgets to say that it is done.
func TestGroupNeverDone(t *testing.T) {
	var workers sync.WaitGroup
	workers.Add(1)
	ended := make(chan bool)
	go func() { // @mark closer
		workers.Wait() // @mark never-done
		close(ended)
	}()
}

// TestNilChannel reads from a channel that was never made.
func TestNilChannel(t *testing.T) {
	var done chan bool
	go func() { // @mark nil-made
		<-done // @mark nil-read
	}()
}

// TestStages leaves two stages of a pipeline whose source is not closed.
func TestStages(t *testing.T) {
	source := make(chan int)
	doubled := make(chan int)
	go func() { // @mark doubles
		for n := range source { // @mark source
			doubled <- 2 * n
		}
		close(doubled)
	}()
	go func() { // @mark prints
		for range doubled { // @mark doubled
		}
	}()
	source <- 1
}

// TestReaderHeld reads a table that a goroutine holds for writing for ever.
func TestReaderHeld(t *testing.T) {
	var table sync.RWMutex
	table.Lock()
	go func() { // @mark reader
		table.RLock() // @mark read-lock
		table.RUnlock()
	}()
}

// What follows leaves nothing.

func TestCleanSettles(t *testing.T) {
	go func() { time.Sleep(50 * time.Millisecond) }()
}

func TestCleanCleanup(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	watch(ctx)
}

func TestCleanPool(t *testing.T) {
	p := newPool(3)
	defer close(p.jobs)
	done := make(chan bool)
	p.jobs <- func() { close(done) }
	<-done
}

func TestCleanServer(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	answer, err := http.Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	io.Copy(io.Discard, answer.Body)
	answer.Body.Close()
}

// TestCleanIdle keeps a connection in the library's pool.
func TestCleanIdle(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var conn net.Conn
	served := make(chan bool)
	go func() {
		defer close(served)
		conn, _ = listener.Accept()
		http.ReadRequest(bufio.NewReader(conn))
		io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
	}()
	answer, err := http.Get("http://" + listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	io.Copy(io.Discard, answer.Body)
	answer.Body.Close()
	<-served
	listener.Close()
}

func TestCleanParallel(t *testing.T) {
	for range 3 {
		t.Run("part", func(t *testing.T) {
			t.Parallel()
			done := make(chan bool)
			go func() { close(done) }()
			<-done
		})
	}
}

func TestCleanProcess(t *testing.T) {
	if err := exec.Command("true").Run(); err != nil {
		t.Fatal(err)
	}
}

// TestCleanEnvironment sees nothing of who looks.
func TestCleanEnvironment(t *testing.T) {
	for _, pair := range os.Environ() {
		if strings.Contains(pair, "LEFT") || strings.Contains(pair, "tracebackancestors") {
			t.Error(pair)
		}
	}
	if n := runtime.NumGoroutine(); n != 2 {
		t.Errorf("%d goroutines, want the first and the test's", n)
	}
}

func Example_clean() {
	done := make(chan bool)
	go close(done)
	<-done
	// Output:
}
