package jsdebug

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
)

// planRemote is for a program whose inspector listens: node --inspect.
func (a *adapter) planRemote(ctx context.Context, j job) (*adapters.Plan, error) {
	host, port := j.Host, j.Port
	if host == "" || host == "localhost" {
		host = "127.0.0.1"
	}
	if port == 0 {
		port = inspectorPort
	}
	if port < 1 || port > 65535 {
		return nil, fault.New(fault.InvalidParam, "port %d is no port", port).WithField("port").WithHint("node --inspect says which one it listens on")
	}
	address := net.JoinHostPort(host, strconv.Itoa(port))
	if err := askInspector(ctx, address); err != nil {
		return nil, err
	}
	return a.planInspector(ctx, j, host, port, address)
}

// planInspector attaches to an inspector that listens.
func (a *adapter) planInspector(ctx context.Context, j job, host string, port int, target string) (*adapters.Plan, error) {
	l := j.configuration("attach")
	l.Address, l.Port, l.ContinueOnAttach = host, port, true
	l.LocalRoot, l.RemoteRoot = j.options.LocalRoot, j.options.RemoteRoot
	for i, m := range j.PathMappings {
		if i == 0 && l.LocalRoot == "" {
			l.LocalRoot, l.RemoteRoot = prepare.Locate(j.Request, m.Local), m.Remote
		}
	}
	if (l.LocalRoot == "") != (l.RemoteRoot == "") {
		return nil, fault.New(fault.InvalidParam, "a path mapping has one side only").WithField("path_mappings").
			WithHint(`for example {"path_mappings":[{"local":"./src","remote":"/app/src"}]}`)
	}
	if l.LocalRoot != "" && !prepare.IsDir(l.LocalRoot) {
		return nil, fault.New(fault.InvalidParam, "path_mappings: there is no directory %s", prepare.Show(j.Request, l.LocalRoot)).
			WithField("path_mappings").WithHint("local is a directory here, remote where the program has it")
	}
	j.port = port
	l.WebSocket = j.relayAddress(ctx, net.JoinHostPort(host, strconv.Itoa(port)))
	p, err := a.plan(j, l, target, j.projectDir())
	if err != nil {
		return nil, err
	}
	p.Detach = true
	return p, nil
}

// inspectLimit is how long an inspector may take to answer.
const inspectLimit = 3 * time.Second

// askInspector says plainly why nothing can be attached to at an address.
func askInspector(ctx context.Context, address string) error {
	const hint = "start the program with node --inspect=%s file.js, and give the host and port that it prints"
	ctx, cancel := context.WithTimeout(ctx, inspectLimit)
	defer cancel()
	var said struct {
		Protocol string `json:"Protocol-Version"`
	}
	err := lookUp(ctx, address, "/json/version", &said)
	switch dial, call := (*net.OpError)(nil), (*url.Error)(nil); {
	case err == nil && said.Protocol != "":
		return nil
	case errors.As(err, &dial) && dial.Op == "dial":
		return fault.New(fault.SessionStart, "nothing can be reached at %s: %v", address, dial.Err).WithField("port").WithHint(hint, address)
	case ctx.Err() != nil:
		return fault.New(fault.SessionStart, "%s does not answer within %s", address, inspectLimit).WithField("port").WithHint(hint, address)
	case errors.As(err, &call) && call.Op == "parse":
		return fault.New(fault.InvalidParam, "%s is no address: %w", address, err).WithField("host").WithHint(hint, "127.0.0.1:9229")
	case errors.As(err, &call):
		return fault.New(fault.SessionStart, "what listens on %s is no inspector of node: it does not speak its protocol", address).
			WithField("port").WithHint(hint, address)
	}
	return fault.New(fault.SessionStart, "what listens on %s is no inspector of node", address).WithField("port").WithHint(hint, address)
}

// lookUp asks an inspector by HTTP.
func lookUp(ctx context.Context, address, path string, into any) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+path, nil)
	if err != nil {
		return err
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	reply, err := client.Do(request)
	if err != nil {
		return err
	}
	defer reply.Body.Close()
	return json.NewDecoder(reply.Body).Decode(into)
}
