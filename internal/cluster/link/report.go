package link

import (
	"maps"
	"slices"
	"strings"

	"aidb-mcp/internal/serving/pool"
)

// Report is what the machines have told, and what this gateway's own clients do. Who waits on
// a machine is only counted there.
func (l *Link) Report() pool.Report {
	report := pool.Report{Workers: []pool.WorkerReport{}, Waiting: []pool.WaitingReport{}}
	l.mu.Lock()
	for _, at := range l.machines {
		is := at.is
		report.Machines = append(report.Machines, pool.MachineReport{
			Name: at.name, IsThere: at.lives(), Heard: at.heard, Version: is.Version, Workspaces: is.Workspaces,
			Workers: is.Workers, Running: is.Running, Waiting: is.Waiting, Calls: is.Calls, Sessions: is.Sessions,
		})
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
		s.mu.Unlock()
	}
	slices.SortFunc(report.Machines, func(a, b pool.MachineReport) int { return strings.Compare(a.Name, b.Name) })
	slices.SortFunc(report.Workers, func(a, b pool.WorkerReport) int { return strings.Compare(a.Machine+a.Principal, b.Machine+b.Principal) })
	return report
}
