package pool

import "testing"

// A principal that has as many places as it may waits for one of its own, and holds
// nobody up.
func TestPlacesOfOnePrincipal(t *testing.T) {
	t.Parallel()
	p := newPlaces(3)
	granted := func(w *waiter) bool {
		select {
		case <-w.granted:
			return true
		default:
			return false
		}
	}
	first, second, bob := p.ask("ada", 1), p.ask("ada", 1), p.ask("bob", 0)
	if !granted(first) || granted(second) || !granted(bob) {
		t.Errorf("granted are %v, %v, %v", granted(first), granted(second), granted(bob))
	}
	if full := p.full(); p.lack() > 0 || len(full) != 1 || full[0] != "ada" {
		t.Errorf("%d lack a place, and %v are full", p.lack(), full)
	}
	p.leave("bob", false)
	if granted(second) {
		t.Error("bob's place is ada's second")
	}
	p.leave("ada", false)
	if !granted(second) {
		t.Error("ada waits for her own place")
	}
}
