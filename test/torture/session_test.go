//go:build linux

package torture

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"aidb-mcp/internal/testkit"
)

// The limits are generous: they tell what is slow from what is stuck.
const (
	callLimit   = 2 * time.Minute  // for any call to be answered
	settleLimit = 30 * time.Second // for everything to go
	aimLimit    = time.Minute      // for the moment to come
)

// answer is what came of a call.
type answer struct {
	reply testkit.Reply
	err   error
}

// victim is one session under torture.
type victim struct {
	recipe
	*place
	started chan answer // of session_start
	first   *answer     // what came of it, once it has
	stop    chan answer
}

// call makes a call in the background.
func (v *victim) call(tool string, args A) chan answer {
	done := make(chan answer, 1)
	go func() {
		reply, err := ask(v.server, tool, args)
		done <- answer{reply, err}
	}()
	return done
}

// torture begins a session, has it end as the recipe says, and wants every call
// to be answered.
func (v *victim) torture(program *testkit.Program) error {
	v.started = v.call("session_start", v.start(program, v.token))
	if err := v.aim(); err != nil {
		return err
	}
	if v.delay > 0 {
		<-time.After(v.delay)
	}
	v.files() // takes note of the private directories, for when the server is gone
	v.end()
	if err := v.answered(); err != nil {
		return err
	}
	if v.ending.survived() {
		return v.cleanUp()
	}
	return nil
}

// aim waits for the moment. One that has passed, or that never comes because the
// start has failed, is as good as any.
func (v *victim) aim() error {
	switch v.moment {
	case starting:
		v.watch(supervisor)
		return nil
	case building:
		v.watch(compiler)
		return nil
	case anyMoment:
		return nil
	case running:
		if v.ending == byExit {
			return v.wait()
		}
		return v.printed("ready")
	}
	if err := v.wait(); err != nil {
		return err
	}
	if v.first.reply.Status() != "stopped_at_breakpoint" {
		return fmt.Errorf("it did not stop:\n%s", v.first.reply)
	}
	if v.moment == stopping {
		v.stop = v.call("session", A{"action": "stop", "session_id": v.token})
	}
	return nil
}

// wait waits for the answer to session_start.
func (v *victim) wait() error {
	if v.first == nil {
		a := <-v.started
		v.first = &a
	}
	if v.first.err == nil && v.first.reply.IsError {
		return fmt.Errorf("the start failed:\n%s", v.first.reply)
	}
	return v.first.err
}

// watch waits for a process of a role to appear, or for the start to end.
func (v *victim) watch(wanted role) {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for v.first == nil && len(v.players(wanted)) == 0 {
		select {
		case <-tick.C:
		case a := <-v.started:
			v.first = &a
		}
	}
}

// printed waits until the program has printed a text.
func (v *victim) printed(text string) error {
	if err := v.wait(); err != nil {
		return err
	}
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	late := time.After(aimLimit)
	for {
		a := <-v.call("inspect", A{"target": "output", "session_id": v.token})
		switch {
		case a.err != nil:
			return a.err
		case strings.Contains(a.reply.At("data", "stdout"), text):
			return nil
		case a.reply.Status() == "terminated":
			return fmt.Errorf("it ended before it printed %q:\n%s", text, a.reply)
		}
		select {
		case <-tick.C:
		case <-late:
			status := <-v.call("session", A{"session_id": v.token})
			return fmt.Errorf("it did not print %q:\n%s\n%s\n%v", text, a.reply, status.reply, v.processes())
		}
	}
}

// end does what the ending says.
func (v *victim) end() {
	switch v.ending {
	case byStop:
		if v.stop == nil {
			v.stop = v.call("session", A{"action": "stop", "session_id": v.token})
		}
	case byInput:
		v.server.CloseInput()
	case byTerm:
		v.server.Signal(syscall.SIGTERM)
	case byKill:
		v.server.Kill()
	case bySupervisor:
		v.kill(v.one(supervisor))
	case byAdapter:
		v.kill(v.one(adapter))
	case byProgram:
		v.kill(v.one(program))
	case byBuild:
		v.kill(v.one(compiler))
	case byKeeper:
		v.kill(v.keepers())
		v.server.CloseInput()
	case byBoth:
		v.kill(v.players(supervisor))
		v.server.Kill()
	case byAll:
		v.kill(append(v.keepers(), v.players(supervisor)...))
		v.server.Kill()
	}
}

// one is one of the processes of a role, once there is one; none if the start
// ends without.
func (v *victim) one(wanted role) []testkit.Proc {
	v.watch(wanted)
	list := v.players(wanted)
	if len(list) == 0 {
		return nil
	}
	i := int(v.pick) % len(list)
	return list[i : i+1]
}

func (v *victim) keepers() []testkit.Proc {
	return slices.DeleteFunc(testkit.Marked(v.server.Mark), func(p testkit.Proc) bool { return !p.Keeper() })
}

func (v *victim) kill(list []testkit.Proc) {
	for _, p := range list {
		_ = syscall.Kill(p.PID, syscall.SIGKILL)
	}
}

// answered wants the calls under way to be answered, truly if the server lives on.
func (v *victim) answered() error {
	if !v.ending.survived() {
		select {
		case <-v.server.Exited():
		case <-time.After(settleLimit):
			return errors.New("the server still runs")
		}
	}
	if v.first == nil {
		a := <-v.started
		v.first = &a
	}
	answers := []answer{*v.first}
	if v.stop != nil {
		answers = append(answers, <-v.stop)
	}
	for _, a := range answers {
		switch {
		case errors.Is(a.err, context.DeadlineExceeded), errors.Is(a.err, os.ErrDeadlineExceeded):
			return fmt.Errorf("%s was not answered in %v", a.reply.Call, callLimit)
		case a.err != nil && v.ending.survived():
			return fmt.Errorf("%s: %w", a.reply.Call, a.err)
		case a.reply.At("error", "code") == "AIDB_INTERNAL_ERROR":
			return fmt.Errorf("a bug of ours:\n%s", a.reply)
		}
	}
	return nil
}

// cleanUp ends what the ending has left of the session: it must still answer.
func (v *victim) cleanUp() error {
	for _, args := range []A{{"action": "status", "session_id": v.token}, {"action": "stop", "session_id": v.token}} {
		a := <-v.call("session", args)
		switch {
		case a.err != nil:
			return fmt.Errorf("after the end: %s: %w", a.reply.Call, a.err)
		case a.reply.IsError && a.reply.At("error", "code") != "AIDB_SESSION_NOT_FOUND":
			return fmt.Errorf("after the end:\n%s", a.reply)
		}
	}
	return nil
}
