package build

import (
	"context"
	"encoding/json"
	"path/filepath"
)

// ctest is a test as CTest writes it.
type ctest struct {
	Name       string   `json:"name"`
	Command    []string `json:"command"`
	Properties []struct {
		Name  string          `json:"name"`
		Value json.RawMessage `json:"value"`
	} `json:"properties"`
}

// ctests lists the tests of a build tree. A project without any has none.
func (j *job) ctests(ctx context.Context, t *tree) ([]registered, error) {
	path, ok := j.find(filepath.Join(filepath.Dir(t.path), "ctest"), "ctest")
	if !ok {
		return nil, nil
	}
	args := []string{"--test-dir", t.dir, "--show-only=json-v1"}
	if t.config != "" {
		args = append(args, "-C", t.config)
	}
	out, _, failed, err := j.run(ctx, command{name: "ctest", path: path, dir: t.dir, args: args})
	if err != nil || failed {
		return nil, err
	}
	var said struct {
		Tests []ctest `json:"tests"`
	}
	if json.Unmarshal([]byte(out), &said) != nil {
		return nil, nil // an old CTest that writes no JSON
	}
	var list []registered
	for _, c := range said.Tests {
		list = append(list, registered{c.Name, c.Command, c.directory(), c.environment()})
	}
	return list, nil
}

// directory is where the test runs, empty when CTest does not say.
func (c ctest) directory() string {
	var dir string
	for _, p := range c.Properties {
		if p.Name == "WORKING_DIRECTORY" {
			_ = json.Unmarshal(p.Value, &dir)
		}
	}
	return dir
}

// environment is what CTest sets for the test.
func (c ctest) environment() map[string]string {
	set := map[string]string{}
	for _, p := range c.Properties {
		var pairs []string
		if p.Name == "ENVIRONMENT" && json.Unmarshal(p.Value, &pairs) == nil {
			for _, pair := range pairs {
				if name, value, ok := cutPair(pair); ok {
					set[name] = value
				}
			}
		}
	}
	return set
}
