package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"aidb-mcp/internal/commands/demo"
)

func newDemoCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "Watch an agent find a bug with this server",
		Long:  "Starts this server as a child over real stdio, debugs a small program with a bug in it the way an agent would, and prints the conversation.",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			self, err := os.Executable()
			if err != nil {
				return fmt.Errorf("find this binary: %w", err)
			}
			return demo.Run(cmd.Context(), demo.Options{
				Server: []string{self, "serve", "--no-store", "--replies", "both"},
				Out:    a.stdout,
				Color:  isTerminal(a.stdout) && os.Getenv("NO_COLOR") == "",
			})
		},
	}
}
