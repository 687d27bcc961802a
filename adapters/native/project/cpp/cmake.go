package cpp

import (
	"slices"
	"strings"

	"aidb-mcp/internal/text/pattern"
)

var (
	cmakeComment = pattern.New(`(?m)#.*$`)
	cmakeCommand = pattern.New(`(?m)^[ \t]*(\w+)[ \t]*\(((?:[^()]|\([^()]*\))*)\)`)
	cmakeWord    = pattern.New(`"([^"]*)"|([^\s"]+)`)
	// Options that turn tests on: named by a verb, or without one by the project alone.
	cmakeVerbOption  = pattern.New(`(?i)(?:^|_)(?:BUILD|ENABLE|WITH|MAKE)_?(?:UNIT_?)?TEST(?:S|ING)?$`)
	cmakePlainOption = pattern.New(`(?i)^(?:UNIT_?)?TEST(?:S|ING)?$`)
	targetFile       = pattern.New(`^\$<TARGET_FILE:(.+)>$`)
	variableUse      = pattern.New(`\$\{(\w+)\}`)
)

// readCMake reads the programs and tests that a CMakeLists.txt names.
func readCMake(name, text string) *buildFile {
	f := &buildFile{file: name, variables: map[string]string{}}
	text = cmakeComment.ReplaceAllString(text, "")
	for _, at := range cmakeCommand.FindAllStringSubmatchIndex(text, -1) {
		var args []string
		for _, word := range cmakeWord.FindAllStringSubmatch(text[at[4]:at[5]], -1) {
			args = append(args, word[1]+word[2])
		}
		if len(args) > 0 {
			f.command(strings.ToLower(text[at[2]:at[3]]), args, strings.Count(text[:at[2]], "\n")+1)
		}
	}
	return f
}

func (f *buildFile) command(name string, args []string, line int) {
	switch name {
	case "project":
		f.project = f.expand(args[0])
		f.variables["PROJECT_NAME"], f.variables["CMAKE_PROJECT_NAME"] = f.project, f.project
	case "set":
		if len(args) == 2 {
			f.variables[args[0]] = f.expand(args[1])
		}
	case "option":
		if f.turnsOnTests(args[0]) && (len(args) < 3 || strings.EqualFold(args[2], "OFF")) {
			f.testsOff = append(f.testsOff, "-D"+args[0]+"=ON")
		}
	case "add_executable", "qt_add_executable", "qt6_add_executable":
		if !slices.Contains(args, "IMPORTED") && !slices.Contains(args, "ALIAS") {
			f.programs = append(f.programs, namedAt{f.expand(args[0]), line})
		}
	case "add_test":
		if args[0] == "NAME" && len(args) > 3 && args[2] == "COMMAND" {
			f.tests = append(f.tests, registered{f.expand(args[1]), f.commandOf(args[3:])})
		} else if args[0] != "NAME" && len(args) > 1 {
			f.tests = append(f.tests, registered{f.expand(args[0]), f.expand(args[1])})
		}
	}
}

// commandOf is the program of a command: the target that it names, after what a cross
// build runs it with.
func (f *buildFile) commandOf(words []string) string {
	if words[0] == "${CMAKE_CROSSCOMPILING_EMULATOR}" && len(words) > 1 {
		words = words[1:]
	}
	if m := targetFile.FindStringSubmatch(words[0]); m != nil {
		return f.expand(m[1])
	}
	return f.expand(words[0])
}

// turnsOnTests says whether an option is for the tests of the project.
func (f *buildFile) turnsOnTests(option string) bool {
	project := strings.ToUpper(strings.NewReplacer("-", "_", ".", "_", " ", "_").Replace(f.project)) + "_"
	return cmakeVerbOption.MatchString(option) || cmakePlainOption.MatchString(strings.TrimPrefix(strings.ToUpper(option), project))
}

// expand fills in variables that the file sets to one plain value.
func (f *buildFile) expand(text string) string {
	for _, use := range variableUse.FindAllStringSubmatch(text, -1) {
		if value, known := f.variables[use[1]]; known {
			text = strings.ReplaceAll(text, use[0], value)
		}
	}
	return text
}
