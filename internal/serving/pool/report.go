package pool

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"aidb-mcp/internal/serving/handle"
)

// Report is what each worker does at this moment, for whoever runs the server. It holds no
// arguments, values or handles: a debug session is called by its name in its worker.
type Report struct {
	Machines []MachineReport `json:"machines,omitempty"` // of a cluster
	Workers  []WorkerReport  `json:"workers"`
	Waiting  []WaitingReport `json:"waiting"` // for a worker
}

// MachineReport is one machine of a cluster, as it has told last.
type MachineReport struct {
	Name       string         `json:"name"`
	Tenant     string         `json:"tenant,omitempty"` // whose it is, empty for nobody's
	IsThere    bool           `json:"is_there"`
	Heard      time.Time      `json:"heard"`
	Version    string         `json:"version"`
	Workspaces []string       `json:"workspaces"`
	Workers    int            `json:"workers"` // at most
	Running    int            `json:"running"`
	Waiting    int            `json:"waiting"`
	Calls      int            `json:"calls"`
	Sessions   map[string]int `json:"sessions,omitempty"` // by language
}

// WorkerReport is one worker; of a worker on another machine it is what the gateway knows of it.
type WorkerReport struct {
	Name      string          `json:"name,omitempty"`
	Machine   string          `json:"machine,omitempty"`
	PID       int             `json:"pid,omitempty"`
	Principal string          `json:"principal"`
	Memory    int64           `json:"memory_bytes,omitempty"` // of it and all that it has started; what they share is counted for each
	Stirred   time.Time       `json:"last_message,omitzero"`
	Calls     []CallReport    `json:"calls"`
	Sessions  []SessionReport `json:"sessions"`
}

// CallReport is a call that is being answered.
type CallReport struct {
	Method string    `json:"method"`
	Tool   string    `json:"tool,omitempty"`
	Since  time.Time `json:"since"`
}

// SessionReport is a debug session.
type SessionReport struct {
	Name     string    `json:"name"`
	Language string    `json:"language"`
	Program  string    `json:"program"`
	State    string    `json:"state"`
	Since    time.Time `json:"since,omitzero"`
}

// WaitingReport is one who waits for a worker.
type WaitingReport struct {
	Machine   string    `json:"machine,omitempty"` // of a cluster, on which; empty: it may be any
	Principal string    `json:"principal"`
	Since     time.Time `json:"since"`
}

// Reporter can tell an operator what each worker does, as far as the operator's tenant has it.
type Reporter interface{ Report(operator string) Report }

// Report is what each worker does at this moment, the same for all operators.
func (p *Pool) Report(string) Report {
	report := Report{Workers: []WorkerReport{}, Waiting: p.places.report()}
	for _, s := range p.allSlots() {
		s.mu.Lock()
		w := s.worker
		s.mu.Unlock()
		if w != nil {
			report.Workers = append(report.Workers, w.report())
		}
	}
	slices.SortFunc(report.Workers, func(a, b WorkerReport) int {
		return cmp.Or(cmp.Compare(len(a.Name), len(b.Name)), strings.Compare(a.Name, b.Name))
	})
	return report
}

func (w *worker) report() WorkerReport {
	memory := w.child.Resident()
	w.mu.Lock()
	defer w.mu.Unlock()
	r := WorkerReport{
		Name: w.name, PID: w.child.Pid(), Principal: w.seat.principal, Memory: memory, Stirred: w.stirred,
		Calls: []CallReport{}, Sessions: Sessions(w.sessions),
	}
	for _, c := range w.calls {
		if !isOurs(c.request.ID()) {
			r.Calls = append(r.Calls, CallReport{c.request.Method(), toolOf(c), c.begun})
		}
	}
	slices.SortFunc(r.Calls, func(a, b CallReport) int { return a.Since.Compare(b.Since) })
	return r
}

// Report is the request as a report has it.
func (b Brief) Report() CallReport {
	return CallReport{b.call.request.Method(), toolOf(b.call), b.call.begun}
}

func toolOf(c *call) string {
	if c.request.Method() == "tools/call" {
		return c.request.Text("params", "name")
	}
	return ""
}

// Sessions is a list of sessions as a report has it.
func Sessions(list []Session) []SessionReport {
	all := []SessionReport{}
	for _, s := range list {
		name := s.ID
		if h, err := handle.Parse(s.ID); err == nil {
			name = h.Name
		}
		all = append(all, SessionReport{name, s.Language, s.Program, s.State, s.Since})
	}
	return all
}

// Waiting is who waits for a worker, in the order of their coming.
func (p *Pool) Waiting() []WaitingReport { return p.places.report() }

func (p *places) report() []WaitingReport {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := []WaitingReport{}
	for _, w := range p.queue {
		all = append(all, WaitingReport{Principal: w.principal, Since: w.since})
	}
	return all
}
