package main

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"aidb-mcp/persons/dapdoor"
)

func newReportCommand(*app) *cobra.Command {
	var id, format, file string
	report := &cobra.Command{
		Use:   "report [--session ID] [--format html|markdown] [--output FILE]",
		Short: "Write down what happened in a session that an agent has opened to you",
		Long: "Write down what happened in a session of a running server of yours, after the agent has called session(action: show): what\n" +
			"it asked and learned, where the program stopped, what it printed, what persons did. As HTML it is one file that needs no\n" +
			"server, as markdown a shorter transcript. Secrets are masked. Without --session it is the only one.",
		Args: cobra.NoArgs,
	}
	report.RunE = func(cmd *cobra.Command, _ []string) error {
		text, err := dapdoor.Report(cmd.Context(), joinDir(), id, format)
		if err != nil {
			return err
		}
		if file != "" {
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				return fmt.Errorf("writing the report: %w", err)
			}
			return nil
		}
		_, err = io.WriteString(cmd.OutOrStdout(), text)
		return err
	}
	report.Flags().StringVar(&id, "session", "", "`ID` of the session, as session(action: list) shows it")
	report.Flags().StringVar(&format, "format", dapdoor.FormatHTML, "`format`: "+dapdoor.FormatHTML+" or "+dapdoor.FormatMarkdown)
	report.Flags().StringVarP(&file, "output", "o", "", "`file` to write, for you alone (default: standard output)")
	return report
}
