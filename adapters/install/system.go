package install

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/process"
	"aidb-mcp/internal/text/pattern"
)

// elsewhere says how to come by a component where it is not pinned.
func (c Component) elsewhere() string {
	help := "install LLDB, whose lldb-dap is used as it is: " + map[string]string{
		"linux":   "apt-get install lldb-19 (or what your distribution calls it)",
		"darwin":  "brew install llvm",
		"windows": "winget install LLVM.LLVM",
	}[runtime.GOOS]
	return fmt.Sprintf("%s is pinned for %s only. Here: %s; `aidb-mcp adapters install --system %s` runs that command for you. Or install a downloaded build with --from FILE --sha256 DIGEST",
		c.Name, strings.Join(c.Platforms, ", "), help, c.Languages[0])
}

// SystemCommands are the commands of the system's package manager that bring a
// debugger for a language. They change the machine: show them, and run them only
// when asked to.
func SystemCommands(ctx context.Context, language string) ([][]string, error) {
	if !slices.ContainsFunc(For(language), func(c Component) bool { return c.Name == "codelldb" }) {
		return nil, fault.New(fault.AdapterInstall, "the system's package manager is not needed for %s", language).
			WithHint("leave out --system")
	}
	for _, m := range managers() {
		if _, err := exec.LookPath(m[0][0]); err == nil {
			return withSudo(withNewestLLDB(ctx, m)), nil
		}
	}
	return nil, fault.New(fault.AdapterInstall, "no package manager that we know was found").
		WithHint("install LLDB by hand: its lldb-dap, or gdb 14 or newer, is used as it is")
}

// managers are the package managers with what brings LLDB. Only one version of
// Debian's fits on a machine: apt may not remove the one that is there.
func managers() [][][]string {
	return [][][]string{
		{{"apt-get", "update"}, {"apt-get", "install", "-y", "--no-install-recommends", "--no-remove", "lldb-19"}},
		{{"dnf", "install", "-y", "lldb"}},
		{{"zypper", "--non-interactive", "install", "lldb"}},
		{{"pacman", "-S", "--noconfirm", "lldb"}},
		{{"apk", "add", "lldb"}},
		{{"brew", "install", "llvm"}},
		{{"winget", "install", "--accept-package-agreements", "--accept-source-agreements", "LLVM.LLVM"}},
	}
}

var lldbPackage = pattern.New(`(?m)^lldb-(\d+) `)

// withNewestLLDB names the newest LLDB that apt knows.
func withNewestLLDB(ctx context.Context, commands [][]string) [][]string {
	if commands[0][0] != "apt-get" {
		return commands
	}
	known, _, err := process.Run(ctx, process.Spec{Name: "apt-cache", Path: "apt-cache", Args: []string{"search", "--names-only", "^lldb-[0-9]+$"}})
	if err != nil {
		return commands
	}
	newest := 0
	for _, m := range lldbPackage.FindAllStringSubmatch(string(known), -1) {
		if n, err := strconv.Atoi(m[1]); err == nil {
			newest = max(newest, n)
		}
	}
	if newest > 0 {
		last := commands[len(commands)-1]
		last[len(last)-1] = fmt.Sprintf("lldb-%d", newest)
	}
	return commands
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
