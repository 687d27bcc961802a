package machine

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"aidb-mcp/internal/cluster/span"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/mcp/client"
	"aidb-mcp/internal/mcp/frame"
	"aidb-mcp/internal/serving/grants"
	"aidb-mcp/internal/serving/pool"
)

// What a principal may do comes from its gateway, and is enforced here: how its workers are started,
// how many there are, and how many calls it makes through all gateways together.

// grant takes what a gateway says of the seat's principal, in place of what was said before.
func (s *seat) grant(g span.Granted) {
	s.mu.Lock()
	same := s.granted.Grant.Same(g.Grant)
	s.granted = g
	s.mu.Unlock()
	if !same && s.slot != nil {
		go s.slot.Renew()
	}
}

// grantParked takes what a gateway says of a principal for its workers whose clients have gone, or go.
func (h *Host) grantParked(principal string, g span.Granted) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for s := range h.parked {
		if s.principal == principal {
			s.grant(g)
		}
	}
	for _, s := range h.seats {
		if s.principal == principal && s.over.Err() != nil {
			s.grant(g)
		}
	}
}

// sweepParked forgets those that have ended; mu is held.
func (h *Host) sweepParked() {
	maps.DeleteFunc(h.parked, func(s *seat, _ struct{}) bool { return !s.slot.Running() })
}

// parkedOf are the principals that have some.
func (h *Host) parkedOf() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := map[string]bool{}
	for s := range h.parked {
		if len(all) < mostUses && s.slot.Running() {
			all[s.principal] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

func (s *seat) currentGrant() span.Granted {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.granted
}

// rules are how the seat's workers are started in a directory.
func (s *seat) rules(dir string) (pool.Rules, *fault.Error) {
	is := s.currentGrant()
	g := is.Grant
	r := pool.Rules{Command: s.h.o.Pool.Limits().Command, Workers: g.Workers, Elsewhere: is.Elsewhere}
	if !g.MayUse(s.workspace) {
		return r, fault.New(fault.PolicyDenied, "%s may not work in the workspace %s", s.principal, s.workspace).
			WithHint("begin a new MCP session in a workspace that it may use (by the address /mcp/NAME or the header Aidb-Workspace), or name none and be given one")
	}
	if g.Folders == nil && g.Workspaces == nil && !g.ReadOnly && !g.NoAttach {
		return r, nil
	}
	if s.h.o.Narrow == nil {
		return r, fault.New(fault.PolicyDenied, "the workers of %s are limited (--principals), and the machine %s runs another server, which cannot be limited", s.principal, s.h.o.Name).
			WithHint("tell whoever runs this server")
	}
	command, err := s.h.o.Narrow(dir, g)
	if err != nil {
		return r, fault.New(fault.PolicyDenied, "%s may not work in the workspace %s on the machine %s: %w", s.principal, s.workspace, s.h.o.Name, err).
			WithHint("tell whoever runs this server, or work in another workspace")
	}
	r.Command = command
	return r, nil
}

// admitCall counts a call of the seat's principal. It refuses a tool that the principal may not
// call, a client's call that calls itself a part of another, and a call beyond those that it may make in a minute through all gateways.
func (s *seat) admitCall(f frame.Frame) *fault.Error {
	s.mu.Lock()
	g, reply := s.granted.Grant, s.reply
	s.mu.Unlock()
	if tool := f.Text("params", "name"); f.Method() == "tools/call" && !g.Allows(tool) {
		return fault.New(fault.PolicyDenied, "the tool %.100s is refused: %s may not call it here", tool, s.principal).
			WithHint("allowed are %s", strings.Join(g.Tools, ", "))
	}
	if !s.parts && f.Get("params", "_meta", client.PartKey) != nil { // only gateways ask for parts
		return fault.New(fault.InvalidParam, "_meta has %s, which is no client's to say", client.PartKey).WithHint("leave it out")
	}
	if g.Workers == 0 && g.Calls == 0 {
		return nil
	}
	if wait := s.h.uses.call(s.principal, reply, g.Calls); wait > 0 {
		return fault.New(fault.WorkerLimit, "%s may make %d calls a minute, and has made them", s.principal, g.Calls).
			WithHint("call again in %s", wait.Round(100*time.Millisecond))
	}
	return nil
}

// admitPart refuses a part of another machine's call while calls of others are under way: what the
// gateway has heard of that may be a second old.
func (s *seat) admitPart() *fault.Error {
	if s.parts && s.h.o.Pool.WorkingBeside(s.slot) > 0 {
		return fault.New(fault.WorkerLimit, "others work there")
	}
	return nil
}

// tellWorked has it told at once that parts are done: whoever asked counts this machine as busy until then.
func (s *seat) tellWorked() {
	if s.parts {
		s.h.stir()
	}
}

// makeRoom ends an idle worker of a principal, and has the gateways told of it at once.
func (h *Host) makeRoom(principal string) {
	if h.o.Pool.MakeRoom(principal) {
		h.stir()
	}
}

// The bounds of what is told of principals.
const (
	mostUses     = 1000             // principals
	mostGateways = 64               // of one principal
	forgetUse    = 10 * time.Minute // after its last call
)

// uses is what limited principals have done here.
type uses struct {
	rates *grants.Rates

	mu sync.Mutex // guards the field below
	of map[string]*use
}

type use struct {
	calls map[string]tally // by where the gateway listens
	last  time.Time
}

// tally is how many calls have come by a gateway, and when the last.
type tally struct {
	calls uint64
	last  time.Time
}

func newUses() uses { return uses{rates: &grants.Rates{Slack: 2}, of: map[string]*use{}} }

// call counts a call. If it is one too many, it is not counted, and the result is how long to wait.
func (u *uses) call(principal, gateway string, calls int) time.Duration {
	if wait := u.rates.Wait(principal, calls); wait > 0 {
		return wait
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	one := u.of[principal]
	if one == nil {
		if len(u.of) >= mostUses {
			return 0 // it is held to its limit here, but other machines do not hear of it
		}
		one = &use{calls: map[string]tally{}}
		u.of[principal] = one
	}
	one.last = time.Now()
	if is, known := one.calls[gateway]; known || len(one.calls) < mostGateways {
		one.calls[gateway] = tally{is.calls + 1, one.last}
	}
	return 0
}

// all is what gateways are told of the principals, with the number of workers that each has.
// Gateways by which nothing has come for long are forgotten: each run of one listens elsewhere.
func (u *uses) all(taken map[string]int, now time.Time) map[string]span.Use {
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.of) == 0 {
		return nil
	}
	told := map[string]span.Use{}
	for principal, one := range u.of {
		if taken[principal] == 0 && now.Sub(one.last) > forgetUse {
			delete(u.of, principal)
			continue
		}
		calls := map[string]uint64{}
		for gateway, is := range one.calls {
			if now.Sub(is.last) > forgetUse {
				delete(one.calls, gateway)
				continue
			}
			calls[gateway] = is.calls
		}
		told[principal] = span.Use{Workers: taken[principal], Calls: calls}
	}
	return told
}

// presenceWithin is a presence in as many bytes as a message may have: where principals are too
// many, it tells of none of them, and the machine is seen to be there all the same.
func presenceWithin(most int64, p span.Presence) (text []byte, isWhole bool) {
	text = span.Marshal(p)
	if most <= 0 || int64(len(text)) <= most {
		return text, true
	}
	p.Uses, p.Parked, p.Queue = nil, nil, nil
	return span.Marshal(p), false
}
