package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/system/process"
	"aidb-mcp/internal/text/jsonwords"
	"aidb-mcp/session/output"
)

// terminalRequest is what an adapter wants to be run in a terminal. A nil value
// takes a variable out of the environment.
type terminalRequest struct {
	Cwd  string             `json:"cwd"`
	Args []string           `json:"args"`
	Env  map[string]*string `json:"env"`
}

type terminalReply struct {
	ProcessID int `json:"processId"`
}

// runInTerminal starts the program for the adapter, under our own supervision:
// its streams, its exit code and its process tree are ours.
func (l *run) runInTerminal(raw json.RawMessage) (any, error) {
	l.s.manager.mask.LearnJSON(raw)
	var spec terminalRequest
	if err := json.Unmarshal(raw, &spec); err != nil {
		return nil, fmt.Errorf("reading the request: %s", jsonwords.Why(err))
	}
	if len(spec.Args) == 0 || spec.Args[0] == "" {
		return nil, errors.New("there is no program to run")
	}
	child, err := process.Start(process.Spec{
		Name: "the program", Path: spec.Args[0], Args: spec.Args[1:], Dir: spec.Cwd,
		Env: spec.environment(os.Environ()), Streams: true, Log: l.s.log,
		Lingers: l.plan().Capabilities.End.Follows != nil,
	})
	if err != nil {
		return nil, err
	}
	if !l.adoptProgram(child) {
		child.End()
		return nil, errors.New("the session has ended")
	}
	return terminalReply{child.Pid()}, nil
}

// environment is ours with what the adapter wants changed.
func (r terminalRequest) environment(base []string) []string {
	env := make([]string, 0, len(base)+len(r.Env))
	for _, pair := range base {
		name, _, _ := strings.Cut(pair, "=")
		if _, changed := r.Env[name]; !changed {
			env = append(env, pair)
		}
	}
	for name, value := range r.Env {
		if value != nil {
			env = append(env, name+"="+*value)
		}
	}
	return env
}

// adoptProgram takes the first program's streams as the session's; later ones (an
// adapter may ask again) only die with it. False: the run has ended meanwhile.
func (l *run) adoptProgram(child *process.Child) bool {
	s := l.s
	first, ok := l.programs.add(child)
	if !ok {
		return false
	}
	if !first { // beside the program: what it writes is kept, and it has no input
		_ = child.Stdin.Close()
		// They own a stream each, and end with it.
		go s.out.Fill(output.Stdout, child.Stdout)
		go s.out.Fill(output.Stderr, child.Stderr)
		return true
	}
	streams := &adapters.Streams{Stdin: child.Stdin, Stdout: child.Stdout, Stderr: child.Stderr}
	s.out.Attach(child.Stdout, child.Stderr)
	s.feedInput(streams)
	// It owns the exit code of the process, and ends with that.
	l.spawn("following the program", func() { l.awaitProgram(child) })
	return true
}

// awaitProgram gives the exit code where the adapter does not tell it.
func (l *run) awaitProgram(child *process.Child) {
	if l.plan().Capabilities.End.Follows == nil {
		<-child.Done() // and what it has written is read
	}
	status := child.OwnExit()
	signal := ""
	if status.Number != 0 {
		signal = process.SignalText(status.Number)
	}
	l.ending.exitOfProcess(status.Code, signal)
	l.onLauncherExit()
}
