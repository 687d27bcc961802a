// Package pytestini reads what a project tells pytest of its tests: how their files,
// classes and functions are called, and where they lie.
//
// It reads text and nothing else; options of a command line it does not know.
package pytestini

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"gopkg.in/ini.v1"
)

// Config is what a directory's configuration says; pytest's own defaults stand where it
// says nothing.
type Config struct {
	Files, Classes, Functions []string // patterns of names
	Paths                     []string // where tests are looked for, relative to the directory; empty: everywhere
}

// Default is what holds where nothing is configured.
func Default() Config {
	return Config{Files: []string{"test_*.py", "*_test.py"}, Classes: []string{"Test"}, Functions: []string{"test"}}
}

// source is a file that may hold the configuration.
type source struct {
	name  string
	table string // that holds it; empty: whatever is in it, the file is the configuration
	parse func(text, table string) (values, bool)
}

// sources are in pytest's order: the first that holds a configuration is the one that counts.
var sources = []source{
	{"pytest.toml", "", pytestTOML}, {".pytest.toml", "", pytestTOML},
	{"pytest.ini", "", fromINI}, {".pytest.ini", "", fromINI},
	{"pyproject.toml", "", projectTOML},
	{"tox.ini", "pytest", fromINI}, {"setup.cfg", "tool:pytest", fromINI},
}

// Of is the configuration of a directory; none where its files hold none. read gives the
// text of one of them, and false where it is not there.
func Of(read func(name string) (text string, ok bool)) (Config, bool) {
	for _, s := range sources {
		text, there := read(s.name)
		if !there {
			continue
		}
		if v, ok := s.parse(text, s.table); ok {
			return v.config(), true
		}
	}
	return Config{}, false
}

// File says whether a file of that path, relative to the directory, is one of tests by its name.
func (c Config) File(rel string) bool {
	return slices.ContainsFunc(c.Files, func(pattern string) bool {
		if !strings.Contains(pattern, "/") {
			return matches(pattern, path.Base(rel))
		}
		return matches("*/"+strings.TrimPrefix(pattern, "./"), "/"+rel)
	})
}

// Class says whether a class of that name has tests.
func (c Config) Class(name string) bool { return begins(c.Classes, name) }

// Function says whether a function of that name is a test.
func (c Config) Function(name string) bool { return begins(c.Functions, name) }

// Looks says whether pytest looks into a path, relative to the directory, by itself.
func (c Config) Looks(rel string) bool {
	if len(c.Paths) == 0 {
		return true
	}
	return slices.ContainsFunc(c.Paths, func(pattern string) bool {
		pattern = path.Clean(pattern)
		for at := path.Clean(rel); ; at = path.Dir(at) {
			if ok, _ := path.Match(pattern, at); ok {
				return true
			}
			if at == path.Dir(at) || at == "." {
				return pattern == "."
			}
		}
	})
}

// begins says whether a name begins with one of the words, or is as one of the patterns.
func begins(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		return strings.HasPrefix(name, pattern) || strings.ContainsAny(pattern, "*?[") && matches(pattern, name)
	})
}

// matches a pattern as Python's fnmatch does, to which a slash is nothing special.
func matches(pattern, name string) bool {
	plain := strings.NewReplacer("/", "\x00", "[!", "[^")
	ok, _ := path.Match(plain.Replace(pattern), plain.Replace(name)) // what is no pattern matches nothing
	return ok
}

// values are the options as they are written: a text of words, or a list of them.
type values struct {
	Files     any `toml:"python_files"`
	Classes   any `toml:"python_classes"`
	Functions any `toml:"python_functions"`
	Paths     any `toml:"testpaths"`
}

func (v values) config() Config {
	c := Default()
	for _, option := range []struct {
		to    *[]string
		given any
	}{{&c.Files, v.Files}, {&c.Classes, v.Classes}, {&c.Functions, v.Functions}, {&c.Paths, v.Paths}} {
		if list := words(option.given); len(list) > 0 {
			*option.to = list
		}
	}
	return c
}

func words(given any) (list []string) {
	switch given := given.(type) {
	case string:
		return strings.Fields(given)
	case []any:
		for _, v := range given {
			if text, ok := v.(string); ok {
				list = append(list, text)
			}
		}
	}
	return list
}

// pytestTOML reads a file that is pytest's own.
func pytestTOML(text, _ string) (values, bool) {
	var file struct{ Pytest values }
	_ = toml.Unmarshal([]byte(text), &file) // one that cannot be read says nothing
	return file.Pytest, true
}

// projectTOML reads a project's file, which has a table for pytest or has none.
func projectTOML(text, _ string) (values, bool) {
	var file struct {
		Tool struct {
			Pytest *struct {
				values
				Options *values `toml:"ini_options"`
			}
		}
	}
	if !strings.Contains(text, "pytest") || toml.Unmarshal([]byte(text), &file) != nil || file.Tool.Pytest == nil {
		return values{}, false
	}
	if options := file.Tool.Pytest.Options; options != nil {
		return *options, true
	}
	return file.Tool.Pytest.values, true
}

// fromINI reads a section; a file that is called as pytest's own needs none.
func fromINI(text, section string) (values, bool) {
	file, err := ini.LoadSources(ini.LoadOptions{
		AllowPythonMultilineValues: true, IgnoreContinuation: true, SkipUnrecognizableLines: true, AllowBooleanKeys: true,
	}, []byte(text))
	if err != nil {
		return values{}, section == ""
	}
	s, err := file.GetSection(cmp.Or(section, "pytest"))
	if err != nil {
		return values{}, section == ""
	}
	option := func(name string) any { return s.Key(name).Value() }
	return values{option("python_files"), option("python_classes"), option("python_functions"), option("testpaths")}, true
}
