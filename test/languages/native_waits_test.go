//go:build linux && amd64

package languages

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"aidb-mcp/internal/testkit"
)

const deadlock = `#include <condition_variable>
#include <cstdio>
#include <latch>
#include <mutex>
#include <pthread.h>
#include <thread>
struct Account { int number = 7; std::mutex lock; int money = 100; };
std::mutex ledger;
std::condition_variable ready;
std::mutex gate;
std::latch both(2);
void first(Account &a) {
  std::lock_guard<std::mutex> one(ledger);
  both.arrive_and_wait();
  std::lock_guard<std::mutex> two(a.lock);
  a.money++;
}
void second(Account &a) {
  std::lock_guard<std::mutex> one(a.lock);
  both.arrive_and_wait();
  std::lock_guard<std::mutex> two(ledger);
  a.money--;
}
void waits() {
  std::unique_lock<std::mutex> l(gate);
  ready.wait(l);
}
int main() {
  Account account;
  std::thread a(first, std::ref(account)), b(second, std::ref(account)), c(waits);
  a.join();
  b.join();
  c.join();
}
`

var (
	functionName   = regexp.MustCompile(`^\w+`)
	withoutAddress = regexp.MustCompile(` \(0x[0-9a-f]+\)`)
)

// waiting is what is told of a thread.
type waiting struct {
	ID              int
	Waiting, Object string
	Stack           []string
}

// TestNativeWaits: of each thread it is said what it waits for, by the name that
// the program has for it, and who holds that.
func TestNativeWaits(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "deadlock.cpp"), deadlock, 0o644)
	run(t, dir, "g++", "-std=c++20", "-g", "-O0", "-o", "deadlock", "deadlock.cpp", "-pthread")
	for _, debugger := range debuggers() {
		t.Run(debugger, func(t *testing.T) {
			t.Parallel()
			s := testkit.Start(t, testkit.Options{Dir: dir, Env: withGDB()})
			s.OK("session_start", A{"target": "deadlock", "mode": "exec", "language": "cpp", "adapter_options": A{"debugger": debugger}, "timeout_ms": 3000})
			s.Running()
			var view struct{ Threads []waiting }
			running := func(w waiting) bool { return w.Waiting == "" }
			testkit.Eventually(t, testkit.CallLimit, "four threads that wait", func() bool { // it may not have come so far yet
				s.OK("execute", A{"action": "pause", "timeout_ms": startLimit})
				view.Threads = nil
				s.OK("inspect", A{"target": "threads"}).Decode(&view, "data")
				if len(view.Threads) == 4 && !slices.ContainsFunc(view.Threads, running) {
					return true
				}
				s.OK("execute", A{"timeout_ms": 500})
				return false
			})
			id := map[string]int{}
			for _, thread := range view.Threads {
				id[functionName.FindString(thread.Stack[0])] = thread.ID
			}
			for _, thread := range view.Threads {
				name := functionName.FindString(thread.Stack[0])
				want := map[string]string{
					"main": fmt.Sprintf("join thread %d", id["first"]), "waits": "condition variable ready",
					"first": fmt.Sprintf("mutex a.lock, held by thread %d", id["second"]), "second": fmt.Sprintf("mutex ledger, held by thread %d", id["first"]),
				}[name]
				got := thread.Waiting + " " + withoutAddress.ReplaceAllString(thread.Object, "")
				if got != want {
					t.Errorf("%s waits for %q, not %q", name, got, want)
				}
			}
			if len(id) != 4 {
				t.Errorf("%d functions wait", len(id))
			}
		})
	}
}

// TestNativePauseAtOnce: a pause stops a program that has only just begun to run.
func TestNativePauseAtOnce(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "sleeper.cpp"), "#include <unistd.h>\nint main() { for (;;) sleep(1); }\n", 0o644)
	run(t, dir, "g++", "-g", "-O0", "-o", "sleeper", "sleeper.cpp")
	for _, debugger := range viewers() {
		t.Run(debugger, func(t *testing.T) {
			t.Parallel()
			s := testkit.Start(t, testkit.Options{Dir: dir, Env: withGDB()})
			s.OK("session_start", A{"target": "sleeper", "mode": "exec", "language": "cpp", "adapter_options": A{"debugger": debugger}, "timeout_ms": 0})
			s.Running()
			s.OK("execute", A{"action": "pause", "timeout_ms": startLimit}).Want("paused", "data", "execution_state", "status")
		})
	}
}
