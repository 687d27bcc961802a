//go:build linux

package torture

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"aidb-mcp/internal/testkit"
)

// ending is how a session comes to its end.
type ending string

const (
	byStop       ending = "stop"              // session(stop)
	byExit       ending = "exit"              // the program ends, and what it has started stays
	byInput      ending = "end of input"      // of the server
	byTerm       ending = "SIGTERM"           // for the server
	byKill       ending = "SIGKILL"           // for the server
	bySupervisor ending = "supervisor killed" // one of the session's
	byAdapter    ending = "adapter killed"
	byProgram    ending = "program killed"
	byBuild      ending = "compiler killed"
	byKeeper     ending = "keeper killed"               // and then the input ends
	byBoth       ending = "server, supervisors killed"  // in one moment
	byAll        ending = "server, supervisors, keeper" // in one moment; the next server sweeps
)

var endings = []ending{byStop, byExit, byInput, byTerm, byKill, bySupervisor, byAdapter, byProgram, byBuild, byKeeper, byBoth, byAll}

// survived says that the server goes on after such an ending.
func (e ending) survived() bool {
	return slices.Contains([]ending{byStop, byExit, bySupervisor, byAdapter, byProgram, byBuild}, e)
}

// moment is when the ending comes.
type moment string

const (
	anyMoment moment = "at random"
	starting  moment = "starting" // once there is a supervisor
	building  moment = "building" // once there is a compiler
	stopped   moment = "at a stop"
	running   moment = "running"
	stopping  moment = "stopping" // together with session(stop)
)

var moments = []moment{anyMoment, starting, building, stopped, running, stopping}

// fits says that such an ending can come at this moment.
func (e ending) fits(m moment, l *language) bool {
	switch {
	case m == building && !l.builds():
		return false
	case e == byBuild:
		return m == building
	case e == byExit:
		return m == running
	case e == byProgram:
		return m == stopped || m == running || m == stopping
	case e == byAdapter:
		return m != building && m != anyMoment
	}
	return true
}

// recipe is what is done to one session.
type recipe struct {
	n        int
	language *language
	ending   ending
	moment   moment
	delay    time.Duration // from the moment to the ending
	pests    []string      // what the program surrounds itself with: pest.sh
	source   bool          // the server builds the program
	deepTmp  bool          // the temporary directory has a long name, so that sockets lie elsewhere
	pick     uint32        // which, where there are several to kill
}

func (r recipe) String() string {
	return fmt.Sprintf("%04d %s, %s, %s + %v, pests %v, source %v, deep %v, pick %d",
		r.n, r.language.name, r.ending, r.moment, r.delay, r.pests, r.source, r.deepTmp, r.pick)
}

// recipes are n of them, so that each language meets each ending equally often.
func recipes(n int, seed uint64) []recipe {
	random := rand.New(rand.NewPCG(seed, 0))
	kinds := []string{"fork", "ignore", "daemon", "scrub", "spawn"}
	var list []recipe
	for i := 0; len(list) < n; i++ {
		// The one goes round by itself, the other one further with each round.
		l := i % len(languages)
		r := recipe{language: languages[l], ending: endings[(l+i/len(languages))%len(endings)]}
		fitting := slices.DeleteFunc(slices.Clone(moments), func(m moment) bool { return !r.ending.fits(m, r.language) })
		if len(fitting) == 0 {
			continue
		}
		r.n, r.moment = len(list)+1, fitting[random.IntN(len(fitting))]
		r.delay, r.pick = r.moment.delay(random), random.Uint32()
		for _, kind := range kinds {
			if random.IntN(2) == 0 && (kind != "scrub" || r.ending != byBoth && r.ending != byAll) {
				r.pests = append(r.pests, kind)
			}
		}
		r.source = r.moment == building || random.IntN(4) == 0
		r.deepTmp = random.IntN(4) == 0
		list = append(list, r)
	}
	return list
}

// delay is a random one that goes with a moment.
func (m moment) delay(random *rand.Rand) time.Duration {
	longest := 20 * time.Millisecond
	switch m {
	case anyMoment:
		longest = 2500 * time.Millisecond
	case starting:
		longest = 400 * time.Millisecond
	case building:
		longest = 200 * time.Millisecond
	}
	return time.Duration(random.Int64N(int64(longest))).Round(time.Millisecond)
}

// known are sessions of which something was left once.
var known = []recipe{
	{language: golang, ending: byStop, moment: starting, source: true},                                                                   // a reply that was a bug of ours
	{language: cGDB, ending: byBoth, moment: stopped, pests: []string{"fork", "daemon"}},                                                 // processes: gdb gave them no mark
	{language: python, ending: byAll, moment: running, pests: []string{"daemon"}},                                                        // processes: nobody swept
	{language: golang, ending: byAll, moment: building, delay: 80 * time.Millisecond, pests: []string{"ignore", "daemon"}, source: true}, // files: the build went on
	{language: javascript, ending: byAdapter, moment: running},                                                                           // two pipes
	{language: javascript, ending: bySupervisor, moment: starting, delay: 130 * time.Millisecond},                                        // a dead child of the server
	{language: cGDB, ending: bySupervisor, moment: stopped, pests: []string{"ignore", "scrub", "spawn"}},                                 // a descriptor of a process
}

// short is the list that runs with all other tests: what is known, and each ending in
// one language, in the long run in two.
func short() []recipe {
	took := map[ending]int{}
	list := slices.DeleteFunc(recipes(200, 1), func(r recipe) bool {
		took[r.ending]++
		return took[r.ending] > testkit.Rounds(1, 2)
	})
	for i, r := range known {
		r.n = 9000 + i
		list = append(list, r)
	}
	return list
}

// chosen are the recipes of this run.
func chosen() []recipe {
	list := short()
	if *sessions > 0 {
		list = recipes(*sessions, *seed)
	}
	return slices.DeleteFunc(list, func(r recipe) bool { return !strings.Contains(r.String(), *only) })
}
