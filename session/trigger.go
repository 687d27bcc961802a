package session

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/netstat"
	"aidb-mcp/internal/system/sleep"
	"aidb-mcp/internal/trigger"
	"aidb-mcp/session/lifecycle"
)

const (
	mostTriggers  = 8                      // of one run that have no answer yet
	triggerLife   = 30 * time.Minute       // after which one is given up: a request may wait long for a program that stands still
	triggerSettle = time.Second            // for the program to stop after its answer, or to end after it broke the connection
	recordSettle  = 150 * time.Millisecond // for what a recorder has noted of an answered request to be there
	lookupLimit   = 3 * time.Second        // for the name of the machine that is attached to
	lastAnswers   = 2 * time.Second        // for triggers to notice that the program has ended
)

// Trigger makes the program do something: sent beside a wait, which ends when it fails.
type Trigger struct {
	request  trigger.Request
	what     string           // in a few words, without secrets
	leads    []netip.AddrPort // where its url led when it was checked: it goes nowhere else
	remote   []netip.Addr     // of the machine that is debugged
	sent     *trigger.Sent
	reported bool // a reply has told what came of it
}

// TriggerOutcome is what came of one.
type TriggerOutcome = trigger.Outcome

// triggers are those of one run that nobody has been told the end of, or of whose answer there
// may come more: they end with the run. The lock is its own.
type triggers struct {
	mu   sync.Mutex // guards the fields below, and told of each in the list
	list []*Trigger
	over bool // no further one is sent
}

// TakesTriggers says that the policy lets a trigger be sent.
func (s *Session) TakesTriggers() bool { return s.manager.policy.Change("", "") == nil }

// NewTrigger checks what is to be sent before anything is: its form, the policy, and whether
// this program can be given it. Errors are *fault.Error.
func (s *Session) NewTrigger(ctx context.Context, r trigger.Request) (*Trigger, error) {
	if err := s.manager.policy.Change("sending a trigger", "trigger"); err != nil {
		return nil, err
	}
	if l := s.currentRun(); l != nil && l.triggers.pending() >= mostTriggers {
		return nil, fault.New(fault.InvalidParam, "%d triggers of this session have no answer yet", mostTriggers).WithField("trigger").
			WithHint("let the program go on, so that it can answer them")
	}
	mask, t := s.manager.mask, &Trigger{request: r, remote: s.remoteAddresses(ctx)}
	var err error
	switch {
	case r.HTTP != nil:
		mask.Learn(r.HTTP.Headers, nil)
		err = s.checkHTTP(ctx, t)
	case r.Stdin != nil:
		err = s.checkInput(*r.Stdin)
	default:
		mask.Learn(nil, r.Command)
		err = s.checkCommand(r.Command)
	}
	t.what = s.triggerText(r)
	return t, err
}

// triggerText is what is sent in a few words, without secrets.
func (s *Session) triggerText(r trigger.Request) string {
	mask := s.manager.mask
	if r.HTTP == nil {
		return mask.Command(r.String())
	}
	h := *r.HTTP
	if at, query, has := strings.Cut(h.URL, "?"); has {
		words := strings.Split(query, "&")
		for i, word := range words {
			if name, value, _ := strings.Cut(word, "="); value != "" {
				words[i] = name + "=" + mask.Variable(name, value)
			}
		}
		h.URL = at + "?" + strings.Join(words, "&")
	}
	return mask.Text(trigger.Request{HTTP: &h}.String())
}

// checkHTTP says why a request is not sent. What may be called is this machine, and what the
// session debugs elsewhere: a server that an agent drives is no way into a network.
func (s *Session) checkHTTP(ctx context.Context, t *Trigger) error {
	h := *t.request.HTTP
	err := h.Check()
	if err == nil {
		t.leads, err = s.urlAddresses(ctx, h)
		for _, at := range t.leads {
			if !s.mayCall(t, at) {
				return fault.New(fault.PolicyDenied, "trigger.http.url leads to %s, which a trigger may not call", at.Addr()).
					WithField("trigger.http.url").WithHint("allowed are the loopback of this machine, the addresses at which the program listens, and the host of remote_attach; any other request is yours to send, while execute(wait) waits")
			}
		}
	}
	if err != nil {
		return fault.New(fault.InvalidParam, "trigger.http: %w", err).WithField("trigger.http").
			WithHint(`for example {"http":{"url":"http://127.0.0.1:8080/orders","method":"POST","body":"{\"id\":7}"}}`)
	}
	return nil
}

// urlAddresses are those to which a url leads. The name of the machine that the session has
// attached to is not looked up again.
func (s *Session) urlAddresses(ctx context.Context, h trigger.HTTP) ([]netip.AddrPort, error) {
	host := s.request.Program.Host
	if s.Mode() != adapters.RemoteAttach || host == "" {
		return h.Addresses(ctx, net.DefaultResolver.LookupNetIP)
	}
	return h.Addresses(ctx, func(ctx context.Context, network, name string) ([]netip.Addr, error) {
		if strings.EqualFold(name, host) {
			if known := s.remoteAddresses(ctx); len(known) > 0 {
				return known, nil
			}
		}
		return net.DefaultResolver.LookupNetIP(ctx, network, name)
	})
}

