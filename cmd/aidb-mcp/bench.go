package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"aidb-mcp/internal/commands/bench"
)

// newBenchCommand is for the developers of aidb-mcp: "make bench".
func newBenchCommand(a *app) *cobra.Command {
	o := bench.Options{Runs: 9, Out: a.stdout}
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
			o.Binary = self
			for _, language := range a.registry().All() {
				if set := language.Info().Bench; set != nil {
					o.Sets = append(o.Sets, set())
				}
			}
			return bench.Run(cmd.Context(), o)
		},
	}
	cmd.Flags().StringVar(&o.Only, "only", "", "measure only the languages whose name contains this")
	cmd.Flags().IntVar(&o.Runs, "runs", o.Runs, fmt.Sprintf("measure each this often, at least %d", bench.MinRuns))
	return cmd
}
