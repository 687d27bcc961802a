package prepare

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/joho/godotenv"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/boundedfile"
)

// Variables are what the request adds to our own environment: the file's, then
// the request's over them.
func Variables(r adapters.Request) (map[string]string, error) {
	set := map[string]string{}
	if r.EnvFile != "" {
		path := Locate(r, r.EnvFile)
		vars, err := readEnvFile(path)
		if err != nil {
			return nil, fault.New(fault.InvalidParam, "env_file %s cannot be read: %w", Show(r, path), err).
				WithField("env_file").WithHint("it holds one NAME=value a line")
		}
		maps.Copy(set, vars)
	}
	maps.Copy(set, r.Env)
	return set, nil
}

// largestEnvFile is the most that a file of variables has, in bytes.
const largestEnvFile = 256 << 10

// readEnvFile reads the variables of a file. Its errors name the line and quote
// nothing: what stands in such a file is often secret.
func readEnvFile(path string) (map[string]string, error) {
	text, err := boundedfile.Read(path, largestEnvFile)
	if err != nil {
		return nil, err
	}
	vars, err := godotenv.UnmarshalBytes(text)
	if err != nil {
		return nil, fmt.Errorf("line %d is not understood", badLine(text))
	}
	return vars, nil
}

// badLine is the number of the first line of a file of variables with which it
// cannot be read. A value may run over several lines: what is not understood so
// far may be with the next.
func badLine(text []byte) int {
	lines, good := bytes.SplitAfter(text, []byte("\n")), 0
	const most = 500 // each try reads all anew
	for n := 1; n <= min(len(lines), most); n++ {
		if _, err := godotenv.UnmarshalBytes(bytes.Join(lines[:n], nil)); err == nil {
			good = n
		}
	}
	return good + 1
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
