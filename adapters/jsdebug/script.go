package jsdebug

import (
	"path/filepath"
	"slices"
	"strings"

	"aidb-mcp/internal/text/pattern"
)

// scripted is what the script that runs a project's tests tells node and the runner
// besides which tests to run: without it they may not even load.
type scripted struct {
	runtimeArgs []string
	args        []string
	env         map[string]string
}

// testScripts are the scripts that run tests, the usual one first.
var testScripts = []string{"test", "test:unit", "test-unit", "unit", "tests"}

// nodeSays and runnerSays are the options that are kept, of those that take a word.
// A switch of node that is no word's is kept where it begins with --experimental.
var (
	nodeSays   = []string{"-r", "--require", "--import", "--loader", "--experimental-loader", "--env-file", "-C", "--conditions"}
	runnerSays = map[string][]string{
		"jest":   {"-c", "--config", "--env", "--rootDir"},
		"vitest": {"-c", "--config", "-r", "--root", "--environment", "--project"},
		"mocha":  {"-r", "--require", "--import", "--loader", "-u", "--ui", "--config", "--file", "--package"},
	}
)

var (
	scriptCommand = pattern.New(`&&|\|\||[;|]`)
	scriptWord    = pattern.New(`(?:[^\s"']|"[^"]*"|'[^']*')+`)
	scriptSets    = pattern.New(`^[A-Za-z_]\w*=`)
	unquote       = strings.NewReplacer(`\"`, "", `"`, "", `'`, "")
)

// readScript reads the first script of the package in root that runs the runner.
func (j job) readScript(r runner, root string) (s scripted) {
	scripts := readManifest(root).Scripts
	for _, name := range testScripts {
		for command := range strings.SplitSeq(scriptCommand.ReplaceAllString(scripts[name], "\n"), "\n") {
			var words []string
			for _, m := range scriptWord.FindAllStringSubmatch(command, -1) {
				words = append(words, unquote.Replace(m[0]))
			}
			at := slices.IndexFunc(words, func(word string) bool { return runs(word, r) })
			if at < 0 {
				continue
			}
			s.readBefore(words[:at])
			if r.alone {
				s.runtimeArgs = addKept(s.runtimeArgs, words[at:], nodeSays)
			}
			s.args = addKept(nil, words[at+1:], runnerSays[r.name])
			return s
		}
	}
	return s
}

// runs says that a word of a script is the runner's command, by its name or by the
// path of its program.
func runs(word string, r runner) bool {
	base := filepath.Base(filepath.FromSlash(word))
	return word == r.word() || strings.TrimSuffix(base, filepath.Ext(base)) == r.name || r.name == "mocha" && base == "_mocha"
}

// readBefore reads what stands before the runner: variables, and node with its options.
func (s *scripted) readBefore(words []string) {
	for _, word := range words {
		if !scriptSets.MatchString(word) {
			continue
		}
		name, value, _ := strings.Cut(word, "=")
		if strings.Contains(value, "$") {
			continue // what the shell puts there is not known
		}
		if name == "NODE_OPTIONS" { // the user's own, and ours, are put there
			s.runtimeArgs = addKept(s.runtimeArgs, strings.Fields(value), nodeSays)
			continue
		}
		if s.env == nil {
			s.env = map[string]string{}
		}
		s.env[name] = value
	}
	if node := slices.Index(words, "node"); node >= 0 {
		s.runtimeArgs = addKept(s.runtimeArgs, words[node+1:], nodeSays)
	}
}

// addKept adds the options that are to be kept.
func addKept(list, words, says []string) []string {
	for i := 0; i < len(words); i++ {
		option, _, joined := strings.Cut(words[i], "=")
		switch {
		case !slices.Contains(says, option):
			if strings.HasPrefix(option, "--experimental-") && !strings.Contains(option, "coverage") {
				list = append(list, words[i])
			}
		case joined:
			list = append(list, words[i])
		case i+1 < len(words):
			list = append(list, words[i], words[i+1])
			i++
		}
	}
	return list
}
