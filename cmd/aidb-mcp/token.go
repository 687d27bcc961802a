package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

func newTokenCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "token",
		Short: "Show the token with which clients come to this user's server",
		Long:  "Show the token that aidb-mcp serve --http asks for when it is given no --token-file. It is made when it is first needed; to change it, remove its file and send the server SIGHUP, or start it again.",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			token, err := localToken()
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(a.stdout, token)
			return err
		},
	}
}
