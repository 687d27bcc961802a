package main

import (
	"errors"
	"fmt"
	"log/slog"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"aidb-mcp/handlers"
	"aidb-mcp/internal/store"
	"aidb-mcp/responses"
	"aidb-mcp/tools"
)

// bindFlags declares the flags of all subcommands. Zero limits mean the
// defaults of the engine, which their texts name.
func (a *app) bindFlags(f *pflag.FlagSet) {
	f.String("config", "", "settings `file`: a JSON object with the flags' names, comments allowed (default: aidb-mcp/config.json in the user's configuration directory)")
	f.StringVar(&a.workspace, "workspace", "", "`directory` of the code to debug (default: the working directory)")
	a.logLevel = slog.LevelWarn
	f.Var((*level)(&a.logLevel), "log-level", "debug, info, warn or error")
	f.StringVar(&a.logFile, "log-file", "", "write the log to this `file` instead of standard error")
	f.StringVar(&a.traceFile, "trace-dap", "", "write every message to and from the debug adapters to this `file`, one a line")

	f.Var(&a.allowed, "allow-root", "use only what lies below this `directory`: programs, sources, written files; may be given several times")
	f.BoolVar(&a.policy.ReadOnly, "read-only", false, "look at and attach to programs only: start, change and end nothing, evaluate nothing that calls or assigns")
	f.BoolVar(&a.policy.NoAttach, "no-attach", false, "attach to no program")
	f.BoolVar(&a.copies, "copies", false, "try changes in copies of the workspace, also where it could be overlaid")
	f.BoolVar(&a.showSecrets, "show-secrets", false, "show in replies and logs the values of environment variables and arguments that look secret")
	f.Var((*place)(&a.store), "store", "keep the account of calls, and what attempts were made, in this `file`, or in the PostgreSQL database postgres://USER@HOST/DATABASE (default: store/aidb.db in the directory of adapters path)")
	f.BoolVar(&a.noStore, "no-store", false, "keep no account of calls, and attempts only as long as the server runs")

	f.Var((*replies)(&a.settings.Replies), "replies", "how replies are sent: text (readable), json (as text and as structured content) or both (the text, and JSON as structured content)")

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
		{&a.settings.ReplyBytes, "max-bytes", "size of a reply that asks for no other, 1000 to 40000 (default 8000)"},
	} {
		least, most := handlers.Range(strings.ReplaceAll(n.name, "-", "_"))
		f.Var(number{n.at, least, most}, n.name, n.doc)
	}
	f.Var(wait(&a.settings.Wait), "wait", "how long a call waits for the program when it gives no timeout_ms, up to 5m (default 20s); shorter than the client's own limit")
	f.Var(limit(&l.Request), "request-timeout", "longest wait for an answer of the debug adapter (default 10s)")
	f.Var(limit(&l.AdapterStart), "adapter-start-timeout", "longest start of a debug adapter (default 30s)")
	f.Var(limit(&l.Build), "build-timeout", "longest build (default 5m0s)")
}

// folders is a flag that may be given several times. An environment variable
// holds them as PATH holds its own, the settings file as a list.
type folders []string

var _ pflag.SliceValue = (*folders)(nil)

func (f *folders) Set(text string) error { return f.add(filepath.SplitList(text)) }

// Append adds a directory as it stands.
func (f *folders) Append(dir string) error { return f.add([]string{dir}) }

// Replace takes the directories of a list.
func (f *folders) Replace(list []string) error {
	*f = nil
	return f.add(list)
}

// GetSlice is the list.
func (f *folders) GetSlice() []string { return *f }

func (f *folders) add(list []string) error {
	if len(list) == 0 || slices.Contains(list, "") { // would allow more than is meant
		return errors.New("want a directory, or a list of them")
	}
	*f = append(*f, list...)
	return nil
}

func (f *folders) String() string { return strings.Join(*f, string(filepath.ListSeparator)) }

func (f *folders) Type() string { return "directory" }

// number is a flag that is a whole number, within the range that config has for it.
type number struct {
	at          *int
	least, most int
}

func (n number) Set(text string) error {
	i, err := strconv.Atoi(text)
	if err != nil || i < n.least || i > n.most {
		return fmt.Errorf("want a whole number from %d to %d", n.least, n.most)
	}
	*n.at = i
	return nil
}

// String is empty for zero, so that the help shows no default of zero.
func (n number) String() string {
	if n.at == nil || *n.at == 0 {
		return ""
	}
	return strconv.Itoa(*n.at)
}

func (n number) Type() string { return "int" }

// duration is a flag that is a time, within a range.
type duration struct {
	at          *time.Duration
	least, most time.Duration
	want        string
}

// wait is one with the bounds of timeout_ms, limit one above zero.
func wait(at *time.Duration) *duration {
	return &duration{at, time.Millisecond, tools.LongestWait, `want a time from 1ms to 5m, such as "4s"`}
}

func limit(at *time.Duration) *duration {
	return &duration{at, 1, math.MaxInt64, `want a time above zero with its unit, such as "30s" or "5m"`}
}

func (d *duration) Set(text string) error {
	t, err := time.ParseDuration(text)
	if err != nil || t < d.least || t > d.most {
		return errors.New(d.want)
	}
	*d.at = t
	return nil
}

// String is empty for zero, so that the help shows no default of zero.
func (d *duration) String() string {
	if d.at == nil || *d.at == 0 {
		return ""
	}
	return d.at.String()
}

func (d *duration) Type() string { return "duration" }

// place is a flag that is where the account is kept.
type place string

func (p *place) Set(text string) (err error) {
	where, err := store.Place(text)
	if err == nil {
		*p = place(where)
	}
	return err
}

// String has no password: it is for help.
func (p *place) String() string { return store.Shown(string(*p)) }

func (p *place) Type() string { return "place" }

// replies is a flag that is the form of replies.
type replies responses.Form

func (r *replies) Set(text string) error {
	form, err := responses.FormNamed(text)
	*r = replies(form)
	return err
}

func (r *replies) String() string { return responses.Form(*r).String() }

func (r *replies) Type() string { return "form" }

// level is a flag that is the least severity of what is logged.
type level slog.Level

func (l *level) Set(text string) error {
	if err := (*slog.Level)(l).UnmarshalText([]byte(text)); err != nil {
		return errors.New("want debug, info, warn or error")
	}
	return nil
}

func (l *level) String() string { return strings.ToLower(slog.Level(*l).String()) }

func (l *level) Type() string { return "level" }
