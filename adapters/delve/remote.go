package delve

import (
	"cmp"
	"context"
	"net"
	"strconv"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/delve/wire"
	"aidb-mcp/adapters/peer"
	"aidb-mcp/internal/fault"
)

// remoteArguments are Delve's own for joining a debugger that runs elsewhere.
type remoteArguments struct {
	Mode        string `json:"mode"`
	StopOnEntry bool   `json:"stopOnEntry,omitempty"`
	wire.Options
}

// planRemote is for a headless Delve: dlv … --headless --accept-multiclient
// --listen=host:port. Its process holds the debugger, so what goes beyond DAP
// is not to be had.
func (a *adapter) planRemote(j job) (*adapters.Plan, error) {
	if j.Port <= 0 || j.Port > 65535 {
		return nil, fault.New(fault.MissingParam, "port is missing: where does the headless Delve listen?").WithField("port").
			WithHint(`for example {"mode":"remote_attach","host":"127.0.0.1","port":4040} for dlv exec ./app --headless --accept-multiclient --listen=:4040`)
	}
	address := net.JoinHostPort(cmp.Or(j.Host, "127.0.0.1"), strconv.Itoa(j.Port))
	d := &headless{dialect{entry: "main.main"}}
	return &adapters.Plan{
		Mode:   j.Mode,
		Target: address,
		Open: func(ctx context.Context) (*adapters.Peer, error) {
			if line := j.Debuggee.Line.Take(); line != nil { // a Delve for one client has no other; it can be initialized again
				return peer.On(line), nil
			}
			return dial(ctx, address)
		},
		Request:   "attach",
		Arguments: remoteArguments{Mode: "remote", StopOnEntry: j.StopOnEntry, Options: hideSystem(j.options)},
		Detach:    true,
		Modules:   []string{j.Workspace},
		Dialect:   d, Capabilities: d.Capabilities(),
		Close: func() {},
	}, nil
}

// headless is the dialect of a Delve whose program may not have begun yet.
type headless struct{ dialect }

// Stopped leaves to ReadStop what an entry is.
func (d *headless) Stopped(body godap.StoppedEventBody) adapters.Stop {
	stop := d.dialect.Stopped(body)
	stop.Ask = stop.Reason == "entry"
	return stop
}

// ReadStop tells a program that runs, and was paused to join it, from one that has just
// been loaded: that goes on to its main function, for it has no goroutine yet, and
// nothing can be seen in it. Delve then shows one thread of its own making.
func (*headless) ReadStop(ctx context.Context, c adapters.Caller, stop adapters.Stop) adapters.Stop {
	if stop.Reason != "entry" {
		return stop
	}
	var body godap.ThreadsResponseBody
	if err := c.Call(ctx, "threads", nil, &body); err == nil && len(body.Threads) == 1 && body.Threads[0].Name == "Dummy" {
		stop.Resume = true
		return stop
	}
	stop.Reason = "pause"
	return stop
}

func dial(ctx context.Context, address string) (*adapters.Peer, error) {
	p, err := peer.Dial(ctx, "tcp", address)
	if err != nil {
		return nil, fault.New(fault.SessionStart, "no debugger answers at %s: %w", address, err).
			WithHint("start one there: dlv exec ./app --headless --accept-multiclient --listen=%s", address)
	}
	return p, nil
}

// hideSystem leaves the runtime's own goroutines out unless they were asked for.
func hideSystem(o wire.Options) wire.Options {
	if o.HideSystemGoroutines == nil {
		hide := true
		o.HideSystemGoroutines = &hide
	}
	return o
}
