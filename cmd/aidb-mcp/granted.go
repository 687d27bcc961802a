package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/cluster/span"
	"aidb-mcp/internal/serving/gateway"
	"aidb-mcp/internal/serving/grants"
	"aidb-mcp/internal/serving/pool"
	"aidb-mcp/internal/system/boundedfile"
)

// maxGrants is the size of a file of grants, in bytes.
const maxGrants = 4 << 20

// readGrants reads what each principal may do, nil if no file says it. What a grant allows
// must be allowed here, and the gateway's own files may lie in none of its folders.
func (a *app) readGrants(foreign bool) (grants.File, error) {
	name := a.site.grantsFile
	if name == "" {
		return nil, nil
	}
	text, info, err := boundedfile.ReadInfo(name, maxGrants)
	if err == nil {
		err = gateway.CheckRules(info)
	}
	if err != nil {
		return nil, fmt.Errorf("reading --principals: %w", err)
	}
	file, err := grants.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("--principals %s: %w", name, err)
	}
	for principal, grant := range file {
		if grant.Workspaces != nil && a.site.member.where == "" {
			return nil, fmt.Errorf("--principals %s: %q: only a cluster has workspaces (--cluster), and this server has one directory: use allow-root", name, principal)
		}
		if err := a.checkTenant(grant.Tenant); err != nil {
			return nil, fmt.Errorf("--principals %s: %q: tenant: %w", name, principal, err)
		}
		if foreign && (grant.Folders != nil || grant.ReadOnly || grant.NoAttach) {
			return nil, fmt.Errorf("--principals %s: %q: allow-root, read-only and no-attach are of this debugger, and another server is served", name, principal)
		}
		if err := a.checkFolders(grant.Folders); err != nil {
			return nil, fmt.Errorf("--principals %s: %q: %w", name, principal, err)
		}
	}
	return file, nil
}

// checkTenant refuses a tenant where this gateway cannot choose one.
func (a *app) checkTenant(tenant string) error {
	switch where := a.site.member.where; {
	case tenant == "":
		return nil
	case where == "":
		return errors.New("only a cluster has tenants (--cluster embedded)")
	case where != embedded:
		return errors.New("this gateway has joined a cluster, as a member of one tenant: name tenants in the file of the gateway that has --cluster embedded")
	}
	return span.CheckName(tenant)
}

// checkFolders refuses folders that are none, that lie outside of what the server may use,
// or that hold what is the gateway's own.
func (a *app) checkFolders(folders []string) error {
	if len(folders) == 0 {
		return nil
	}
	if a.site.member.where != "" { // they lie on the machines, each of which checks them against its own
		for _, folder := range folders {
			if !filepath.IsAbs(folder) {
				return fmt.Errorf("allow-root %s: want an absolute path", folder)
			}
			if prepare.Exists(folder) {
				if err := a.keepOut([]string{folder}); err != nil {
					return err
				}
			}
		}
		return nil
	}
	server, err := a.policy.Within(a.allowed)
	if err != nil {
		return err
	}
	for _, folder := range folders {
		if !filepath.IsAbs(folder) {
			return fmt.Errorf("allow-root %s: want an absolute path", folder)
		}
		if !server.Allows(folder) {
			return fmt.Errorf("allow-root %s lies outside of the server's own --allow-root %s", folder, &a.allowed)
		}
	}
	return a.keepOut(folders)
}

// commands are how the worker of each principal is started, and how many it may have.
func (a *app) commands(usual []string, current *grants.Current) func(principal string) pool.Rules {
	return func(principal string) pool.Rules {
		g := current.Of(principal)
		return pool.Rules{Command: narrowed(usual, g), Workers: g.Workers}
	}
}

// narrow makes the command by which a machine of a cluster starts a principal's worker in one of
// its workspaces. The worker may do what both the machine and the grant allow. Of the grant's
// folders those count that lie within the machine's. If a grant names workspaces and no folders,
// the folder is that of the workspace.
func (a *app) narrow(usual []string) func(dir string, g grants.Grant) ([]string, error) {
	return func(dir string, g grants.Grant) ([]string, error) {
		machine, err := a.policy.Within(a.allowed)
		if err != nil {
			return nil, err
		}
		wanted := g.Folders
		if wanted == nil && g.Workspaces != nil {
			wanted = []string{dir}
		}
		if wanted == nil {
			return narrowed(usual, g), nil
		}
		g.Folders = nil
		for _, folder := range wanted {
			if machine.Allows(folder) && a.keepOut([]string{folder}) == nil {
				g.Folders = append(g.Folders, folder)
			}
		}
		if len(g.Folders) == 0 {
			return nil, fmt.Errorf("none of its folders (%s) lies within those that this machine allows", strings.Join(wanted, ", "))
		}
		within, err := a.policy.Within(g.Folders)
		if err != nil {
			return nil, err
		}
		if !within.Allows(dir) {
			return nil, fmt.Errorf("its directory %s lies outside of the folders that are allowed (%s)", dir, strings.Join(g.Folders, ", "))
		}
		return narrowed(usual, g), nil
	}
}

// narrowed is a command of ours with what a grant says in addition; its folders stand in
// the place of the server's.
func narrowed(usual []string, g grants.Grant) []string {
	command := make([]string, 0, len(usual)+len(g.Folders)+2)
	for _, word := range usual {
		flag, _, _ := strings.Cut(word, "=")
		if len(g.Folders) == 0 || word == hereWorkspace || flag != "--allow-root" && flag != "--workspace" {
			command = append(command, word)
		}
	}
	for _, folder := range g.Folders {
		command = append(command, "--allow-root="+folder)
	}
	if g.ReadOnly {
		command = append(command, "--read-only=true")
	}
	if g.NoAttach {
		command = append(command, "--no-attach=true")
	}
	return command
}
