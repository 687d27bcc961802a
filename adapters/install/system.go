package install

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/process"
)

// SystemPackages are the packages of systems that do what a component does.
type SystemPackages struct {
	Does   string // what is installed, and how it is used: "install LLDB, whose lldb-dap is used as it is"
	ByHand string // what to install where no package manager is known
	// Names are the packages' names, by the program of the package manager: "dnf".
	Names map[string]string
	// Numbered begins the names that APT has with the version behind: "lldb-". Only one of
	// them fits on a machine: apt may not remove the one that is there.
	Numbered string
}

// elsewhere says how to come by a component where it is not pinned.
func (c Component) elsewhere() string {
	help := "install it by hand"
	if s := c.System; s != nil {
		help = s.Does + ": " + map[string]string{
			"linux":   "apt-get install " + s.Names["apt-get"] + " (or what your distribution calls it)",
			"darwin":  "brew install " + s.Names["brew"],
			"windows": "winget install " + s.Names["winget"],
		}[runtime.GOOS] + fmt.Sprintf("; `aidb-mcp adapters install --system %s` runs that command for you", c.Languages[0])
	}
	return fmt.Sprintf("%s is pinned for %s only. Here: %s. Or install a downloaded build with --from FILE --sha256 DIGEST",
		c.Name, strings.Join(c.Platforms, ", "), help)
}

// SystemCommands are the commands of the system's package manager that bring a
// debugger for a language. They change the machine: show them, and run them only
// when asked to.
func (m Manifest) SystemCommands(ctx context.Context, language string) ([][]string, error) {
	needed := m.For(language)
	i := slices.IndexFunc(needed, func(c Component) bool { return c.System != nil })
	if i < 0 {
		return nil, fault.New(fault.AdapterInstall, "the system's package manager is not needed for %s", language).
			WithHint("leave out --system")
	}
	system := needed[i].System
	for _, commands := range managers() {
		last := len(commands) - 1
		name, known := system.Names[commands[last][0]]
		if !known {
			continue
		}
		if _, err := exec.LookPath(commands[last][0]); err == nil {
			if commands[last][0] == "apt-get" && system.Numbered != "" {
				name = newest(ctx, system.Numbered, name)
			}
			commands[last] = append(commands[last], name)
			return withSudo(commands), nil
		}
	}
	return nil, fault.New(fault.AdapterInstall, "no package manager that we know was found").WithHint("%s", system.ByHand)
}

// managers are the package managers; the last command of each takes the package's name.
func managers() [][][]string {
	return [][][]string{
		{{"apt-get", "update"}, {"apt-get", "install", "-y", "--no-install-recommends", "--no-remove"}},
		{{"dnf", "install", "-y"}},
		{{"zypper", "--non-interactive", "install"}},
		{{"pacman", "-S", "--noconfirm"}},
		{{"apk", "add"}},
		{{"brew", "install"}},
		{{"winget", "install", "--accept-package-agreements", "--accept-source-agreements"}},
	}
}

// newest is the package with the highest number that APT knows, else the usual one.
func newest(ctx context.Context, start, usual string) string {
	listed, _, err := process.Run(ctx, process.Spec{Name: "apt-cache", Path: "apt-cache", Args: []string{"search", "--names-only", "^" + regexp.QuoteMeta(start) + "[0-9]+$"}})
	if err != nil {
		return usual
	}
	highest := 0
	for line := range strings.Lines(string(listed)) {
		name, _, _ := strings.Cut(line, " ")
		if digits, ok := strings.CutPrefix(name, start); ok {
			if n, err := strconv.Atoi(digits); err == nil {
				highest = max(highest, n)
			}
		}
	}
	if highest == 0 {
		return usual
	}
	return start + strconv.Itoa(highest)
}

// withSudo puts sudo before commands that need the administrator.
func withSudo(commands [][]string) [][]string {
	tool := commands[0][0]
	if os.Geteuid() <= 0 || tool == "brew" || tool == "winget" { // -1: there is no such thing
		return commands
	}
	if _, err := exec.LookPath(sudo); err != nil {
		return commands // they say themselves what they may not do
	}
	for i, c := range commands {
		commands[i] = append([]string{sudo, "-n"}, c...)
	}
	return commands
}

const sudo = "sudo"

// RunSystem runs commands of SystemCommands one after the other. What it could
// not run the error's hint has, as one line for a shell.
func RunSystem(ctx context.Context, log *slog.Logger, commands [][]string) error {
	for i, c := range commands {
		ctx, cancel := context.WithTimeout(ctx, fetchLimit)
		_, _, err := process.Run(ctx, process.Spec{Name: c[0], Path: c[0], Args: c[1:], Log: log})
		cancel()
		if err != nil {
			var left []string
			for _, c := range commands[i:] {
				left = append(left, strings.TrimPrefix(strings.Join(c, " "), sudo+" -n "))
			}
			return fault.New(fault.AdapterInstall, "%s failed: %w", strings.Join(c, " "), plainError(err)).
				WithHint("run it yourself, as the administrator: %s", strings.Join(left, " && "))
		}
	}
	return nil
}
