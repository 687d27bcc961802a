package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"aidb-mcp/adapters/install"
	"aidb-mcp/internal/commands/register"
)

// setupFlags are the flags of setup.
type setupFlags struct {
	all, list, undo             bool
	yes, approve, replace, test bool
	scope                       string
	scoped                      bool // the scope was given
}

func newSetupCommand(a *app) *cobra.Command {
	var f setupFlags
	cmd := &cobra.Command{
		Use:   "setup CLIENT... | --all | --list | --undo",
		Short: "Register this server with the agents on this machine",
		Long: "Registers this server with MCP clients: by the client's own command where it has one that leaves its other settings as they are,\n" +
			"else by an edit of its file that keeps comments and order. Each change is shown first, and asked about; a backup stays beside the file.\n" +
			"Flags of the server that are given, such as --read-only, are written with it. The clients: " + strings.Join(clientNames(), ", ") + ".",
		Example: "  aidb-mcp setup --list\n" +
			"  aidb-mcp setup codex gemini\n" +
			"  aidb-mcp setup --all --yes\n" +
			"  aidb-mcp setup cursor --scope project\n" +
			"  aidb-mcp setup --undo",
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return clientNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, names []string) error {
			f.scoped = cmd.Flags().Changed("scope")
			return a.setupClients(cmd, names, f)
		},
	}
	fl := cmd.Flags()
	fl.BoolVar(&f.all, "all", false, "every client that is found")
	fl.BoolVar(&f.list, "list", false, "list the clients, where they were found, and whether they know this server")
	fl.BoolVar(&f.undo, "undo", false, "take out what setup has put in, and nothing else")
	fl.StringVar(&f.scope, "scope", "user", "whose `settings`: user (all projects of this user) or project (the project in the working directory, or in --workspace)")
	fl.BoolVarP(&f.yes, "yes", "y", false, "change without asking; widens no approval and replaces no server that is not this one")
	fl.BoolVar(&f.approve, "approve", false, "have the client call the tools without asking, where that is a setting")
	fl.BoolVar(&f.replace, "replace", false, "also where a server that is not this one has the name, or what setup has put in was changed since")
	fl.BoolVar(&f.test, "dry-run", false, "show the changes and make none")
	return cmd
}

func (a *app) setupClients(cmd *cobra.Command, names []string, f setupFlags) error {
	scope := register.Scope(f.scope)
	if scope != register.User && scope != register.Project {
		return fmt.Errorf("--scope %q: want user or project", f.scope)
	}
	if f.all && len(names) > 0 {
		return errors.New("name clients, or say --all")
	}
	project, err := a.workspaceDir()
	if err != nil {
		return err
	}
	machine, err := register.ThisMachine(project)
	if err != nil {
		return err
	}
	clients, err := clientsNamed(names)
	if err != nil {
		return err
	}
	s := &setupRun{
		setupFlags: f, scope: scope, mask: a.mask, out: a.stdout,
		registrar: &register.Registrar{Machine: machine, Notes: filepath.Join(install.Home(), "setup.json")},
	}
	if isTerminal(a.stdin) && !f.test {
		s.in = newAnswers(a.stdin)
	}
	switch {
	case f.undo:
		return s.undoAll(cmd.Context(), clients, len(names) > 0)
	case f.list || !f.all && len(names) == 0:
		return s.listAll(f.list)
	}
	if s.server, err = a.asServer(scope, cmd.Root().PersistentFlags().Changed("workspace")); err != nil {
		return err
	}
	if f.all {
		if clients = s.found(); len(clients) == 0 {
			return errors.New("none of the clients is here (aidb-mcp setup --list shows where they are looked for): name one to write its settings all the same")
		}
	}
	return s.registerAll(cmd.Context(), clients)
}

// clientsNamed are the clients of those names, all for none.
func clientsNamed(names []string) ([]register.Client, error) {
	all := register.Clients()
	if len(names) == 0 {
		return all, nil
	}
	var named []register.Client
	for _, name := range names {
		i := slices.IndexFunc(all, func(c register.Client) bool {
			return strings.EqualFold(c.Name, name) || strings.EqualFold(c.Title, name)
		})
		if i < 0 {
			known := clientNames()
			return nil, fmt.Errorf("there is no client %q: %s", name, meant(name, known, "the clients are "+strings.Join(known, ", ")))
		}
		if !slices.ContainsFunc(named, func(c register.Client) bool { return c.Name == all[i].Name }) {
			named = append(named, all[i])
		}
	}
	return named, nil
}

func clientNames() []string {
	var names []string
	for _, c := range register.Clients() {
		names = append(names, c.Name)
	}
	return names
}

// asServer is how clients start this very binary, held to the flags of this command line.
func (a *app) asServer(scope register.Scope, inWorkspace bool) (register.Server, error) {
	path, err := os.Executable()
	if err != nil {
		return register.Server{}, fmt.Errorf("finding this binary: %w", err)
	}
	if fleeting(path) {
		return register.Server{}, fmt.Errorf("%s may be gone soon, and no client could start it then: install aidb-mcp to stay (docs/packages.md), then run its setup", path)
	}
	s := register.Server{Command: path, Args: []string{"serve"}}
	if found, err := exec.LookPath("aidb-mcp"); err == nil && sameFile(found, path) {
		s.Command = "aidb-mcp"
	}
	for _, rule := range a.rules {
		for _, place := range []string{"--allow-root=", "--config="} { // clients start us anywhere
			if dir, ok := strings.CutPrefix(rule, place); ok {
				if dir, err = filepath.Abs(dir); err != nil {
					return s, fmt.Errorf("finding %s: %w", rule, err)
				}
				rule = place + dir
			}
		}
		s.Args = append(s.Args, rule)
	}
	if inWorkspace && scope == register.User {
		dir, err := a.workspaceDir()
		if err != nil {
			return s, err
		}
		s.Args = append(s.Args, "--workspace="+dir)
	}
	return s, nil
}

// fleeting says whether a binary was made for this run only: by go run, npx or uvx.
func fleeting(path string) bool {
	dir := filepath.ToSlash(filepath.Dir(path))
	return strings.Contains(dir, "/go-build") && strings.HasSuffix(dir, "/exe") || strings.Contains(dir, "/_npx/") || strings.Contains(dir, "/uv/archive-v")
}

func sameFile(a, b string) bool {
	first, err := os.Stat(a)
	if err != nil {
		return false
	}
	second, err := os.Stat(b)
	return err == nil && os.SameFile(first, second)
}
