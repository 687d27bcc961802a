package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"
	"github.com/tailscale/hujson"
)

// bindFlags declares the flags of all subcommands. Zero limits mean the
// defaults of the engine, which their texts name.
func (a *app) bindFlags(f *pflag.FlagSet) {
	f.String("config", "", "settings `file`: a JSON object with the flags' names, comments allowed (default: aidb-mcp/config.json in the user's configuration directory)")
	f.StringVar(&a.workspace, "workspace", "", "`directory` of the code to debug (default: the working directory)")
	f.StringVar(&a.logLevel, "log-level", "warn", "debug, info, warn or error")
	f.StringVar(&a.logFile, "log-file", "", "write the log to this `file` instead of standard error")
	f.StringVar(&a.traceFile, "trace-dap", "", "write every message to and from the debug adapters to this `file`, one a line")

	l := &a.settings.Limits
	f.IntVar(&a.settings.ReplyBytes, "reply-bytes", 0, "size of a reply that names no max_bytes (default 8000)")
	f.IntVar(&l.Sessions, "max-sessions", 0, "sessions at once (default 16)")
	f.IntVar(&l.OutputRing, "output-ring", 0, "bytes of program output kept, each stream (default 1048576)")
	f.IntVar(&l.OutputReply, "output-bytes", 0, "bytes of program output in a reply (default 2000)")
	f.IntVar(&l.History, "history", 0, "operations remembered, each session (default 100)")
	f.IntVar(&l.StackPage, "stack-frames", 0, "frames of a stack in a reply (default 10)")
	f.IntVar(&l.Locals, "locals", 0, "variables in a reply (default 30)")
	f.IntVar(&l.ValueBytes, "value-bytes", 0, "longest value in a list (default 200)")
	f.IntVar(&l.AskedBytes, "asked-bytes", 0, "longest value of an asked expression (default 2000)")
	f.IntVar(&l.Children, "children", 0, "children of a value in a reply (default 25)")
	f.DurationVar(&l.Request, "request-timeout", 0, "longest wait for an answer of the debug adapter (default 10s)")
	f.DurationVar(&l.AdapterStart, "start-timeout", 0, "longest start of a debug adapter (default 30s)")
	f.DurationVar(&l.Build, "build-timeout", 0, "longest build (default 5m0s)")
}

// fillFlags sets the flags that the command line leaves out: from the
// environment (--log-level is AIDB_LOG_LEVEL), else from the settings file.
func fillFlags(flags *pflag.FlagSet) error {
	fromFile := map[string]json.RawMessage{}
	if flag := flags.Lookup("config"); flag != nil {
		name, asked := flag.Value.String(), true
		if name == "" {
			name, asked = os.Getenv(variable("config")), true
		}
		if name == "" {
			name, asked = defaultConfig(), false
		}
		var err error
		if fromFile, err = readConfig(name, asked); err != nil {
			return err
		}
	}
	for name := range fromFile {
		if flags.Lookup(name) == nil && name != "$schema" {
			return fmt.Errorf("settings file: there is no setting %q; the names are those of the flags", name)
		}
	}
	var errs []error
	flags.VisitAll(func(f *pflag.Flag) {
		value, ok := os.LookupEnv(variable(f.Name))
		source := variable(f.Name)
		if raw, inFile := fromFile[f.Name]; !ok && inFile {
			value, ok, source = strings.Trim(string(raw), `"`), true, "settings file"
		}
		if f.Changed || !ok || f.Name == "config" || f.Name == "help" || f.Name == "version" {
			return
		}
		if err := f.Value.Set(value); err != nil {
			errs = append(errs, fmt.Errorf("%s: --%s: %w", source, f.Name, err))
		}
	})
	return errors.Join(errs...)
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
	text, err := os.ReadFile(name)
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
