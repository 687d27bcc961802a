package prepare

import (
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/joho/godotenv"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
)

// Variables are what the request adds to our own environment: the file's, then
// the request's over them.
func Variables(r adapters.Request) (map[string]string, error) {
	set := map[string]string{}
	if r.EnvFile != "" {
		path := Locate(r, r.EnvFile)
		vars, err := godotenv.Read(path)
		if err != nil {
			return nil, fault.New(fault.InvalidParam, "env_file %s cannot be read: %w", Show(r, path), err).
				WithField("env_file").WithHint("it holds one NAME=value a line")
		}
		maps.Copy(set, vars)
	}
	maps.Copy(set, r.Env)
	return set, nil
}

// Environment is that of a build and of the program: ours, with what the
// request adds over it.
func Environment(r adapters.Request) ([]string, error) {
	set, err := Variables(r)
	if err != nil {
		return nil, err
	}
	return Overlay(os.Environ(), set), nil
}

// Overlay sets variables in an environment; later ones win.
func Overlay(env []string, set map[string]string) []string {
	env = slices.DeleteFunc(slices.Clone(env), func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		_, replaced := set[name]
		return replaced
	})
	for _, name := range slices.Sorted(maps.Keys(set)) {
		env = append(env, name+"="+set[name])
	}
	return env
}

// Lookup finds a variable in an environment.
func Lookup(env []string, name string) string {
	for _, pair := range slices.Backward(env) {
		if value, ok := strings.CutPrefix(pair, name+"="); ok {
			return value
		}
	}
	return ""
}
