package main

import (
	"encoding/json"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"aidb-mcp/adapters/install"
	"aidb-mcp/handlers"
	"aidb-mcp/internal/mcp/mcpserver"
	"aidb-mcp/internal/serving/bridge"
	"aidb-mcp/internal/serving/gateway"
	"aidb-mcp/tools"
)

func newConnectCommand(a *app) *cobra.Command {
	var tokenFile, ca string
	connect := &cobra.Command{
		Use:   "connect URL",
		Short: "Speak MCP on standard input and output for a server elsewhere",
		Long: "Connect a client that speaks MCP on standard input and output with a server elsewhere: http://…, https://… or unix:PATH.\n" +
			"While that is away the client keeps its tools and is told what is the matter; when it is back, things go on.\n" +
			"The token comes from --token-file, from AIDB_TOKEN, or is that of this user's own server on this machine.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			token, own, err := bridgeToken(args[0], tokenFile)
			if err != nil {
				return err
			}
			o := bridge.Options{
				URL: args[0], Token: token, Own: own, CA: ca, Version: readVersion().Version, Log: a.log,
				Instructions: tools.Instructions,
			}
			if home := install.Home(); home != "" {
				o.Cache = filepath.Join(home, "bridge")
			}
			if o.Tools, err = essentialTools(); err != nil {
				return err
			}
			return bridge.Run(cmd.Context(), o, a.stdin, a.stdout)
		},
	}
	connect.Flags().StringVar(&tokenFile, "token-file", "", "`file` with the token, or with names and tokens, of which the first is used")
	connect.Flags().StringVar(&ca, "tls-ca", "", "`file` with the certificate that has signed the server's")
	return connect
}

// bridgeToken finds the token for a server. Another machine's is never given the
// local one; own says that it is that.
func bridgeToken(address, file string) (token string, own bool, err error) {
	if file != "" {
		token, err = gateway.FirstToken(file)
		return token, false, err
	}
	if token := os.Getenv("AIDB_TOKEN"); token != "" {
		return token, false, nil
	}
	if isHere(address) {
		token, err = localToken()
		return token, true, err
	}
	return "", false, nil
}

// isHere says that an address is this machine's.
func isHere(address string) bool {
	if strings.HasPrefix(address, "unix:") {
		return true
	}
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() == "localhost" || err == nil && ip.IsLoopback()
}

// essential are the tools that a client is shown while a server has never been seen.
var essential = []string{"init", "session", "config", "context", "adapter"}

func essentialTools() (json.RawMessage, error) {
	all := slices.DeleteFunc(handlers.Definitions(0), func(d *tools.Definition) bool { return !slices.Contains(essential, d.Name) })
	return mcpserver.ListOf(all)
}
