package handlers

import (
	"strconv"
	"time"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/project/source"
	"aidb-mcp/responses"
	"aidb-mcp/session"
)

// key is one setting: a whole number within a range. A setting of the engine
// holds for the sessions that are started after it was changed.
type key struct {
	name     string
	doc      string
	min, max int
	get      func(*Handlers) int
	set      func(*Handlers, int)
}

// keys are all settings, in the order in which they are shown.
var keys = []key{
	{"max_bytes", "size of a reply that asks for no other, bytes", 1000, maxBudget,
		func(h *Handlers) int { return h.Settings.replyBytes() },
		func(h *Handlers, n int) { h.Settings.setReplyBytes(n) }},
	limit("locals", "names in a stop view", 1, 200, func(l *session.Limits) *int { return &l.Locals }),
	limit("value_bytes", "longest value in a list, bytes", 20, 10_000, func(l *session.Limits) *int { return &l.ValueBytes }),
	limit("asked_bytes", "longest value of one asked expression, bytes", 100, maxBudget, func(l *session.Limits) *int { return &l.AskedBytes }),
	limit("children", "children of a value in one page", 1, 200, func(l *session.Limits) *int { return &l.Children }),
	limit("stack_frames", "frames in a stop view", 1, maxStackPage, func(l *session.Limits) *int { return &l.StackPage }),
	limit("output_bytes", "of each stream in a reply", 100, maxBudget, func(l *session.Limits) *int { return &l.OutputReply }),
	limit("output_ring", "of each stream kept, bytes", 10_000, 64<<20, func(l *session.Limits) *int { return &l.OutputRing }),
	limit("history", "operations kept", 10, 10_000, func(l *session.Limits) *int { return &l.History }),
	limit("sessions", "live at once", 1, 100, func(l *session.Limits) *int { return &l.Sessions }),
	seconds("request_timeout", "of one request to the adapter, seconds", 300, func(l *session.Limits) *time.Duration { return &l.Request }),
	seconds("adapter_start_timeout", "seconds", 600, func(l *session.Limits) *time.Duration { return &l.AdapterStart }),
	seconds("build_timeout", "seconds", 3600, func(l *session.Limits) *time.Duration { return &l.Build }),
}

// limit is a number among the engine's limits.
func limit(name, doc string, min, max int, at func(*session.Limits) *int) key {
	return key{name, doc, min, max,
		func(h *Handlers) int { l := h.Sessions.Limits(); return *at(&l) },
		func(h *Handlers, n int) { l := h.Sessions.Limits(); *at(&l) = n; h.Sessions.SetLimits(l) },
	}
}

// seconds is a time limit of the engine.
func seconds(name, doc string, max int, at func(*session.Limits) *time.Duration) key {
	return key{name, doc, 1, max,
		func(h *Handlers) int { l := h.Sessions.Limits(); return int(at(&l).Seconds()) },
		func(h *Handlers, n int) {
			l := h.Sessions.Limits()
			*at(&l) = time.Duration(n) * time.Second
			h.Sessions.SetLimits(l)
		},
	}
}

// Range is what a setting that is a number can be, for the command line: the
// same as for config. An unknown name can be nothing.
func Range(name string) (least, most int) {
	for _, k := range keys {
		if k.name == name {
			return k.min, k.max
		}
	}
	return 0, 0
}

// keyNamed finds a setting; the error names the likest.
func keyNamed(name string) (key, error) {
	names := make([]string, len(keys))
	for i, k := range keys {
		if names[i] = k.name; k.name == name {
			return k, nil
		}
	}
	err := fault.New(fault.ConfigNotFound, "there is no setting %q", name).WithField("key")
	if like := source.Closest(name, names, 1); len(like) > 0 {
		return key{}, err.WithHint("did you mean %q? config(show) lists all", like[0])
	}
	return key{}, err.WithHint("config(show) lists all")
}

// parse reads a value within the key's range.
func (k key) parse(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < k.min || n > k.max {
		return 0, fault.New(fault.ConfigInvalid, "%s cannot be %q", k.name, text).WithField("value").
			WithHint(`%s is a whole number from %d to %d, for example {"action":"set","key":%q,"value":"%d"}`, k.name, k.min, k.max, k.name, k.min)
	}
	return n, nil
}

func (h *Handlers) settings() responses.Object {
	all := make(responses.Object, len(keys))
	for i, k := range keys {
		all[i] = responses.Member{Name: k.name, Value: k.get(h)}
	}
	return all
}
