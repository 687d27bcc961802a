package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"aidb-mcp/internal/bench"
)

// newBenchCommand is for the developers of aidb-mcp: "make bench".
func newBenchCommand(a *app) *cobra.Command {
	runs := 9
	cmd := &cobra.Command{
		Use:    "bench",
		Short:  "Measure this server beside a bare DAP client on the same debugger",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			self, err := os.Executable()
			if err != nil {
				return fmt.Errorf("find this binary: %w", err)
			}
			return bench.Run(cmd.Context(), bench.Options{Binary: self, Runs: runs, Out: a.stdout})
		},
	}
	cmd.Flags().IntVar(&runs, "runs", runs, fmt.Sprintf("measure each this often, at least %d", bench.MinRuns))
	return cmd
}
