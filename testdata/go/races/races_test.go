package races

import "testing"

func TestCounter(*testing.T)      { counter() }
func TestMapWrite(*testing.T)     { mapWrite() }
func TestAppended(*testing.T)     { appended() }
func TestLoopVariable(*testing.T) { loopVariable() }
func TestCheckedTwice(*testing.T) { checkedTwice() }
func TestAddedInside(*testing.T)  { addedInside() }
func TestClosed(*testing.T)       { closedWhileSent() }
func TestErrShared(*testing.T)    { _ = errShared() }
func TestFieldRead(*testing.T)    { fieldRead() }
func TestMixed(*testing.T)        { mixed() }
func TestElement(*testing.T)      { element() }
func TestWords(*testing.T)        { words() }
func TestInterface(*testing.T)    { iface() }
func TestWrongLock(*testing.T)    { wrongLock() }
func TestReadLocked(*testing.T)   { readLocked() }

func TestLocked(t *testing.T) {
	if n := locked(); n != 2 {
		t.Error(n)
	}
}

func TestHandedOver(t *testing.T) {
	if n := handedOver(); n != 1 {
		t.Error(n)
	}
}

func TestOnce(t *testing.T) {
	if n := once(); n != 1 {
		t.Error(n)
	}
}

func TestCounted(t *testing.T) {
	if n := counted(); n != 2 {
		t.Error(n)
	}
}

// TestWrong fails without a race.
func TestWrong(t *testing.T) {
	if n := locked(); n != 3 {
		t.Errorf("got %d, want 3", n) //@mark wrong
	}
}
