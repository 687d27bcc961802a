package offspring

import (
	"syscall"
	"testing"
)

// A process that has got the number of one that ended is a stranger, and so are those that it starts.
func TestNumbersThatAreGivenAgain(t *testing.T) {
	program := identity{number: 10, birth: 1}
	child, stranger := identity{number: 11, birth: 2}, identity{number: 11, birth: 5}
	ends := []End{
		{PID: 11, life: life{child, program, 10}},
		{PID: 12, Code: 3, life: life{identity{12, 3}, child, 11}},
		{PID: 11, Code: 8, life: life{stranger, identity{number: 90, birth: 1}, 90}},
		{PID: 13, Code: 9, life: life{identity{13, 6}, stranger, 11}},
	}
	d, isKnown := below(ends, []life{{identity{14, 7}, stranger, 11}, {identity{15, 8}, program, 10}}, 10)
	if !isKnown || d.Children != 2 || d.Grandchildren != 1 || len(d.Ends) != 2 || d.Ends[1].PID != 12 {
		t.Errorf("below the program: %+v, known %v", d, isKnown)
	}
	if d, isKnown := below(ends, nil, 11); isKnown {
		t.Errorf("of a number that two have had it tells %+v", d)
	}
}

// What is cleared away when a program is through has not failed, and counts as having been there.
func TestWhatIsClearedAway(t *testing.T) {
	program := identity{number: 10, birth: 1}
	kill := func(pid int) End {
		return End{PID: pid, Signal: syscall.SIGKILL, life: life{identity{uint32(pid), 2}, program, 10}}
	}
	d, isKnown := below([]End{kill(11), {PID: 10, life: life{program, identity{9, 1}, 9}}, kill(12), {PID: 13, Code: 1, life: life{identity{13, 3}, program, 10}}}, nil, 10)
	if !isKnown || d.Children != 3 || len(d.Ends) != 2 || d.Ends[0].PID != 11 || d.Ends[1].PID != 13 {
		t.Errorf("below the program: %+v, known %v", d, isKnown)
	}
}