// mayCall says whether a request may go to an address.
func (s *Session) mayCall(t *Trigger, at netip.AddrPort) bool {
	if at.Addr().IsLoopback() || slices.Contains(t.remote, at.Addr()) {
		return true
	}
	l := s.currentRun()
	if l == nil || l.programPID() == 0 {
		return false
	}
	return slices.ContainsFunc(netstat.Listening(l.programPID()), func(open netstat.Socket) bool { return open.Address == at })
}

// remoteAddresses are those of the machine that the session has attached to.
func (s *Session) remoteAddresses(ctx context.Context) []netip.Addr {
	host := s.request.Program.Host
	if s.Mode() != adapters.RemoteAttach || host == "" {
		return nil
	}
	list, err := s.far.addresses(ctx, host, net.DefaultResolver.LookupNetIP)
	if err != nil {
		s.log.Debug("look up the host of the program", "host", host, "error", err)
	}
	return list
}

// far is the machine that a session has attached to, whose name is looked up once: who answers
// for the name could lead a later trigger to any other machine.
type far struct {
	mu    sync.Mutex // guards known
	known []netip.Addr
}

func (f *far) addresses(ctx context.Context, host string, lookUp trigger.LookUp) ([]netip.Addr, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.known) > 0 {
		return f.known, nil
	}
	ctx, cancel := context.WithTimeout(ctx, lookupLimit)
	defer cancel()
	list, err := lookUp(ctx, "ip", host)
	if err != nil {
		return nil, err
	}
	for i := range list {
		list[i] = list[i].Unmap()
	}
	f.known = list
	return list, nil
}

// checkInput says why the program cannot be given a text.
func (s *Session) checkInput(text string) error {
	in, st := s.input.Load(), s.state()
	switch {
	case in != nil:
		in.mu.Lock()
		defer in.mu.Unlock()
		return addError(in.closed, len(in.queue), len(text))
	case st.Status == Starting || st.Status == Terminated: // it will be looked at again when it runs
		return nil
	}
	return noInputError(s.currentRun().plan(), s.adapter.Info().Name)
}

// checkCommand says why a command is not run.
func (s *Session) checkCommand(words []string) error {
	p, dir := s.manager.policy, s.triggerDir()
	if err := p.Tool("trigger.command", words[0], dir); err != nil {
		return err
	}
	for _, word := range words[1:] {
		if err := p.Text("trigger.command", word, dir); err != nil {
			return err
		}
	}
	return nil
}

// triggerDir is where a command runs: where the program does.
func (s *Session) triggerDir() string {
	if l := s.currentRun(); l != nil && l.plan() != nil && l.plan().Dir != "" {
		return l.plan().Dir
	}
	return s.request.Program.Workspace
}

// send sends it to the program of a run.
func (t *Trigger) send(l *run, patience time.Duration) {
	s := l.s
	env, err := s.manager.environment(s.request.Program)
	if err != nil {
		l.warn(err.Error())
	}
	// It ends with its life, or when the run is released.
	ctx, cancel := context.WithTimeoutCause(context.Background(), triggerLife, fmt.Errorf("it was given up after %s", triggerLife))
	t.sent = trigger.Send(ctx, t.request, trigger.Options{
		What: t.what, Dir: s.triggerDir(), Env: env, Hide: s.manager.mask.Text, Log: s.log, Patience: patience,
		Addresses: t.leads,
		Allowed:   func(at netip.AddrPort) bool { return s.mayCall(t, at) },
		Input:     s.writeAll,
	})
	context.AfterFunc(ctx, cancel)
	if !l.triggers.add(t) {
		t.sent.End(errStopped)
	}
}

// writeAll gives the program a text, and waits until it has taken it.
func (s *Session) writeAll(ctx context.Context, text string) error {
	in := s.input.Load()
	if in == nil {
		return errors.New("the program has no standard input that could be written to")
	}
	if err := in.add(text, false); err != nil {
		return err
	}
	in.awaitDrained(ctx, triggerLife)
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.closed == readerGone {
		return errors.New("the program has closed its standard input")
	}
	return context.Cause(ctx)
}

// add takes one; false: the run is over. Of answers that go on, of which a reply has told, the
// oldest is given up where there are too many.
func (t *triggers) add(one *Trigger) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.over {
		return false
	}
	t.list = append(t.list, one)
	open := 0
	for _, o := range slices.Backward(t.list) {
		if !o.reported || o.sent.IsOver() {
			continue
		}
		if open++; open > mostTriggers {
			o.sent.End(errTooMany)
		}
	}
	return true
}

// errTooMany is why an answer that goes on is not listened to any more.
var errTooMany = errors.New("later triggers have answers that go on as well")

