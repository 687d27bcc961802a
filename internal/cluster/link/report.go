package link

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"aidb-mcp/internal/serving/pool"
)

// Report is what the machines have told, and what this gateway's own clients do, the same for
// all operators.
func (l *Link) Report(string) pool.Report {
	report := pool.Report{Workers: []pool.WorkerReport{}, Waiting: []pool.WaitingReport{}}
	l.mu.Lock()
	for _, at := range l.machines {
		is := at.is
		report.Machines = append(report.Machines, pool.MachineReport{
			Name: at.name, IsThere: at.lives(), Heard: at.heard, Version: is.Version, Workspaces: is.Workspaces,
			Workers: is.Workers, Running: is.Running, Waiting: is.Waiting, Calls: is.Calls, Sessions: is.Sessions,
		})
		if at.lives() {
			for _, w := range is.Queue {
				report.Waiting = append(report.Waiting, pool.WaitingReport{Machine: at.name, Principal: w.Principal, Since: at.heard.Add(-time.Duration(w.Millis) * time.Millisecond)})
			}
		}
	}
	seats := slices.Collect(maps.Keys(l.seats))
	l.mu.Unlock()
	for _, s := range seats {
		s.mu.Lock()
		if s.at != nil && !s.visits {
			w := pool.WorkerReport{Machine: s.at.name, Principal: s.who.Principal, Stirred: s.used, Calls: []pool.CallReport{}, Sessions: pool.Sessions(s.sessions)}
			for _, c := range s.calls {
				w.Calls = append(w.Calls, c.request.Report())
			}
			report.Workers = append(report.Workers, w)
		}
		if !s.awaits.IsZero() {
			report.Waiting = append(report.Waiting, pool.WaitingReport{Principal: s.who.Principal, Since: s.awaits})
		}
		s.mu.Unlock()
	}
	inOrder(report)
	return report
}

// Report is that of all tenants for an operator who is of none, and for another that of its own:
// tenants know nothing of each other.
func (t *Tenants) Report(operator string) pool.Report {
	report := pool.Report{Workers: []pool.WorkerReport{}, Waiting: []pool.WaitingReport{}}
	own := t.o.Grants.Of(operator).Tenant
	for tenant, l := range t.all() {
		if own != "" && tenant != own {
			continue
		}
		one := l.Report(operator)
		for i := range one.Machines {
			one.Machines[i].Tenant = tenant
		}
		report.Machines = append(report.Machines, one.Machines...)
		report.Workers = append(report.Workers, one.Workers...)
		report.Waiting = append(report.Waiting, one.Waiting...)
	}
	inOrder(report)
	return report
}

func inOrder(report pool.Report) {
	slices.SortFunc(report.Machines, func(a, b pool.MachineReport) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Tenant, b.Tenant))
	})
	slices.SortFunc(report.Workers, func(a, b pool.WorkerReport) int {
		return cmp.Or(strings.Compare(a.Machine, b.Machine), strings.Compare(a.Principal, b.Principal))
	})
	slices.SortFunc(report.Waiting, func(a, b pool.WaitingReport) int { return a.Since.Compare(b.Since) })
}
