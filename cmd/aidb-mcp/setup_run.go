package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"aidb-mcp/internal/commands/register"
	"aidb-mcp/internal/text/secret"
)

// errInterrupted ends a run by a signal.
var errInterrupted = errors.New("interrupted; what was changed before stays (aidb-mcp setup --undo takes it out)")

// setupRun is one run of setup: what it does with each client, and what it says.
type setupRun struct {
	setupFlags
	scope     register.Scope
	registrar *register.Registrar
	server    register.Server
	mask      *secret.Masker
	out       io.Writer
	in        *answers // nil: nobody can be asked
	failed    []string // clients with which something went wrong
}

func (s *setupRun) say(format string, args ...any) { _, _ = fmt.Fprintf(s.out, format+"\n", args...) }

// wrong says what went wrong with a client, and goes on with the next.
func (s *setupRun) wrong(c register.Client, err error) {
	s.say("%s: %s", c.Title, err)
	if !slices.Contains(s.failed, c.Name) {
		s.failed = append(s.failed, c.Name)
	}
}

// result is the error of the whole run.
func (s *setupRun) result() error {
	if len(s.failed) == 0 {
		return nil
	}
	return fmt.Errorf("not done for %s, see above", strings.Join(s.failed, ", "))
}

// found are the clients that are here.
func (s *setupRun) found() []register.Client {
	return slices.DeleteFunc(register.Clients(), func(c register.Client) bool { return s.registrar.Sign(c) == "" })
}

// listAll shows every client. Nobody has asked for more where asked is false.
func (s *setupRun) listAll(asked bool) error {
	here := 0
	for _, c := range register.Clients() {
		sign := s.registrar.Sign(c)
		if sign == "" {
			s.say("%-12s not found", c.Name)
			continue
		}
		here++
		p, err := s.registrar.Plan(c, s.scope, register.Server{}, false)
		state := string(p.State)
		if p.State == register.Moved { // by what, is not asked here
			state = string(register.Present)
		}
		if err != nil {
			state = err.Error()
		}
		s.say("%-12s %s: %s", c.Name, state, strings.TrimSuffix(p.File+" (found by "+sign+")", " (found by "+p.File+")"))
	}
	if !asked {
		s.say("\n%d found. To register this server: aidb-mcp setup --all, or with the names of clients", here)
	}
	return nil
}

func (s *setupRun) registerAll(ctx context.Context, clients []register.Client) error {
	for i, c := range clients {
		if i > 0 {
			s.say("")
		}
		if err := s.register(ctx, c); err != nil {
			if ctx.Err() != nil {
				return errInterrupted
			}
			s.wrong(c, err)
		}
	}
	return s.result()
}

