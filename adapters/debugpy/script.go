package debugpy

import (
	"path/filepath"
	"strings"

	"aidb-mcp/adapters/prepare"
)

// sourcesOf are the directories of a running program's code, as far as the system
// tells: that of its script, and the one it runs in, unless that holds everything.
func sourcesOf(pid int) []string {
	var dirs []string
	cwd := workdirOf(pid)
	if script := scriptIn(wordsOf(pid)); script != "" {
		if !filepath.IsAbs(script) {
			script = filepath.Join(cwd, script)
		}
		switch { // the program may have left the directory that it was started in
		case prepare.IsDir(script):
			dirs = append(dirs, prepare.Physical(script))
		case prepare.Exists(script):
			dirs = append(dirs, filepath.Dir(prepare.Physical(script)))
		}
	}
	if len(dirs) == 0 || cwd != filepath.Dir(cwd) {
		dirs = append(dirs, cwd)
	}
	return dirs
}

// scriptIn is the script that an interpreter's command line names, empty when it
// runs a module, code of the line itself, or its input.
func scriptIn(line []string) string {
	for at := 1; at < len(line); at++ {
		option, dashed := strings.CutPrefix(line[at], "-")
		switch {
		case !dashed:
			return line[at]
		case option == "":
			return ""
		case option == "-check-hash-based-pycs":
			at++
			continue
		case option[0] == '-':
			continue
		}
		switch i := strings.IndexAny(option, "cmWX"); { // options may stand in one word
		case i < 0:
		case option[i] == 'c' || option[i] == 'm':
			return ""
		case i == len(option)-1:
			at++ // its value is the next word
		}
	}
	return ""
}
