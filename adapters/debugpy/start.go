package debugpy

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"
	"strconv"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/peer"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/process"
)

// open runs the adapter on its standard streams, apart from the program's
// environment: its own imports must not meet the program's modules.
func (a *adapter) open(j *job, py *python) func(context.Context) (*adapters.Peer, error) {
	return func(context.Context) (*adapters.Peer, error) {
		return peer.Start(process.Spec{
			Name: "debugpy",
			Path: py.Executable,
			Args: []string{"-I", "-S", "-c", adapterScript, a.Store.Dir(component), testsScript, valuesScript, breakingScript, loadingScript, raisingScript},
			Env:  prepare.Overlay(os.Environ(), map[string]string{"PYDEVD_DISABLE_FILE_VALIDATION": "1"}),
			Log:  j.log,
		})
	}
}

// joinChild connects another process of the program: the adapter serves it on a
// port of its own, and it waits there until somebody comes.
func joinChild(ctx context.Context, request string, configuration json.RawMessage) (*adapters.Child, error) {
	var c struct {
		Name    string `json:"name"`
		Connect struct {
			Host string `json:"host"`
			Port int    `json:"port"`
		} `json:"connect"`
		Process int `json:"subProcessId"`
	}
	if err := json.Unmarshal(configuration, &c); err != nil {
		return nil, err
	}
	if c.Connect.Port == 0 {
		return nil, errors.New("the adapter did not say where its child session is served")
	}
	p, err := peer.Dial(ctx, "tcp", net.JoinHostPort(c.Connect.Host, strconv.Itoa(c.Connect.Port)))
	if err != nil {
		return nil, err
	}
	if request == "" {
		request = "attach"
	}
	return &adapters.Child{
		Peer: p, Name: "process " + strconv.Itoa(c.Process), Request: request, Arguments: configuration,
	}, nil
}
