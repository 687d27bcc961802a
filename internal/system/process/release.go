package process

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Release is the duty of a child that holds what is not ours: a program that was there
// before us and must live on. Whoever ends such a child asks it to let go first, and
// kills it only when it has not done so in time; afterwards what it left in that program
// is taken out.
type Release struct {
	PID    int            // of the program that is held
	Signal syscall.Signal // asks the child to let go of it; 0: the end of its input does
	Limit  time.Duration  // how long it may take; DefaultRelease when 0
	// Traces says that the child holds the program by tracing it, and in no other way:
	// before it does, it has nothing to let go of and is not to begin.
	Traces bool
}

// DefaultRelease is how long a child may take to let go of a program.
const DefaultRelease = 2 * time.Second

// releaseName is the variable by which a child with such a duty, its supervisor and what
// it has started are known to everybody who ends processes.
const releaseName = "AIDB_RELEASE"

// tracesName is the variable that says Traces beside it: an older version of this binary
// takes a longer release for none.
const tracesName = "AIDB_RELEASE_BY"

// duty is a Release as others read it: with the moment at which the program began, for
// its number may be another's by then.
type duty struct {
	Release
	began string
}

func newDuty(r *Release) *duty {
	if r == nil {
		return nil
	}
	d := duty{Release: *r, began: startTicks(r.PID)}
	if d.Limit == 0 {
		d.Limit = DefaultRelease
	}
	return &d
}

// String is signal.milliseconds.pid.began, and .traces behind it; "-" without a duty.
func (d *duty) String() string {
	switch {
	case d == nil:
		return "-"
	case d.Traces:
		return d.base() + "." + traces
	}
	return d.base()
}

// base is what every version of this binary reads: another may be there to end the child.
func (d *duty) base() string {
	return fmt.Sprintf("%d.%d.%d.%s", d.Signal, d.Limit.Milliseconds(), d.PID, d.began)
}

const traces = "traces"

func parseDuty(text string) (*duty, error) {
	if text == "-" {
		return nil, nil
	}
	fields := strings.Split(text, ".") // a later version may say more
	if len(fields) < 4 {
		return nil, fmt.Errorf("a release is signal.milliseconds.pid.began, and not %q", text)
	}
	var numbers [3]int
	for i := range numbers {
		var err error
		if numbers[i], err = strconv.Atoi(fields[i]); err != nil {
			return nil, fmt.Errorf("parsing the release: %w", err)
		}
	}
	return &duty{
		Release: Release{
			Signal: syscall.Signal(numbers[0]), Limit: time.Duration(numbers[1]) * time.Millisecond, PID: numbers[2],
			Traces: slices.Contains(fields[4:], traces),
		},
		began: fields[3],
	}, nil
}

// tell puts the duty into an environment, where everybody who ends processes looks.
func (d *duty) tell(env []string) []string {
	if d == nil {
		return env
	}
	if d.Traces {
		env = append(env, tracesName+"="+traces)
	}
	return append(env, releaseName+"="+d.base())
}

// Holding is our environment for a process that is started without a supervisor, and holds
// a program: whoever ends what we have left asks it to let go first.
func Holding(r Release) []string { return newDuty(&r).tell(withoutMark(os.Environ())) }

// patience is how many times its limit one may take that wants to let go, and waits for a
// processor all that time. It is killed in the middle of it then.
const patience = 5

// time is how long a child with this duty may take to end, at most.
func (d *duty) time() time.Duration {
	if d == nil {
		return 0
	}
	return patience * d.Limit
}

// isPatient says that the child was given longer than others: it makes calls in the program,
// each of which takes as long as that is kept waiting, and is fatal to it where it is cut off.
func (d *duty) isPatient() bool { return d.Limit > DefaultRelease }

// isThere says that the program is still the one that the child held.
func (d *duty) isThere() bool { return !Gone(d.PID) && startTicks(d.PID) == d.began }
