package launch

import (
	"cmp"
	"encoding/json"
	"path/filepath"
	"runtime"
	"strings"
)

// taskWord is a command or an argument: a text, or one that says how it is quoted.
type taskWord struct {
	Value   string
	Quoting string // escape, strong, weak; empty: where it is needed
}

// UnmarshalJSON takes either form; a value may also be a list of texts.
func (w *taskWord) UnmarshalJSON(b []byte) error {
	if json.Unmarshal(b, &w.Value) == nil {
		return nil
	}
	var long struct {
		Value   textOrList `json:"value"`
		Quoting string     `json:"quoting"`
	}
	err := json.Unmarshal(b, &long)
	w.Value, w.Quoting = string(long.Value), long.Quoting
	return err
}

// textOrList is a text, or a list of texts with blanks between them.
type textOrList string

// UnmarshalJSON takes either form.
func (w *textOrList) UnmarshalJSON(b []byte) error {
	if json.Unmarshal(b, (*string)(w)) == nil {
		return nil
	}
	var list []string
	err := json.Unmarshal(b, &list)
	*w = textOrList(strings.Join(list, " "))
	return err
}

// command is what a task runs, by its type.
func (t *task) command(v *variables, made *Task) ([]string, error) {
	word := func(text string) string { return v.fill("task", text) }
	var args []string
	for _, a := range t.Args {
		args = append(args, word(a.Value))
	}
	switch t.Type {
	case "", "shell":
		if t.Command.Value == "" {
			return t.noCommand(v)
		}
		return t.shell(v), nil
	case "npm":
		if t.Path != "" {
			made.Dir = filepath.Join(made.Dir, filepath.FromSlash(t.Path))
		}
		return []string{"npm", "run", t.Script}, nil
	case "typescript":
		command := []string{"npx", "--no-install", "tsc", "-p", cmp.Or(t.TSConfig, "tsconfig.json")}
		if t.Option == "watch" {
			command = append(command, "--watch")
		}
		return command, nil
	case "gulp", "grunt", "jake":
		return []string{"npx", "--no-install", t.Type, t.Task}, nil
	case "cargo", "go":
		return append([]string{t.Type, word(t.Command.Value)}, args...), nil
	case "process", "cppbuild":
		if t.Command.Value == "" {
			return t.noCommand(v)
		}
		return append([]string{word(t.Command.Value)}, args...), nil
	}
	if t.Command.Value != "" {
		return append([]string{word(t.Command.Value)}, args...), nil
	}
	return nil, v.invalid("is of type %q, which only an extension of an editor can run", t.Type).WithField("launch_config_name").
		WithHint("run it yourself, and start with target in place of launch_config_name")
}

// noCommand is the command of a task that only has others run.
func (t *task) noCommand(v *variables) ([]string, error) {
	if len(t.DependsOn) > 0 {
		return nil, nil
	}
	return nil, v.invalid("has no command").WithField("launch_config_name").WithHint("give it one, or dependsOn")
}

// shell is a command line for a shell, with the arguments quoted as they ask for it.
func (t *task) shell(v *variables) []string {
	line := v.fill("task", t.Command.Value)
	if t.Command.Quoting != "" || len(t.Args) > 0 {
		line = quoteForShell(line, t.Command.Quoting)
	}
	for _, a := range t.Args {
		line += " " + quoteForShell(v.fill("task", a.Value), a.Quoting)
	}
	if own := v.fill("task", t.Options.Shell.Executable); own != "" {
		args := v.fillAll("task", t.Options.Shell.Args)
		if len(args) == 0 {
			args = []string{dash(own)}
		}
		return append(append([]string{own}, args...), line)
	}
	return shellLine(line)
}

// shellLine has the shell of this system run a line.
func shellLine(line string) []string {
	if runtime.GOOS == "windows" {
		return []string{"cmd.exe", "/d", "/c", line}
	}
	return []string{"/bin/sh", "-c", line}
}

// dash is the option with which a shell takes a command line.
func dash(shell string) string {
	switch name := strings.TrimSuffix(strings.ToLower(filepath.Base(shell)), ".exe"); name {
	case "cmd":
		return "/c"
	case "powershell", "pwsh":
		return "-Command"
	}
	return "-c"
}

// quoteForShell writes an argument as a shell takes it for one word.
func quoteForShell(text, how string) string {
	if how == "" {
		if text != "" && !strings.ContainsAny(text, " \t") || begins(text, `"`) || begins(text, `'`) {
			return text // the shell sees it as it is written
		}
		how = "strong"
	}
	if runtime.GOOS == "windows" {
		return `"` + strings.ReplaceAll(text, `"`, `\"`) + `"`
	}
	switch how {
	case "escape":
		return escapes.Replace(text)
	case "weak":
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
	}
	return `'` + strings.ReplaceAll(text, `'`, `'\''`) + `'`
}

// begins says that a text stands in these quotes already.
func begins(text, quote string) bool {
	return len(text) > 1 && strings.HasPrefix(text, quote) && strings.HasSuffix(text, quote)
}

// escapes are the letters that mean something to a shell.
var escapes = strings.NewReplacer(` `, `\ `, "\t", "\\\t", `"`, `\"`, `'`, `\'`, `\`, `\\`, `$`, `\$`, "`", "\\`",
	`&`, `\&`, `;`, `\;`, `|`, `\|`, `<`, `\<`, `>`, `\>`, `(`, `\(`, `)`, `\)`, `*`, `\*`, `?`, `\?`, `#`, `\#`, `!`, `\!`)
