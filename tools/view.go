package tools

// ViewScheme is how the URIs begin of views that a client draws results with.
const ViewScheme = "ui://aidb/"

// Views are all views, each once: of a stop, a chain of writes, a table of a run, attempts, a
// profile.
func Views() []string { return []string{"stop", "why", "trace", "attempt", "profile"} }

// View is the view that draws what the tool answers, empty where none does.
func (d *Definition) View() string {
	switch d.Name {
	case "session_start", "execute", "step", "run_until":
		return "stop"
	case "why", "trace", "attempt", "profile":
		return d.Name
	}
	return ""
}
