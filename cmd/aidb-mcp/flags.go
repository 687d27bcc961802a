package main

import (
	"errors"
	"strconv"
	"time"

	"github.com/spf13/pflag"

	"aidb-mcp/tools"
)

// bindFlags declares the flags of all subcommands. Zero limits mean the
// defaults of the engine, which their texts name.
func (a *app) bindFlags(f *pflag.FlagSet) {
	f.String("config", "", "settings `file`: a JSON object with the flags' names, comments allowed (default: aidb-mcp/config.json in the user's configuration directory)")
	f.StringVar(&a.workspace, "workspace", "", "`directory` of the code to debug (default: the working directory)")
	f.StringVar(&a.logLevel, "log-level", "warn", "debug, info, warn or error")
	f.StringVar(&a.logFile, "log-file", "", "write the log to this `file` instead of standard error")
	f.StringVar(&a.traceFile, "trace-dap", "", "write every message to and from the debug adapters to this `file`, one a line")

	f.BoolVar(&a.showSecrets, "show-secrets", false, "show in replies and logs the values of environment variables and arguments that look secret")

	// The names are those that config shows.
	l := &a.settings.Limits
	for _, n := range []struct {
		at        *int
		name, doc string
	}{
		{&l.Sessions, "sessions", "sessions at once (default 16)"},
		{&l.OutputRing, "output-ring", "bytes of program output kept, each stream (default 1048576)"},
		{&l.OutputReply, "output-bytes", "bytes of program output in a reply, each stream (default 2000)"},
		{&l.History, "history", "operations remembered, each session (default 100)"},
		{&l.StackPage, "stack-frames", "frames of a stack in a reply (default 10)"},
		{&l.Locals, "locals", "variables in a reply (default 30)"},
		{&l.ValueBytes, "value-bytes", "longest value in a list (default 200)"},
		{&l.AskedBytes, "asked-bytes", "longest value of an asked expression (default 2000)"},
		{&l.Children, "children", "children of a value in a reply (default 25)"},
	} {
		f.Var((*positive)(n.at), n.name, n.doc)
	}
	f.Var((*replySize)(&a.settings.ReplyBytes), "max-bytes", "size of a reply that asks for no other, 1000 to 40000 (default 8000)")
	f.Var((*wait)(&a.settings.Wait), "wait", "how long a call waits for the program when it gives no timeout_ms, up to 5m (default 20s); shorter than the client's own limit")
	f.Var((*limit)(&l.Request), "request-timeout", "longest wait for an answer of the debug adapter (default 10s)")
	f.Var((*limit)(&l.AdapterStart), "adapter-start-timeout", "longest start of a debug adapter (default 30s)")
	f.Var((*limit)(&l.Build), "build-timeout", "longest build (default 5m0s)")
}

// replySize is a flag with the bounds of max_bytes: in less than the smallest a
// reply can say nothing.
type replySize int

func (r *replySize) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1000 || n > 40_000 {
		return errors.New("want a whole number from 1000 to 40000")
	}
	*r = replySize(n)
	return nil
}

func (r *replySize) String() string { return (*positive)(r).String() }

func (r *replySize) Type() string { return "int" }

// wait is a flag with the bounds of timeout_ms.
type wait time.Duration

func (w *wait) Set(text string) error {
	d, err := time.ParseDuration(text)
	if err != nil || d < time.Millisecond || d > tools.LongestWait {
		return errors.New(`want a time from 1ms to 5m, such as "4s"`)
	}
	*w = wait(d)
	return nil
}

// String is empty for zero, so that the help shows no default of zero.
func (w *wait) String() string {
	if *w == 0 {
		return ""
	}
	return time.Duration(*w).String()
}

func (w *wait) Type() string { return "duration" }

// positive is a flag that is a whole number above zero.
type positive int

func (p *positive) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return errors.New("want a whole number above zero")
	}
	*p = positive(n)
	return nil
}

// String is empty for zero, so that the help shows no default of zero.
func (p *positive) String() string {
	if *p == 0 {
		return ""
	}
	return strconv.Itoa(int(*p))
}

func (p *positive) Type() string { return "int" }

// limit is a flag that is a time above zero.
type limit time.Duration

func (l *limit) Set(text string) error {
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return errors.New(`want a time above zero with its unit, such as "30s" or "5m"`)
	}
	*l = limit(d)
	return nil
}

// String is empty for zero, so that the help shows no default of zero.
func (l *limit) String() string {
	if *l == 0 {
		return ""
	}
	return time.Duration(*l).String()
}

func (l *limit) Type() string { return "duration" }
