package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"aidb-mcp/handlers"
	"aidb-mcp/tools"
)

func newToolsCommand(a *app) *cobra.Command {
	format, asJSON := "markdown", false
	cmd := &cobra.Command{
		Use:   "tools",
		Short: "Print the definitions of the tools",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			var text []byte
			var err error
			list := handlers.Definitions(a.settings.Wait)
			if asJSON {
				format = "json"
			}
			switch format {
			case "markdown", "md":
				text = tools.Markdown(list)
			case "json":
				text, err = tools.JSON(list)
			default:
				return fmt.Errorf("--format %q: want markdown or json", format)
			}
			if err == nil {
				_, err = a.stdout.Write(text)
			}
			return err
		},
	}
	cmd.Flags().StringVar(&format, "format", format, "markdown or json")
	cmd.Flags().BoolVar(&asJSON, "json", false, "the same as --format json")
	return cmd
}
