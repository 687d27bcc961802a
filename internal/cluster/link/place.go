package link

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/serving/pool"
)

// choose finds the place for a client: where its workspace is, on a machine with its
// label, where least runs. Machines may take a moment to tell that they are there.
func (l *Link) choose(ctx context.Context, who pool.Client) (offer, *fault.Error) {
	for {
		l.mu.Lock()
		all := l.offers(who.Principal)
		fit := slices.DeleteFunc(slices.Clone(all), func(o offer) bool { return !o.fits(who) })
		fit = l.withRoom(who.Principal, fit)
		if len(fit) > 0 {
			best := slices.MinFunc(fit, func(a, b offer) int { return cmp.Or(a.at.load()-b.at.load(), strings.Compare(a.at.name, b.at.name)) })
			best.at.placing++
			l.mu.Unlock()
			return best, nil
		}
		changed := l.changed
		away := l.awayWith(who)
		l.mu.Unlock()
		wait := time.Until(l.began.Add(firstWords))
		if wait <= 0 {
			return offer{}, noPlace(who, all, away)
		}
		timer := time.NewTimer(wait)
		select {
		case <-changed:
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return offer{}, fault.New(fault.Cancelled, "the call was given up: %v", context.Cause(ctx))
		}
		timer.Stop()
	}
}

func (o offer) fits(who pool.Client) bool {
	if who.Workspace != "" && o.workspace != who.Workspace {
		return false
	}
	key, value, _ := strings.Cut(who.Label, "=")
	return who.Label == "" || o.at.is.Labels[key] == value && value != ""
}

// load is how much of what a machine may run is taken, in thousandths.
func (at *machine) load() int {
	return (at.is.Running + at.is.Waiting + at.placing) * 1000 / max(1, at.is.Workers)
}

// awayWith is a machine that had a workspace and does not answer; l.mu is held.
func (l *Link) awayWith(who pool.Client) (away *machine) {
	if !l.o.Grants.Of(who.Principal).MayUse(who.Workspace) {
		return nil
	}
	for _, at := range l.machines {
		if !at.lives() && slices.Contains(at.is.Workspaces, who.Workspace) && (away == nil || at.heard.After(away.heard)) {
			away = at
		}
	}
	return away
}

// noPlace is why a client has none.
func noPlace(who pool.Client, all []offer, away *machine) *fault.Error {
	hint := "those that are there: " + listed(all)
	if len(all) == 0 {
		hint = "no machine is connected to this gateway; aidb-mcp worker connects one"
	}
	switch {
	case away != nil:
		return fault.New(fault.WorkerGone, "the workspace %q is on the machine %s, which has not been heard since %s", who.Workspace, away.name, clock(away.heard)).
			WithHint("call again when it is back; %s", hint)
	case who.Workspace != "" && who.Label != "":
		return fault.New(fault.InvalidParam, "no machine with the label %s has a workspace %q; %s", who.Label, who.Workspace, hint)
	case who.Workspace != "":
		return fault.New(fault.InvalidParam, "there is no workspace %q; %s", who.Workspace, hint)
	case who.Label != "":
		return fault.New(fault.InvalidParam, "no machine has the label %s; %s", who.Label, hint)
	}
	return fault.New(fault.WorkerLimit, "there is no machine with a workspace; %s", hint)
}

func clock(at time.Time) string { return at.UTC().Format("15:04:05 MST") }
