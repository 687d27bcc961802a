package session

import (
	"context"
	"slices"
	"sync"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/dap"
	"aidb-mcp/internal/fault"
)

// SetExceptions chooses what stops the program: uncaught, all, none or the
// adapter's filter names. It returns the filters that are on.
func (pts *points) SetExceptions(ctx context.Context, choice []string) ([]string, error) {
	l, _, err := pts.session.liveConnection()
	if err != nil {
		return nil, err
	}
	before, chosen := pts.exceptions.set(slices.Clone(choice), true)
	restore := func(err error) ([]string, error) {
		pts.exceptions.set(before, chosen)
		return nil, err
	}
	filters, err := l.exceptionFilters()
	if err != nil {
		return restore(err)
	}
	debugged := l.connections.debugged()
	sent := make([]*dap.Pending, len(debugged))
	for i, k := range debugged {
		sent[i] = k.sendFilters(filters)
	}
	if len(sent) > 0 && sent[0] != nil {
		if err := sent[0].Wait(ctx, nil); err != nil {
			if pts.session.status() == Running {
				return restore(pts.session.state().NotStoppedError())
			}
			return restore(pts.session.adapterError(ctx, "setExceptionBreakpoints", err))
		}
	}
	return filters, nil
}

// Exceptions is the choice in force, as it was made.
func (pts *points) Exceptions() []string {
	names, _ := pts.exceptions.get()
	return names
}

// exceptionChoice is what the program is to stop at, as it was asked for.
type exceptionChoice struct {
	mu     sync.Mutex // guards the fields below
	names  []string
	chosen bool // by the user
}

// choose takes the choice of a start, which may be none.
func (c *exceptionChoice) choose(names []string) {
	if len(names) > 0 {
		c.set(names, true)
		return
	}
	c.set([]string{"uncaught"}, false)
}

// set changes the choice, and answers with the one before.
func (c *exceptionChoice) set(names []string, chosen bool) (before []string, wasChosen bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	before, wasChosen = c.names, c.chosen
	c.names, c.chosen = names, chosen
	return before, wasChosen
}

func (c *exceptionChoice) get() (names []string, chosen bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.names), c.chosen
}

// exceptionFilters turns the choice into the adapter's filters. A choice is refused where
// the adapter has none.
func (l *run) exceptionFilters() ([]string, error) {
	choice, chosen := l.s.exceptions.get()
	advertised := l.connections.protocol().ExceptionBreakpointFilters
	if chosen && len(advertised) == 0 && !needsNoFilter(choice, l.plan().Capabilities.Exceptions) {
		return nil, fault.New(fault.NotSupported, "%s cannot be told at which exceptions to stop: it has no filters for them", l.s.adapter.Info().Name).
			WithField("exceptions").WithHint("leave exceptions out; a breakpoint where the exception is made, or handled, stops there")
	}
	return l.plan().Dialect.Filters(choice, advertised)
}

// checkFilters refuses, before a program is attached to, a choice of exceptions that
// none of the adapter's filters meets. An adapter that has told of none yet may
// still do so.
func (k *connection) checkFilters() error {
	offered := len(k.run.connections.protocol().ExceptionBreakpointFilters) > 0
	if !offered || !k.run.plan().Detach || k.broker {
		return nil
	}
	_, err := k.run.exceptionFilters()
	return err
}

// needsNoFilter says that a choice needs no filter.
func needsNoFilter(choice []string, can adapters.Exceptions) bool {
	return !slices.ContainsFunc(choice, func(name string) bool {
		return name != "none" && (name != "uncaught" || !can.StopsUncaught)
	})
}

// sendFilters sends them, unless the adapter knows none.
func (k *connection) sendFilters(filters []string) *dap.Pending {
	if len(k.Capabilities().ExceptionBreakpointFilters) == 0 {
		return nil
	}
	return k.Send("setExceptionBreakpoints", k.filterArguments(filters))
}

// filterArguments adds the dialect's conditions to the filters, where the adapter can
// check them.
func (k *connection) filterArguments(filters []string) setFiltersArguments {
	set := setFiltersArguments{Filters: []string{}}
	able := k.Capabilities().SupportsExceptionFilterOptions
	if conditioned := k.run.plan().Capabilities.Exceptions.Conditioned; conditioned != nil && able {
		set.FilterOptions = conditioned(filters)
	}
	for _, name := range filters {
		named := func(o godap.ExceptionFilterOptions) bool { return o.FilterId == name }
		if !slices.ContainsFunc(set.FilterOptions, named) {
			set.Filters = append(set.Filters, name)
		}
	}
	return set
}
