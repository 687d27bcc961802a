// Package npmscript reads a package.json, and what its scripts start. It runs nothing.
package npmscript

import (
	"path"
	"slices"
	"strings"

	"aidb-mcp/internal/text/pattern"
)

// Command is one that a script starts:
// "NODE_ENV=test node -r dotenv/config src/server.js --quiet".
type Command struct {
	File     string // that node runs, as it is written; empty: Tool
	Tool     string // the program of an installed package: "next"
	Args     []string
	NodeArgs []string
	Env      map[string]string
}

// Scripts are those of a package.json, by name.
type Scripts map[string]string

// deepest is how far scripts are followed that start others.
const deepest = 3

// Commands are what a script starts, also by way of other scripts, in order.
func (s Scripts) Commands(script string) []Command {
	return s.commandsIn(s[script], deepest)
}

var (
	shellWord   = pattern.New(`&&|\|\||[;|&]|(?:[^\s"';|&]|"[^"]*"|'[^']*')+`)
	shellAssign = pattern.New(`^[A-Za-z_]\w*=`)
	bareQuotes  = strings.NewReplacer(`\"`, "", `"`, "", `'`, "")
	toolName    = pattern.New(`^[a-z][\w.-]*$`)
)

// wrappers are commands that start the one behind them.
var wrappers = []string{"cross-env", "cross-env-shell", "env", "npx", "exec"}

// runner is a command that runs a script in node. It has options that are its own,
// of which some take a word after them.
type runner struct{ own, ownWithWord []string }

var runners = map[string]runner{
	"node":        {own: []string{"--watch", "--watch-preserve-output", "--inspect", "--inspect-brk", "--enable-source-maps", "--no-warnings"}, ownWithWord: []string{"--watch-path"}},
	"tsx":         {own: []string{"watch", "--clear-screen", "--no-cache"}, ownWithWord: []string{"--tsconfig", "--include", "--exclude", "--ignore"}},
	"ts-node":     {own: []string{"--esm", "-T", "--transpile-only", "--files", "--swc"}, ownWithWord: []string{"-P", "--project", "-O", "--compiler-options"}},
	"ts-node-esm": {},
	"ts-node-dev": {own: []string{"--respawn", "--transpile-only", "--files", "--exit-child", "--poll", "--rs", "--clear", "--cls"}, ownWithWord: []string{"--watch", "--ignore-watch", "-P", "--project"}},
	"nodemon":     {own: []string{"-q", "--quiet", "-L", "--legacy-watch", "-V", "--verbose"}, ownWithWord: []string{"-w", "--watch", "-e", "--ext", "-i", "--ignore", "--delay", "-d", "--signal", "--config"}},
}

// nodeWithWord are node's options that take a word after them.
var nodeWithWord = []string{"-r", "--require", "--import", "--loader", "--experimental-loader", "--env-file", "-C", "--conditions"}

func (s Scripts) commandsIn(text string, depth int) (list []Command) {
	if depth == 0 {
		return nil
	}
	var words []string
	flush := func() {
		list = append(list, s.command(words, depth)...)
		words = nil
	}
	for _, m := range shellWord.FindAllStringSubmatch(text, -1) {
		word := m[0]
		if strings.Trim(word, "&|;") == "" {
			flush()
			continue
		}
		words = append(words, word)
	}
	flush()
	return list
}

// command reads one command, which may stand behind variables and wrappers.
func (s Scripts) command(words []string, depth int) []Command {
	var c Command
	for len(words) > 0 {
		first := words[0]
		switch {
		case shellAssign.MatchString(first):
			name, value, _ := strings.Cut(first, "=")
			if value = bareQuotes.Replace(value); strings.Contains(value, "$") {
				break // what the shell puts there is not known
			}
			if c.Env == nil {
				c.Env = map[string]string{}
			}
			c.Env[name] = value
		case slices.Contains(wrappers, first):
		default:
			return s.startedCommands(c, words, depth)
		}
		words = words[1:]
	}
	return nil
}

// startedCommands reads a command from its name on.
func (s Scripts) startedCommands(c Command, words []string, depth int) []Command {
	name, rest := words[0], words[1:]
	switch {
	case name == "concurrently":
		var list []Command
		for _, word := range rest {
			if script, ok := strings.CutPrefix(bareQuotes.Replace(word), "npm:"); ok {
				list = append(list, s.commandsIn(s[script], depth-1)...)
			} else if !strings.HasPrefix(word, "-") {
				list = append(list, s.commandsIn(bareQuotes.Replace(word), depth-1)...)
			}
		}
		return list
	case slices.Contains([]string{"npm", "pnpm", "yarn", "bun"}, name):
		rest = slices.DeleteFunc(slices.Clone(rest), func(word string) bool { return word == "run" || word == "--silent" || word == "-s" })
		if len(rest) == 0 {
			return nil
		}
		return s.commandsIn(s[rest[0]], depth-1)
	}
	if r, known := runners[name]; known {
		return s.node(c, name, r, rest, depth)
	}
	if !toolName.MatchString(name) || strings.ContainsAny(strings.Join(rest, ""), "$*<>") {
		return nil // what the shell makes of it is not known
	}
	c.Tool = name
	for _, arg := range rest {
		c.Args = append(c.Args, bareQuotes.Replace(arg))
	}
	return []Command{c}
}

// node reads the words after a command that runs a script in node.
func (s Scripts) node(c Command, name string, r runner, words []string, depth int) []Command {
	for len(words) > 0 {
		word := bareQuotes.Replace(words[0])
		words = words[1:]
		option, _, joined := strings.Cut(word, "=")
		takes := func(list []string) bool { return !joined && slices.Contains(list, option) && len(words) > 0 }
		switch {
		case name == "nodemon" && (option == "--exec" || option == "-x") && len(words) > 0:
			return s.commandsIn(bareQuotes.Replace(strings.Join(words, " ")), depth-1)
		case slices.Contains(r.own, option):
		case takes(r.ownWithWord):
			words = words[1:]
		case slices.Contains(r.ownWithWord, option):
		case option == "--test" || option == "-e" || option == "--eval" || option == "-p" || option == "--print":
			return nil // no program
		case takes(nodeWithWord):
			c.NodeArgs = append(c.NodeArgs, word, bareQuotes.Replace(words[0]))
			words = words[1:]
		case strings.HasPrefix(word, "-"):
			c.NodeArgs = append(c.NodeArgs, word)
		default:
			if strings.ContainsAny(word, "$*") {
				return nil // what the shell makes of it is not known
			}
			c.File = path.Clean(word)
			for _, arg := range words {
				c.Args = append(c.Args, bareQuotes.Replace(arg))
			}
			return []Command{c}
		}
	}
	return nil
}
