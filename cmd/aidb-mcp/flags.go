package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"
	"github.com/tailscale/hujson"

	"aidb-mcp/internal/regular"
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
	f.DurationVar(&l.Request, "request-timeout", 0, "longest wait for an answer of the debug adapter (default 10s)")
	f.DurationVar(&l.AdapterStart, "adapter-start-timeout", 0, "longest start of a debug adapter (default 30s)")
	f.DurationVar(&l.Build, "build-timeout", 0, "longest build (default 5m0s)")
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

// adapterTables is the key of the settings file that is no flag's: adapters
// that the user describes.
const adapterTables = "adapters"

// readSettings sets the flags that the command line leaves out, and keeps the
// tables of adapters.
func (a *app) readSettings(flags *pflag.FlagSet) error {
	name, file, err := settingsFile(flags)
	if err != nil {
		return err
	}
	if raw, ok := file[adapterTables]; ok {
		if err := json.Unmarshal(raw, &a.tables); err != nil {
			return fmt.Errorf("settings file %s: %s: want an object with a table for each language", name, adapterTables)
		}
		a.settingsFile = name
	}
	return fillFlags(flags, file)
}

// fillFlags sets the flags that the command line leaves out: from the
// environment (--log-level is AIDB_LOG_LEVEL), else from the settings file.
func fillFlags(flags *pflag.FlagSet, file map[string]json.RawMessage) error {
	var errs []error
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Changed || f.Name == "config" || f.Name == "help" || f.Name == "version" {
			return
		}
		source := variable(f.Name)
		value, given := os.LookupEnv(source)
		if raw, ok := file[f.Name]; ok && !given {
			source, value, given = "settings file", strings.Trim(string(raw), `"`), true
		}
		if !given {
			return
		}
		if err := f.Value.Set(value); err != nil {
			errs = append(errs, fmt.Errorf("%s: --%s %q: %w", source, f.Name, value, err))
		}
	})
	return errors.Join(errs...)
}

// settingsFile reads the file that --config or AIDB_CONFIG names, else the
// user's own if there is one.
func settingsFile(flags *pflag.FlagSet) (name string, settings map[string]json.RawMessage, err error) {
	name, asked := flags.Lookup("config").Value.String(), true
	if name == "" {
		name = os.Getenv(variable("config"))
	}
	if name == "" {
		name, asked = defaultConfig(), false
	}
	settings, err = readConfig(name, asked)
	if err != nil {
		return name, nil, err
	}
	for key := range settings {
		if flags.Lookup(key) == nil && key != "$schema" && key != adapterTables {
			return name, nil, fmt.Errorf("settings file %s: there is no setting %q; the names are those of the flags", name, key)
		}
	}
	return name, settings, nil
}

// variable is the environment variable of a flag.
func variable(flag string) string {
	return "AIDB_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

func defaultConfig() string {
	dir, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "aidb-mcp", "config.json")
}

// readConfig reads a settings file; one that was not asked for may be missing.
func readConfig(name string, asked bool) (map[string]json.RawMessage, error) {
	if name == "" {
		return nil, nil
	}
	text, err := regular.ReadText(name)
	if errors.Is(err, fs.ErrNotExist) && !asked {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("settings file: %w", err)
	}
	text, err = hujson.Standardize(text)
	if err != nil {
		return nil, fmt.Errorf("settings file %s: %w", name, err)
	}
	var settings map[string]json.RawMessage
	if err := json.Unmarshal(text, &settings); err != nil {
		return nil, fmt.Errorf("settings file %s: %w", name, err)
	}
	return settings, nil
}
