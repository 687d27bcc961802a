package launch

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"aidb-mcp/internal/system/boundedfile"
	"aidb-mcp/internal/text/pattern"
)

// commandLine is a command that an entry runs in place of a program: a script of
// package.json, or a tool that runs a file. It is followed to the file.
type commandLine struct {
	v     *variables
	dir   string // it is run in
	c     *Config
	flags []string // of node
}

// mostScripts is how often one script may run another.
const mostScripts = 5

// commandOf is the command of an entry, empty when it has a program of its own.
func (e entry) commandOf(v *variables) []string {
	if e.Program != "" || e.Request == "attach" {
		return nil
	}
	if e.Command != "" {
		list, err := splitWords(v.fill("target", e.Command))
		if err != nil {
			v.lack("target", v.invalid("has a command that cannot be read: %w", err))
		}
		return list
	}
	switch e.Executable {
	case "npm", "npx", "yarn", "pnpm", "tsx", "ts-node", "nodemon":
		return append([]string{e.Executable}, v.fillAll("target", e.RuntimeArgs)...)
	}
	return nil
}

// program finds the file that a command runs.
func (l *commandLine) program(command []string) {
	words := command
	for range mostScripts {
		words = l.variables(words)
		if len(words) == 0 {
			break
		}
		tool, rest := words[0], words[1:]
		switch tool {
		case "npm", "yarn", "pnpm":
			script, more, ok := l.script(rest)
			if !ok {
				l.unknown(command)
				return
			}
			words = append(script, more...)
			continue
		case "npx", "cross-env":
			words = rest
			continue
		}
		l.file(command, tool, rest)
		return
	}
	l.unknown(command)
}

var assignment = pattern.New(`^[A-Za-z_][A-Za-z0-9_]*=`)

// variables takes the variables that stand before a command.
func (l *commandLine) variables(words []string) []string {
	for len(words) > 0 && assignment.MatchString(words[0]) {
		name, value, _ := strings.Cut(words[0], "=")
		if l.c.Env == nil {
			l.c.Env = map[string]string{}
		}
		if _, said := l.c.Env[name]; !said {
			l.c.Env[name] = value
		}
		words = words[1:]
	}
	return words
}

// script is the script of package.json that a package manager is told to run, and
// what it is given.
func (l *commandLine) script(words []string) (script, more []string, ok bool) {
	if len(words) > 0 && (words[0] == "run" || words[0] == "run-script" || words[0] == "exec") {
		words = words[1:]
	}
	if len(words) == 0 || strings.HasPrefix(words[0], "-") {
		return nil, nil, false
	}
	name, more := words[0], words[1:]
	if len(more) > 0 && more[0] == "--" {
		more = more[1:]
	}
	path := filepath.Join(l.dir, "package.json")
	if !l.v.set.allows(path) {
		return nil, nil, false
	}
	var manifest struct {
		Scripts map[string]string `json:"scripts"`
	}
	text, err := boundedfile.ReadText(path)
	if err != nil || json.Unmarshal(text, &manifest) != nil {
		return nil, nil, false
	}
	line, known := manifest.Scripts[name]
	if !known {
		return []string{name}, more, true // of node_modules, as yarn and exec take it
	}
	if strings.ContainsAny(line, "&|;<>$`*(") {
		return nil, nil, false
	}
	script, err = splitWords(line)
	return script, more, err == nil
}

// runners are tools that run the file that they are given, as our adapter does.
var runners = []string{"node", "tsx", "ts-node", "ts-node-esm", "nodemon", "bun"}

// file is the file that a tool runs, else the tool itself where it is a script.
func (l *commandLine) file(command []string, tool string, words []string) {
	if !slices.Contains(runners, tool) {
		if own := l.binary(tool); own != "" {
			l.c.Program, l.c.Args = own, append(words, l.c.Args...)
			return
		}
		l.unknown(command)
		return
	}
	for i, word := range words {
		switch {
		case strings.HasPrefix(word, "-") && tool == "node":
			l.flags = append(l.flags, word)
			continue
		case strings.HasPrefix(word, "-") || word == "watch":
			continue
		}
		if !filepath.IsAbs(word) {
			word = filepath.Join(l.dir, filepath.FromSlash(word))
		}
		l.c.Program, l.c.Args = word, append(slices.Clone(words[i+1:]), l.c.Args...)
		return
	}
	l.unknown(command)
}

// binary is the script behind a command of node_modules, empty when it is none.
func (l *commandLine) binary(tool string) string {
	if strings.ContainsAny(tool, `/\`) {
		return ""
	}
	path := filepath.Join(l.dir, "node_modules", ".bin", tool)
	real, err := filepath.EvalSymlinks(path)
	if err != nil || !l.v.set.isFile(real) {
		return ""
	}
	switch filepath.Ext(real) {
	case ".js", ".cjs", ".mjs":
		return real
	}
	return ""
}

func (l *commandLine) unknown(command []string) {
	l.v.lack("target", l.v.invalid("runs the command %q, and which program that starts is not plain", strings.Join(command, " ")).
		WithHint("give target, the file that it runs in the end; for tests give mode test"))
}
