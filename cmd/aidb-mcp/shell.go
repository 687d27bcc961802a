package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/spf13/cobra"

	"aidb-mcp/adapters/install"
	"aidb-mcp/internal/commands/shell"
)

func newShellCommand(a *app) *cobra.Command {
	var f serverFlags
	cmd := &cobra.Command{
		Use:   "shell",
		Short: "Make tool calls by hand, and read the replies that an agent would read",
		Long: "Makes the tool calls that are typed, in sessions that last as long as the shell, and shows the replies that an agent would read.\n" +
			"At a terminal, Tab completes tools, parameters and values, and what was typed is kept for the next time (but for lines that begin with a space).\n" +
			"From a pipe it takes a call a line, and exits with 1 when one of them fails.",
		Example: "  aidb-mcp shell\n" +
			"  aidb> session_start target=. breakpoints=main.go:12\n" +
			"  aidb> inspect expression=\"order.Items[0]\"\n" +
			"  aidb> step {\"action\": \"out\"}",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.shell(cmd, f) },
	}
	f.bind(cmd.Flags())
	return cmd
}

func (a *app) shell(cmd *cobra.Command, f serverFlags) (err error) {
	ctx := cmd.Context()
	in, typed := a.stdin.(*os.File)
	typed = typed && isTerminal(a.stdin) && isTerminal(a.stdout)
	if typed { // an interrupt ends a call, not the shell
		var stop context.CancelFunc
		ctx, stop = signal.NotifyContext(context.WithoutCancel(ctx), syscall.SIGTERM, syscall.SIGHUP)
		defer stop()
	}
	c, err := a.connectTo(ctx, cmd, f, "aidb-mcp shell", typed)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	s := &shell.Shell{Server: c, Out: a.stdout, Show: a.shown}
	if !typed {
		s.Lines = shell.NewScript(a.stdin)
		return s.Run(ctx)
	}
	history := ""
	if home := install.Home(); home != "" {
		history = filepath.Join(home, "shell_history")
	}
	terminal := shell.NewTerminal(in, a.stdout, history, c.Tools())
	defer func() { err = errors.Join(err, terminal.Close()) }()
	if _, err := fmt.Fprintln(a.stdout, `"help" says how to make a call, Tab completes, "exit" ends the sessions and their programs.`); err != nil {
		return err
	}
	s.Lines = terminal
	return s.Run(ctx)
}
