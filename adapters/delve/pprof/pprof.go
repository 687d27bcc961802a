// Package pprof profiles a program of Go by the address of its net/http/pprof, on whatever
// machine it runs: nothing is attached to it. It knows no session and no debugger.
package pprof

import (
	"context"
	"encoding/json"
	"net"
	"net/url"
	"strconv"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
)

// Field is the option that has the address, as errors name it.
const Field = "adapter_options.pprof"

const example = `{"pprof": "http://127.0.0.1:6060/debug/pprof"}`

// options are the adapter_options of a session with such a program.
type options struct {
	Pprof string `json:"pprof"`
}

// Wanted says that options name such an address. Others are not judged.
func Wanted(raw json.RawMessage) bool {
	var o struct {
		Pprof json.RawMessage `json:"pprof"`
	}
	return len(raw) > 0 && json.Unmarshal(raw, &o) == nil && o.Pprof != nil
}

// Address is the host and port that options name; none where they name no address.
func Address(raw json.RawMessage) (host string, port int, err error) {
	if !Wanted(raw) {
		return "", 0, nil
	}
	at, err := read(raw)
	if err != nil {
		return "", 0, err
	}
	port, _ = strconv.Atoi(at.Port()) // read has looked at it
	return at.Hostname(), port, nil
}

// read reads the address; its port is there.
func read(raw json.RawMessage) (*url.URL, error) {
	var o options
	if err := prepare.Options(raw, &o, "a session by pprof", example); err != nil {
		return nil, err
	}
	refuse := func(format string, args ...any) error {
		return fault.New(fault.InvalidParam, format, args...).WithField(Field).WithHint("for example %s", example)
	}
	at, err := url.Parse(strings.TrimRight(strings.TrimSpace(o.Pprof), "/"))
	switch {
	case err != nil:
		return nil, refuse("the address of pprof is no URL")
	case at.Scheme != "http" && at.Scheme != "https", at.Hostname() == "":
		return nil, refuse("the address of pprof is no URL of http or https with a host")
	case at.RawQuery != "" || at.Fragment != "":
		return nil, refuse("the address of pprof is that of the folder of all profiles, without a query")
	}
	if at.Port() == "" {
		at.Host = net.JoinHostPort(at.Hostname(), map[string]string{"http": "80", "https": "443"}[at.Scheme])
	}
	if port, err := strconv.Atoi(at.Port()); err != nil || port < 1 || port > 65535 {
		return nil, refuse("the address of pprof has no good port")
	}
	return at, nil
}

// Program is one that serves its profiles.
type Program struct {
	at     *url.URL
	rename func(file string) string // a file of the program as it is called here
}

// Open finds the program that a request names. Rename says what a file of it is called here.
func Open(ctx context.Context, r adapters.Request, rename func(string) string) (*Program, error) {
	if r.Mode != "" && r.Mode != adapters.Attach && r.Mode != adapters.RemoteAttach {
		return nil, fault.New(fault.InvalidParam, "pprof goes with mode attach: a program that runs").WithField("mode").WithHint("leave the option out to start a program; profile with target makes a run of its own")
	}
	if r.PID != 0 {
		return nil, fault.New(fault.InvalidParam, "pprof names the program already: pid has no use beside it").WithField("pid").
			WithHint("leave pid out, or the option pprof")
	}
	at, err := read(r.Options)
	if err != nil {
		return nil, err
	}
	p := &Program{at: at, rename: rename}
	// Of the profiles that every handler has this one costs the program nothing.
	_, err = p.profile(ctx, "threadcreate", nil)
	return p, err
}

// String is the address, without a password.
func (p *Program) String() string { return p.at.Redacted() }
