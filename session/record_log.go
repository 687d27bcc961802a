package session

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/recording"
	"aidb-mcp/internal/system/process"
	"aidb-mcp/internal/text/pattern"
	"aidb-mcp/session/breakpoints"
	"aidb-mcp/session/output"
)

// stopLimit bounds how long a session of a trace is waited for at its end.
const stopLimit = 10 * time.Second

// checkLoggable says why a spec cannot be had from log messages, where a language has no
// recorder; nil when it can.
func checkLoggable(language string, r StartRequest, w recording.Spec) error {
	because := func(why string) *fault.Error {
		return fault.New(fault.NotSupported, "there is no recorder for %s: %s", language, why)
	}
	switch {
	case r.Program.Attaches() || r.Program.Mode == adapters.Attach || r.Program.Mode == adapters.RemoteAttach:
		return because("only a program that is started can be run again").WithField("target").
			WithHint("in the session itself breakpoint with log_message logs values at each hit without stopping")
	case r.Program.Mode == adapters.Core || r.Program.CoreFile != "":
		return because("a core dump cannot be run again").WithField("core_file").
			WithHint("inspect shows what it holds; give the program as target to trace a run of its own")
	case len(w.Values) != 1 || w.Writes != nil:
		return because("only the values of expressions at a line can be traced").WithField("what").
			WithHint(`trace(what: "values") at the lines in question shows when the value changes; breakpoint with a condition stops there`)
	}
	return nil
}

// recordByLog runs the program once in a debug session of its own, which nobody else
// sees, with a breakpoint that logs the values.
func (m *Manager) recordByLog(ctx context.Context, adapter adapters.Adapter, r StartRequest, w recording.Spec, over time.Time) (*Recording, error) {
	if err := checkLoggable(adapter.Info().Language, r, w); err != nil {
		return nil, err
	}
	v := w.Values[0]
	r.Break = []BreakpointSpec{{File: v.File, Line: v.Line, Condition: v.Condition, LogMessage: logMessage(v)}}
	r.Exceptions, r.Show, r.Program.StdinOpen, r.Program.StopOnEntry = []string{"none"}, nil, false, false
	s := newSession(m, adapter, r)
	if err := s.addStartBreakpoints(r); err != nil {
		return nil, err
	}
	begun := time.Now()
	l := s.newRun(true)
	l.begin()
	defer func() {
		stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopLimit)
		defer cancel()
		_, _ = s.Stop(stopping, true) // it has ended as a rule
	}()
	st, err := s.Wait(ctx, time.Until(over))
	if err != nil {
		return nil, err
	}
	rec := &Recording{
		Target: s.Target(), Lasted: time.Since(begun), Exit: exitOf(st),
		How:    "by log messages in a debug session of its own, for " + s.Language() + " has no recorder: the program stood still at each hit, and the last " + strconv.Itoa(m.Limits().OutputRing>>10) + " KiB of rows are kept",
		Stdout: s.out.Take(output.Stdout, m.Limits().OutputReply), Stderr: s.out.Take(output.Stderr, m.Limits().OutputReply),
	}
	if st.Status.Stopped() {
		rec.Warnings = append(rec.Warnings, "it stood still for another reason, and was ended there: "+st.Reason)
	}
	rec.Log = parseLog(s, v)
	for _, b := range s.Breakpoints() {
		if !b.Verified && len(rec.Log.Events) == 0 && b.Message != "" {
			return nil, fault.New(fault.InvalidLocation, "nothing can be logged at %s:%d: %s", s.Rel(v.File), v.Line, b.Message).WithField("location").
				WithHint("give a line with a statement")
		}
	}
	return rec, nil
}

// exitOf is how the program has ended; nil while it has not.
func exitOf(st State) *process.ExitStatus {
	if st.Status != Terminated {
		return nil
	}
	status := &process.ExitStatus{Signal: st.Signal}
	if st.ExitCode != nil {
		status.Code = *st.ExitCode
	}
	return status
}

// logMessage is a log message that holds each expression between signs of ours.
func logMessage(v recording.Values) string {
	var b strings.Builder
	for i, text := range v.Expressions {
		e := breakpoints.Expression{Text: text}
		if i < len(v.Frames) {
			e.Frame = v.Frames[i]
		}
		fmt.Fprintf(&b, "[|{%s}|]", e)
	}
	return b.String()
}

// repeated is how the log tells how often a line came.
var repeated = pattern.New(`^(?s)(.*\|\]) \((\d+) times\)$`)

// parseLog reads the hits out of the log, in order.
func parseLog(s *Session, v recording.Values) recording.Log {
	all := s.out.Read(output.Log, output.Page{Count: s.limits.OutputRing})
	var log recording.Log
	at := fmt.Sprintf("%s:%d", v.File, v.Line)
	row := ""
	for _, line := range all.Lines {
		if strings.HasPrefix(line, "[|") {
			row = line
		} else if row != "" {
			row += "\n" + line // of a value of several lines
		}
		times, text := 1, row
		if m := repeated.FindStringSubmatch(row); m != nil {
			text = m[1]
			times, _ = strconv.Atoi(m[2])
		}
		values := strings.Split(strings.TrimSuffix(strings.TrimPrefix(text, "[|"), "|]"), "|][|")
		if !strings.HasSuffix(text, "|]") || len(values) != len(v.Expressions) {
			continue
		}
		e := recording.Event{Kind: recording.Hit, At: at}
		for _, value := range values {
			e.Values = append(e.Values, recording.Value{Text: value})
		}
		for range times {
			log.Total++
			e.Seq = log.Total
			log.Events = append(log.Events, e)
		}
		row = ""
	}
	for _, b := range s.Breakpoints() {
		if lost := int64(b.Hits) - log.Total; lost > 0 && all.Lost > 0 {
			log.Dropped = lost
			log.Total += lost
		}
	}
	for i := range log.Events { // the oldest are those that were not kept
		log.Events[i].Seq += log.Dropped
	}
	return log
}