func (s *setupRun) register(ctx context.Context, c register.Client) error {
	p, err := s.registrar.Plan(c, s.scope, s.server, s.replace)
	if err == nil && p.State == register.Foreign && !s.replace {
		s.say("%s: another server has the name aidb in %s:\n  %s", c.Title, p.File, s.masked(p.Existing))
		if s.in == nil {
			return errors.New("not registered: --replace puts this server in its place")
		}
		yes, err := s.in.yes(ctx, s.out, "Put this server in its place?")
		if err != nil {
			return err
		}
		if !yes {
			s.say("%s: left as it is", c.Title)
			return nil
		}
		p, err = s.registrar.Plan(c, s.scope, s.server, true)
		if err != nil {
			return err
		}
	}
	if err != nil {
		return err
	}
	switch p.State {
	case register.Unable:
		return errors.New("has no settings for one project: leave --scope project out")
	case register.Present:
		s.say("%s: registered already, in %s:\n  %s", c.Title, p.File, s.masked(p.Existing))
	default:
		done, err := s.change(ctx, c, p, "Register this server there?", s.yes)
		if err != nil || !done {
			return err
		}
		s.say("%s: registered", c.Title)
		if strings.ContainsAny(s.server.Command, `/\`) && s.scope == register.Project {
			s.say("  note: %s is a path of this machine; with aidb-mcp in PATH the file serves others too", s.server.Command)
		}
	}
	if err := s.widen(ctx, c); err != nil {
		return err
	}
	s.check(ctx, c)
	return nil
}

// change shows a change, asks, and makes it.
func (s *setupRun) change(ctx context.Context, c register.Client, p register.Plan, question string, agreed bool) (done bool, err error) {
	s.say("%s: %s", c.Title, p.File)
	if len(p.Command) > 0 {
		s.say("  by: %s", strings.Join(p.Command, " "))
	}
	s.say("%s", strings.TrimRight(s.masked(withoutHeader(p.Diff)), "\n"))
	switch {
	case s.test:
		return false, nil
	case agreed:
	case s.in == nil:
		return false, errors.New("nothing was changed: without a terminal to ask on, it needs --yes")
	default:
		if agreed, err = s.in.yes(ctx, s.out, question); err != nil || !agreed {
			if err == nil {
				s.say("%s: left as it is", c.Title)
			}
			return false, err
		}
	}
	said, err := s.registrar.Apply(ctx, p)
	if said != "" {
		s.say("  %s", strings.ReplaceAll(said, "\n", "\n  "))
	}
	return err == nil, err
}

// widen has a client ask no more, if that is wanted: a question of its own.
func (s *setupRun) widen(ctx context.Context, c register.Client) error {
	p, is, err := s.registrar.PlanApproval(c, s.scope)
	if err != nil || !is {
		return err
	}
	if !s.approve && s.in == nil {
		s.say("  %s %s; --approve changes that", c.Title, p.Asks)
		return nil
	}
	if !s.approve {
		s.say("%s %s. It can be told not to.", c.Title, p.Asks)
	}
	done, err := s.change(ctx, c, p, "Let it call these tools without asking?", s.approve && s.yes)
	if done {
		s.say("%s: asks no more before it calls these tools", c.Title)
	}
	return err
}

// check shows what the client itself says of the server.
func (s *setupRun) check(ctx context.Context, c register.Client) {
	if s.test {
		return
	}
	said, err := s.registrar.Check(ctx, c)
	if err != nil {
		s.wrong(c, err)
		return
	}
	for line := range strings.Lines(said) {
		s.say("  %s says: %s", c.Title, strings.TrimSpace(line))
	}
	if note := c.After(); note != "" {
		s.say("  %s", note)
	}
}

// undoAll takes out what setup has put in, of the clients that are named if any are.
func (s *setupRun) undoAll(ctx context.Context, clients []register.Client, named bool) error {
	list, err := s.registrar.Undo(func(client string, scope register.Scope) bool {
		return (!s.scoped || scope == s.scope) && (!named || slices.ContainsFunc(clients, func(c register.Client) bool { return c.Name == client }))
	})
	if err != nil {
		return err
	}
	if len(list) == 0 {
		s.say("setup has put nothing in that could be taken out")
		return nil
	}
	for _, n := range list {
		p, err := s.registrar.PlanUndo(n, s.replace)
		if err == nil {
			err = s.takeOut(ctx, n, p)
		}
		if ctx.Err() != nil {
			return errInterrupted
		}
		if err != nil {
			s.wrong(p.Client, err)
		}
	}
	return s.result()
}

func (s *setupRun) takeOut(ctx context.Context, n register.Noted, p register.Plan) (err error) {
	if p.State == register.Absent {
		s.say("%s: gone already from %s", p.Client.Title, p.File)
		if s.test {
			return nil
		}
		return s.registrar.Forget(p)
	}
	if p.State == register.Edited && !s.replace {
		s.say("%s: changed since setup has put it into %s:\n  %s", p.Client.Title, p.File, s.masked(p.Existing))
		if s.in == nil {
			return errors.New("left as it is: --replace takes it out all the same")
		}
		yes, err := s.in.yes(ctx, s.out, "Take it out all the same?")
		if err != nil || !yes {
			return err
		}
		if p, err = s.registrar.PlanUndo(n, true); err != nil {
			return err
		}
	}
	done, err := s.change(ctx, p.Client, p, "Take it out?", s.yes)
	if done {
		s.say("%s: taken out", p.Client.Title)
	}
	return err
}

func (s *setupRun) masked(text string) string { return string(s.mask.JSON([]byte(text))) }

// withoutHeader leaves the names of the files out, which stand above.
func withoutHeader(diff string) string {
	if i := strings.Index(diff, "\n@@"); i >= 0 {
		return diff[i+1:]
	}
	return diff
}

// answers reads what a person types. A signal ends the wait.
type answers struct{ lines chan string }

func newAnswers(in io.Reader) *answers {
	a := &answers{lines: make(chan string)}
	go func() { // ends with the input, or with the program
		defer close(a.lines)
		for r := bufio.NewReader(in); ; {
			line, err := r.ReadString('\n')
			if err != nil {
				return
			}
			a.lines <- line
		}
	}()
	return a
}

// yes asks, and takes anything but a yes for a no.
func (a *answers) yes(ctx context.Context, out io.Writer, question string) (bool, error) {
	if _, err := fmt.Fprintf(out, "%s [y/N] ", question); err != nil {
		return false, fmt.Errorf("asking: %w", err)
	}
	select {
	case line := <-a.lines:
		answer := strings.ToLower(strings.TrimSpace(line))
		return answer == "y" || answer == "yes", nil
	case <-ctx.Done():
		return false, errInterrupted
	}
}
