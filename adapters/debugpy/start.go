package debugpy

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/peer"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/system/process"
)

// open runs the adapter on its standard streams, apart from the program's
// environment: its own imports must not meet the program's modules. It has a
// directory of its own, for its scripts and a socket, at which it serves the program's
// other processes.
func (a *adapter) open(j *job, py *python) func(context.Context) (*adapters.Peer, error) {
	return func(context.Context) (*adapters.Peer, error) {
		script, err := j.unpack()
		if err != nil {
			return nil, err
		}
		variables := map[string]string{"PYDEVD_DISABLE_FILE_VALIDATION": "1"}
		if err := j.addInjector(variables); err != nil {
			return nil, err
		}
		remove := []string{j.scratch}
		if e := j.elsewhere; e != nil {
			if err := e.carry(a.Store.Dir(component)); err != nil {
				return nil, err
			}
			e.addTo(variables, j.PID)
			remove = append(remove, e.ours())
		}
		return peer.Start(process.Spec{
			Name:   "debugpy",
			Path:   py.Executable,
			Args:   []string{"-I", "-S", script, a.Store.Dir(component), j.socket()},
			Env:    prepare.Overlay(os.Environ(), variables),
			Remove: remove, Root: a.Root,
			Release: j.release(),
			Log:     j.log,
		})
	}
}

// injectLimit is how long a debugger may take to be put into a program, at worst.
const injectLimit = 10 * time.Second

// release is what the adapter owes to a program that was there before it: gdb, which
// puts debugpy into it, holds it for a moment in the middle of a call, and must end that
// when we are gone, and not begin it then. The adapter itself may end at once.
func (j *job) release() *process.Release {
	if j.PID == 0 || runtime.GOOS == "windows" {
		return nil
	}
	return &process.Release{PID: j.PID, Signal: syscall.SIGTERM, Limit: injectLimit, Traces: true}
}

// socket is where the adapter takes connections for the program's other processes.
func (j *job) socket() string { return filepath.Join(j.scratch, "dap") }

// joinChild connects another process of the program, which waits until somebody
// comes: at the socket where there is one, else at the port that the adapter names.
func (j *job) joinChild(ctx context.Context, request string, configuration json.RawMessage) (*adapters.Child, error) {
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
	network, address := "tcp", net.JoinHostPort(c.Connect.Host, strconv.Itoa(c.Connect.Port))
	switch {
	case c.Connect.Port != 0:
	case j.scratch != "":
		network, address = "unix", j.socket()
	default:
		return nil, errors.New("the adapter did not say where its child session is served")
	}
	p, err := peer.Dial(ctx, network, address)
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
