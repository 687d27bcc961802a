package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// versions is what this binary is made of.
type versions struct {
	Version  string // of the repository's tag, which Go has written into the binary; "devel" when it has not
	Revision string // of the checkout, empty when unknown
	Modified bool   // since that revision
	Go       string
	Delve    string
	MCP      string // version of the SDK
}

// readVersion reads what the linker has recorded.
func readVersion() versions {
	v := versions{Version: "devel", Go: runtime.Version()}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	if info.Main.Version != "" && info.Main.Version != "(devel)" {
		v.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Revision = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	for _, dep := range info.Deps {
		switch dep.Path {
		case "github.com/go-delve/delve":
			v.Delve = dep.Version
		case "github.com/modelcontextprotocol/go-sdk":
			v.MCP = dep.Version
		}
	}
	return v
}

func newVersionCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of this binary and of what it is made of",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			v := readVersion()
			fmt.Fprintf(a.stdout, "aidb-mcp %s\n", v.Version)
			if v.Revision != "" {
				fmt.Fprintf(a.stdout, "revision %s%s\n", v.Revision, map[bool]string{true: " (modified)"}[v.Modified])
			}
			fmt.Fprintf(a.stdout, "go %s %s/%s\n", v.Go, runtime.GOOS, runtime.GOARCH)
			for _, dep := range [][2]string{{"delve", v.Delve}, {"mcp sdk", v.MCP}} {
				if dep[1] != "" {
					fmt.Fprintf(a.stdout, "%s %s\n", dep[0], dep[1])
				}
			}
			return nil
		},
	}
}
