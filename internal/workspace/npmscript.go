package workspace

import (
	"path"
	"slices"
	"strings"

	"aidb-mcp/internal/pattern"
)

// npmCommand is what a script of a package.json starts:
// "NODE_ENV=test node -r dotenv/config src/server.js --quiet".
type npmCommand struct {
	File     string // as it is written
	Args     []string
	NodeArgs []string
	Env      map[string]string
}

var (
	shellWord   = pattern.New(`&&|\|\||[;|&]|(?:[^\s"';|&]|"[^"]*"|'[^']*')+`)
	shellAssign = pattern.New(`^[A-Za-z_]\w*=`)
	bareQuotes  = strings.NewReplacer(`\"`, "", `"`, "", `'`, "")
)

// nodeRunners are the commands that run a script in node. Each has the options
// that are its own, with those that take a word after them.
var nodeRunners = map[string]struct{ own, ownWithWord []string }{
	"node":        {own: []string{"--watch", "--watch-preserve-output", "--inspect", "--inspect-brk", "--enable-source-maps", "--no-warnings"}, ownWithWord: []string{"--watch-path"}},
	"tsx":         {own: []string{"watch", "--clear-screen", "--no-cache"}, ownWithWord: []string{"--tsconfig", "--include", "--exclude", "--ignore"}},
	"ts-node":     {own: []string{"--esm", "-T", "--transpile-only", "--files", "--swc"}, ownWithWord: []string{"-P", "--project", "-O", "--compiler-options"}},
	"ts-node-esm": {},
	"ts-node-dev": {own: []string{"--respawn", "--transpile-only", "--files", "--exit-child", "--poll", "--rs", "--clear", "--cls"}, ownWithWord: []string{"--watch", "--ignore-watch", "-P", "--project"}},
	"nodemon":     {own: []string{"-q", "--quiet", "-L", "--legacy-watch", "-V", "--verbose"}, ownWithWord: []string{"-w", "--watch", "-e", "--ext", "-i", "--ignore", "--delay", "-d", "--signal", "--config"}},
}

// nodeWithWord are node's options that take a word after them.
var nodeWithWord = []string{"-r", "--require", "--import", "--loader", "--experimental-loader", "--env-file", "-C", "--conditions"}

// commands are what a script of the package starts with node, also by way of
// other scripts.
func (m *npmManifest) commands(script string) []npmCommand {
	return m.commandsIn(m.Scripts[script], 3)
}

func (m *npmManifest) commandsIn(text string, depth int) (list []npmCommand) {
	if depth == 0 {
		return nil
	}
	var words []string
	flush := func() {
		list = append(list, m.command(words, depth)...)
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
func (m *npmManifest) command(words []string, depth int) []npmCommand {
	var c npmCommand
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
		case slices.Contains([]string{"cross-env", "cross-env-shell", "env", "npx", "exec"}, first):
		default:
			return m.started(c, words, depth)
		}
		words = words[1:]
	}
	return nil
}

// started reads a command from its name on.
func (m *npmManifest) started(c npmCommand, words []string, depth int) []npmCommand {
	name, rest := words[0], words[1:]
	switch {
	case name == "nest" && len(rest) > 0 && rest[0] == "start":
		c.File = "src/main.ts"
		return []npmCommand{c}
	case name == "concurrently":
		var list []npmCommand
		for _, word := range rest {
			if script, ok := strings.CutPrefix(bareQuotes.Replace(word), "npm:"); ok {
				list = append(list, m.commandsIn(m.Scripts[script], depth-1)...)
			} else {
				list = append(list, m.commandsIn(bareQuotes.Replace(word), depth-1)...)
			}
		}
		return list
	case slices.Contains([]string{"npm", "pnpm", "yarn", "bun"}, name):
		rest = slices.DeleteFunc(slices.Clone(rest), func(word string) bool { return word == "run" || word == "--silent" || word == "-s" })
		if len(rest) == 0 {
			return nil
		}
		return m.commandsIn(m.Scripts[rest[0]], depth-1)
	}
	return m.node(c, name, rest, depth)
}

// node reads the words after a command that runs a script in node.
func (m *npmManifest) node(c npmCommand, name string, words []string, depth int) []npmCommand {
	runner, known := nodeRunners[name]
	if !known {
		return nil
	}
	for len(words) > 0 {
		word := bareQuotes.Replace(words[0])
		words = words[1:]
		option, _, joined := strings.Cut(word, "=")
		takes := func(list []string) bool { return !joined && slices.Contains(list, option) && len(words) > 0 }
		switch {
		case name == "nodemon" && (option == "--exec" || option == "-x") && len(words) > 0:
			return m.commandsIn(bareQuotes.Replace(strings.Join(words, " ")), depth-1)
		case slices.Contains(runner.own, option):
		case takes(runner.ownWithWord):
			words = words[1:]
		case slices.Contains(runner.ownWithWord, option):
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
			return []npmCommand{c}
		}
	}
	return nil
}