// pending counts those without an answer.
func (t *triggers) pending() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(slices.DeleteFunc(slices.Clone(t.list), func(one *Trigger) bool { return !one.sent.Outcome().Pending }))
}

// take takes those that have come to an end; that of a call is told whatever it has come to.
func (t *triggers) take(own *Trigger) (now *TriggerOutcome, ended []TriggerOutcome) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.list = slices.DeleteFunc(t.list, func(one *Trigger) bool {
		o := one.sent.Outcome()
		switch {
		case one == own:
			now = &o
		case !o.Pending && !one.reported:
			ended = append(ended, o)
		}
		one.reported = one.reported || !o.Pending
		return one.reported && one.sent.IsOver()
	})
	return now, ended
}

// await gives those without an answer the time to notice that the program has ended.
func (t *triggers) await() {
	t.mu.Lock()
	list := slices.Clone(t.list)
	t.mu.Unlock()
	limit := time.NewTimer(lastAnswers)
	defer limit.Stop()
	for _, one := range list {
		select {
		case <-one.sent.Done():
		case <-limit.C:
			return
		}
	}
}

// end gives up those without an answer, and takes no more.
func (t *triggers) end() {
	t.mu.Lock()
	t.over = true
	list := slices.Clone(t.list)
	t.mu.Unlock()
	for _, one := range list {
		one.sent.End(errGivenUp)
	}
}

// errGivenUp is why a trigger has no answer whose session has ended.
var errGivenUp = errors.New("it had no answer when the session ended")

// Outcome is what came of it. One that was never sent has failed.
func (t *Trigger) Outcome() TriggerOutcome {
	if t.sent == nil {
		return TriggerOutcome{Sent: t.what, Err: errUnsent, Unreached: true}
	}
	return t.sent.Outcome()
}

// errUnsent is why a trigger has no answer whose program did not come to run.
var errUnsent = errors.New("it was not sent: the program did not come to run")

// TakeTriggers is what came of the trigger of a call, nil where that has none, and of earlier
// ones of which no reply has told yet.
func (s *Session) TakeTriggers(own *Trigger) (now *TriggerOutcome, earlier []TriggerOutcome) {
	if l := s.currentRun(); l != nil {
		now, earlier = l.triggers.take(own)
	}
	if now == nil && own != nil {
		o := own.Outcome()
		now = &o
	}
	return now, earlier
}

// Provoke sends a trigger to the program, which runs, and is Wait for the stop that this
// leads to. The wait ends too when the trigger has failed, or some time after its answer.
func (s *Session) Provoke(ctx context.Context, t *Trigger, d time.Duration) (State, error) {
	t.send(s.currentRun(), 0)
	return s.waitProvoked(ctx, t, d)
}

// ProvokeAnew is Provoke for a run that has just begun: once it goes on, and as soon as
// somebody listens where the trigger goes.
func (s *Session) ProvokeAnew(ctx context.Context, t *Trigger, d time.Duration) (State, error) {
	deadline := time.Now().Add(d)
	starting, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	err := s.waitFor(starting, func(m *lifecycle.Machine) bool { return s.snapshot(m).Status != Starting })
	if err != nil || s.status() == Terminated { // nothing was sent
		return s.Wait(ctx, time.Until(deadline))
	}
	t.send(s.currentRun(), time.Until(deadline))
	return s.waitProvoked(ctx, t, time.Until(deadline))
}

func (s *Session) waitProvoked(ctx context.Context, t *Trigger, d time.Duration) (State, error) {
	waiting, end := context.WithCancelCause(ctx)
	defer end(nil)
	// It owns nothing, and ends with the wait.
	go func() {
		if t.hasEnough(waiting) {
			end(errProvoked)
		}
	}()
	st, err := s.Wait(waiting, d)
	if errors.Is(err, errProvoked) {
		st, err = s.State(), nil
	}
	if err == nil && st.Status == Terminated {
		s.currentRun().triggers.await()
	}
	return st, err
}

// errProvoked ends a wait; nobody outside sees it.
var errProvoked = errors.New("the trigger has its answer")

// hasEnough says, once that is so, that a wait for what a trigger does is long enough. False:
// the wait is over, or goes on, as nothing answers a text for the standard input.
func (t *Trigger) hasEnough(waiting context.Context) bool {
	select {
	case <-t.sent.Done():
	case <-waiting.Done():
		return false
	}
	switch o := t.sent.Outcome(); {
	case o.Unreached:
		return true
	case t.request.Stdin != nil:
		return false
	}
	return sleep.For(waiting, triggerSettle)
}

// ProvokeRecorded sends a trigger to the program, in which recorders are, and waits for its answer.
func (s *Session) ProvokeRecorded(ctx context.Context, t *Trigger, d time.Duration) error {
	t.send(s.currentRun(), 0)
	limit := time.NewTimer(d)
	defer limit.Stop()
	select {
	case <-t.sent.Done():
		sleep.For(ctx, recordSettle)
	case <-limit.C:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return nil
}
