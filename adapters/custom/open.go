package custom

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/peer"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/process"
)

const local = "127.0.0.1"

// listenAt decides where the adapter listens: a socket in a directory of our
// own, or a port that is free now. An adapter that chooses its port itself is
// told none.
func (j *job) listenAt() error {
	if j.command == nil {
		return nil
	}
	if j.table.Transport == unix || j.table.needsScratch() {
		dir, err := j.root.Sockets("dap-")
		if err != nil {
			return err
		}
		j.scratch = dir
		j.values["scratch"], j.values["socket"] = dir, filepath.Join(dir, "dap")
	}
	if j.table.Transport == tcp && !j.table.portGroup() {
		port, err := freePort()
		if err != nil {
			return err
		}
		j.port = port
		if j.values["port"] == nil {
			j.values["port"] = j.port
		}
	}
	return nil
}

// needsScratch says that the table wants a directory of its own.
func (d *definition) needsScratch() bool {
	said := strings.Join(d.Command, " ") + string(d.Launch) + string(d.Attach)
	for _, text := range d.Env {
		said += text
	}
	return mentions(said, "scratch")
}

// remote is where the program listens that is not ours.
func (j *job) remote() string {
	return net.JoinHostPort(cmp.Or(j.Host, local), strconv.Itoa(j.Port))
}

// open starts the adapter, or joins the one that is there.
func (j *job) open(ctx context.Context) (*adapters.Peer, error) {
	if j.command == nil {
		p, err := peer.Dial(ctx, "tcp", j.remote())
		if err != nil {
			return nil, fault.New(fault.SessionStart, "nothing that can be joined listens at %s: %w", j.remote(), err).WithField("port").
				WithHint("start the program with its debugger listening there first, and give the host and port that it prints")
		}
		return p, nil
	}
	own := maps.Clone(j.values)
	if j.port != 0 {
		own["port"] = j.port // the adapter's, even where the program has one too
	}
	words := own.command(j.command)
	spec := process.Spec{
		Name: j.Info().Name, Path: words[0], Args: words[1:], Dir: j.dir, Env: j.environment(), Log: j.log,
		Streams: j.table.Transport != stdio,
	}
	if j.scratch != "" {
		spec.Remove, spec.Root = []string{j.scratch}, j.root
	}
	if j.table.Transport == stdio {
		p, err := peer.Start(spec)
		return p, j.notStarted(err)
	}
	child, err := process.Start(spec)
	if err != nil {
		return nil, j.notStarted(err)
	}
	return j.connectWithOutput(ctx, child)
}

func (j *job) notStarted(err error) error {
	if err == nil {
		return nil
	}
	return fault.New(fault.AdapterCrashed, "%s could not be started: %w", j.Info().Name, err).
		WithHint("correct %s.command in the settings file, or install the adapter anew%s", j.table.at, sentence(": ", j.table.Install))
}

// connectWithOutput reads what the adapter prints, waits until the adapter listens and joins it.
func (j *job) connectWithOutput(ctx context.Context, child *process.Child) (*adapters.Peer, error) {
	output := readOutput(child, j.table.ready, j.table.DebuggeeServes)
	conn, err := j.connect(ctx, child, output)
	if err != nil {
		child.Kill()
		output.stop()
		child.End()
		return nil, err
	}
	p := &adapters.Peer{Stream: conn, Kill: child.Kill, Stderr: output.lastWords}
	if j.table.DebuggeeServes {
		p.Program, p.Done = child, child.Done()
	} else {
		p.Done = output.finished(child)
	}
	return p, nil
}

func (j *job) connect(ctx context.Context, child *process.Child, output *adapterOutput) (net.Conn, error) {
	network, address := "unix", fmt.Sprint(j.values["socket"])
	if j.table.Transport == tcp {
		network, address = "tcp", net.JoinHostPort(local, strconv.Itoa(j.port))
	}
	if j.table.ready != nil {
		select {
		case m := <-output.heard:
			if j.table.portGroup() {
				address = net.JoinHostPort(local, m[1])
			}
		case <-child.Done():
			return nil, j.diedEarly(child, output)
		case <-ctx.Done():
			return nil, j.notListening(ctx, output, fmt.Sprintf("printed no line like %q", j.table.Ready))
		}
	}
	// Nothing tells when a socket begins to accept: it is tried, ever more slowly.
	for pause := 2 * time.Millisecond; ; pause = min(2*pause, 50*time.Millisecond) {
		conn, err := new(net.Dialer).DialContext(ctx, network, address)
		if err == nil {
			return conn, nil
		}
		select {
		case <-child.Done():
			return nil, j.diedEarly(child, output)
		case <-ctx.Done():
			return nil, j.notListening(ctx, output, "did not listen at "+address)
		case <-time.After(pause):
		}
	}
}

// diedEarly is the error for an adapter, or a program, that ends before it listens.
func (j *job) diedEarly(child *process.Child, output *adapterOutput) error {
	output.stop()
	status, words := child.Exit(), sentence("; it said: ", output.lastWords())
	if j.table.DebuggeeServes {
		return fault.New(fault.SessionStart, "the program ended with %s before it could be debugged%s", status, words).
			WithHint("mend the program, or correct %s.command in the settings file", j.table.at)
	}
	return fault.New(fault.AdapterCrashed, "%s ended with %s while it started%s", j.Info().Name, status, words).
		WithHint("correct %s in the settings file, or install the adapter anew%s", j.table.at, sentence(": ", j.table.Install))
}

// notListening is the error for an adapter that runs and does not come to listen.
func (j *job) notListening(ctx context.Context, output *adapterOutput, how string) error {
	if !errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
		return context.Cause(ctx)
	}
	return fault.New(fault.AdapterTimeout, "%s runs, but it %s in time%s", j.Info().Name, how, sentence("; it said: ", output.lastWords())).
		WithHint("correct command, transport and ready of %s in the settings file; --adapter-start-timeout gives it longer", j.table.at)
}

// sentence is a text with what joins it to the one before, nothing when it is empty.
func sentence(joint, text string) string {
	if text == "" {
		return ""
	}
	return joint + text
}
