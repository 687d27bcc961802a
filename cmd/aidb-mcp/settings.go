package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
	"github.com/tailscale/hujson"

	"aidb-mcp/internal/project/source"
	"aidb-mcp/internal/system/boundedfile"
	"aidb-mcp/internal/text/pattern"
)

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
	if file != nil {
		a.settingsFrom = name
	}
	return fillFlags(flags, name, file)
}

// fillFlags sets the flags that the command line leaves out: from the
// environment (--log-level is AIDB_LOG_LEVEL), else from the settings file.
func fillFlags(flags *pflag.FlagSet, name string, file map[string]json.RawMessage) error {
	var errs []error
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Changed || !isSetting(f) {
			return
		}
		if value, given := os.LookupEnv(variable(f.Name)); given {
			if err := f.Value.Set(value); err != nil {
				errs = append(errs, fmt.Errorf("%s=%s: %w", variable(f.Name), withoutUser(value), plain(err)))
			}
		} else if raw, ok := file[f.Name]; ok {
			if err := setFrom(f.Value, raw); err != nil {
				errs = append(errs, fmt.Errorf("settings file %s: %q: %s: %w", name, f.Name, withoutUser(string(raw)), plain(err)))
			}
		}
	})
	return errors.Join(errs...)
}

// isSetting says whether a flag can be given by the environment and the settings file.
func isSetting(f *pflag.Flag) bool {
	return f.Name != "config" && f.Name != "help" && f.Name != "version"
}

// setFrom gives a flag what the settings file says: a text, a number, true or
// false; or a list of texts where the flag can be given several times.
func setFrom(v pflag.Value, raw json.RawMessage) error {
	var text string
	if json.Unmarshal(raw, &text) == nil && raw[0] == '"' {
		return v.Set(text)
	}
	if list, several := v.(pflag.SliceValue); several {
		var texts []string
		if err := json.Unmarshal(raw, &texts); err != nil {
			return errors.New("want a list of texts")
		}
		return list.Replace(texts)
	}
	if raw[0] == '[' || raw[0] == '{' || string(raw) == "null" {
		return errors.New("want a text, a number, true or false")
	}
	return v.Set(string(raw))
}

// userPart is who an address is for, with the password.
var userPart = pattern.New(`://[^/\s]*@`)

// withoutUser is a value that may be an address, as it is told where it is wrong.
func withoutUser(value string) string { return userPart.ReplaceAllLiteralString(value, "://…@") }

// plain takes Go's own words out of an error about a value.
func plain(err error) error {
	if number, ok := errors.AsType[*strconv.NumError](err); ok && number.Func == "ParseBool" {
		return errors.New("want true or false")
	}
	return err
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
	known := []string{adapterTables, "$schema"}
	flags.VisitAll(func(f *pflag.Flag) {
		if isSetting(f) {
			known = append(known, f.Name)
		}
	})
	for _, key := range slices.Sorted(maps.Keys(settings)) {
		if !slices.Contains(known, key) {
			return name, nil, fmt.Errorf("settings file %s: there is no setting %q: %s", name, key,
				meant(key, known, "the names are those of the flags (aidb-mcp serve --help)"))
		}
	}
	return name, settings, nil
}

// meant is what a word was perhaps to be, else what is said otherwise.
func meant(word string, known []string, otherwise string) string {
	if like := source.Closest(word, known, 1); len(like) > 0 {
		return "did you mean " + like[0] + "?"
	}
	return otherwise
}

// prefix begins the name of each of our environment variables.
const prefix = "AIDB_"

// variable is the environment variable of a flag.
func variable(flag string) string {
	return prefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// otherVariables are those of our own that are no settings, without the prefix:
// where adapters lie, and what the processes of a server tell each other.
var otherVariables = []string{"CONFIG", "HOME", "SUPERVISOR", "REAL", "TOKEN", "WORKER", "PRINCIPAL", "PEERS"}

// warnOfVariables tells of variables in the environment that look like settings
// and are none. They may be another program's: nothing is refused.
func (a *app) warnOfVariables(flags *pflag.FlagSet) {
	known := slices.Clone(otherVariables)
	flags.VisitAll(func(f *pflag.Flag) { known = append(known, strings.TrimPrefix(variable(f.Name), prefix)) })
	for _, pair := range os.Environ() {
		name, _, _ := strings.Cut(pair, "=")
		word, ours := strings.CutPrefix(name, prefix)
		if !ours || slices.Contains(known, word) {
			continue
		}
		if like := source.Closest(word, known, 1); len(like) > 0 {
			a.log.Warn("there is no setting "+name+" in the environment: did you mean "+prefix+like[0]+"?", "ignored", name)
		}
	}
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
	text, err := boundedfile.ReadText(name)
	if errors.Is(err, fs.ErrNotExist) {
		if !asked {
			return nil, nil
		}
		return nil, fmt.Errorf("there is no settings file %s", name)
	}
	if err != nil {
		return nil, fmt.Errorf("settings file: %w", err)
	}
	tree, err := hujson.Parse(text)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, fmt.Errorf("settings file %s: it ends before its object does", name)
	}
	if err != nil {
		return nil, fmt.Errorf("settings file %s: %s", name, strings.TrimPrefix(err.Error(), "hujson: "))
	}
	if key, first, again := doubled(tree, text); key != "" {
		return nil, fmt.Errorf("settings file %s: %q stands on line %d and again on line %d: leave one out", name, key, first, again)
	}
	tree.Standardize()
	var settings map[string]json.RawMessage
	if err := json.Unmarshal(tree.Pack(), &settings); err != nil || settings == nil {
		return nil, fmt.Errorf("settings file %s: want an object with the names of the flags, such as {\"sessions\": 4}", name)
	}
	for key, raw := range settings {
		settings[key] = bytes.TrimSpace(raw)
	}
	return settings, nil
}

// doubled finds a key that an object has twice, of which JSON's readers take one
// without a word.
func doubled(v hujson.Value, text []byte) (key string, first, again int) {
	line := func(at int) int { return 1 + bytes.Count(text[:at], []byte("\n")) }
	switch v := v.Value.(type) {
	case *hujson.Object:
		seen := map[string]int{}
		for _, m := range v.Members {
			name := m.Name.Value.(hujson.Literal).String()
			if at, there := seen[name]; there {
				return name, line(at), line(m.Name.StartOffset)
			}
			seen[name] = m.Name.StartOffset
			if key, first, again := doubled(m.Value, text); key != "" {
				return key, first, again
			}
		}
	case *hujson.Array:
		for _, e := range v.Elements {
			if key, first, again := doubled(e, text); key != "" {
				return key, first, again
			}
		}
	}
	return "", 0, 0
}
