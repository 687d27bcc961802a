package inspect

import (
	"testing"

	"aidb-mcp/adapters"
)

func waiter(key, holder string) adapters.Waiter {
	w := adapters.Waiter{Key: key, Who: "thread " + key, For: "a lock", At: adapters.Location{File: "a.py", Line: 3}}
	if holder != "" {
		w.Holders = []adapters.Holder{{Key: holder, Who: "thread " + holder}}
	}
	return w
}

func TestTheOnesWhoWaitForEachOtherComeFirst(t *testing.T) {
	all := adapters.Waits{Waiters: []adapters.Waiter{waiter("1", ""), waiter("2", ""), waiter("3", "4"), waiter("4", "5"), waiter("5", "3"), waiter("6", "3")}}
	got := GroupWaits(all, "")
	if len(got.Cycles) != 1 || len(got.Cycles[0]) != 3 || len(got.Deadlock()) != 3 {
		t.Fatalf("the rings are %+v", got.Cycles)
	}
	if !got.Rows[0].InCycle || !got.Rows[2].InCycle || got.Rows[3].InCycle {
		t.Errorf("the rows are %+v", got.Rows)
	}
	last := got.Rows[len(got.Rows)-1]
	if last.Count != 2 || len(last.Whos) != 2 || got.Total != 6 {
		t.Errorf("the two that wait for the same are %+v, of %d", last, got.Total)
	}
}

func TestARingWithATimeLimitIsNoDeadlock(t *testing.T) {
	timed := waiter("2", "1")
	timed.Timed = true
	got := GroupWaits(adapters.Waits{Waiters: []adapters.Waiter{waiter("1", "2"), timed}}, "")
	if len(got.Cycles) != 1 || got.Deadlock() != nil {
		t.Errorf("the rings are %+v", got.Cycles)
	}
}

func TestOneThatHoldsWhatItWaitsForIsARing(t *testing.T) {
	got := GroupWaits(adapters.Waits{Waiters: []adapters.Waiter{waiter("1", "1")}}, "")
	if len(got.Deadlock()) != 1 {
		t.Errorf("the rings are %+v", got.Cycles)
	}
}

func TestWhatIsFilteredStillMakesARing(t *testing.T) {
	got := GroupWaits(adapters.Waits{Waiters: []adapters.Waiter{waiter("1", "2"), waiter("2", "1")}}, "thread 1")
	if len(got.Cycles) != 1 || got.Total != 2 { // the other names it as its holder
		t.Errorf("%d rows, the rings are %+v", got.Total, got.Cycles)
	}
}

func TestEachOnItsOwnIsOneRowWithoutAnObject(t *testing.T) {
	a, b := waiter("1", ""), waiter("2", "")
	a.On, b.On = "chan 0x1", "chan 0x2"
	got := GroupWaits(adapters.Waits{Waiters: []adapters.Waiter{a, b}}, "")
	if len(got.Rows) != 1 || got.Rows[0].On != "" || got.Rows[0].Count != 2 {
		t.Errorf("the rows are %+v", got.Rows)
	}
}
