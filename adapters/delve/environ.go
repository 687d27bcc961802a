package delve

import (
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/joho/godotenv"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
)

// environment is that of the build and of the program: ours, then the file's,
// then the request's, each over the one before.
func environment(r adapters.Request) ([]string, error) {
	set := map[string]string{}
	if r.EnvFile != "" {
		path := locate(r, r.EnvFile)
		vars, err := godotenv.Read(path)
		if err != nil {
			return nil, fault.New(fault.InvalidParam, "env_file %s cannot be read: %w", show(r, path), err).
				WithField("env_file").WithHint("it holds one NAME=value a line")
		}
		maps.Copy(set, vars)
	}
	maps.Copy(set, r.Env)
	return overlay(os.Environ(), set), nil
}

// overlay sets variables in an environment; later ones win.
func overlay(env []string, set map[string]string) []string {
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

// lookup finds a variable in an environment.
func lookup(env []string, name string) string {
	for _, pair := range slices.Backward(env) {
		if value, ok := strings.CutPrefix(pair, name+"="); ok {
			return value
		}
	}
	return ""
}
