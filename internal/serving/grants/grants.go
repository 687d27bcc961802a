// Package grants is what each principal of a gateway may do, as a file says it: less than
// the server may, never more. It decides nothing about programs: what it says of folders
// and of attaching, a worker is told when it starts.
package grants

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"sync/atomic"
)

// Grant is what one principal may do. Zero values leave what the server allows.
type Grant struct {
	Folders    []string `json:"allow-root,omitempty"`
	ReadOnly   bool     `json:"read-only,omitempty"`
	NoAttach   bool     `json:"no-attach,omitempty"`
	Tools      []string `json:"tools,omitempty"`            // those that may be called; nil: all
	Workspaces []string `json:"workspaces,omitempty"`       // of a cluster, that may be worked in; nil: all
	Tenant     string   `json:"tenant,omitempty"`           // of a cluster, whose machines are all that there are for it
	Workers    int      `json:"workers,omitempty"`          // at once
	Calls      int      `json:"calls-per-minute,omitempty"` // of all methods
	Operator   bool     `json:"operator,omitempty"`         // may see what everybody's workers do
}

// Others is the name that stands for all principals whose own is not in the file.
const Others = "*"

// File is all grants, by the names of principals.
type File map[string]Grant

// The bounds of what a file may say.
const (
	mostWorkers = 10_000
	mostCalls   = 1_000_000
	mostNames   = 10_000
)

// Parse reads a file of grants: an object with one for each name.
func Parse(text []byte) (File, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields() // a word that is misspelled would allow what it should refuse
	var file File
	if err := decoder.Decode(&file); err != nil {
		return nil, fmt.Errorf("want an object with what each principal may do: %w", err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, fmt.Errorf("want one object, and there is more behind it")
	}
	if file == nil || len(file) > mostNames {
		return nil, fmt.Errorf("want an object with 1 to %d principals", mostNames)
	}
	for name, g := range file {
		if err := g.check(); err != nil {
			return nil, fmt.Errorf("%q: %w", name, err)
		}
	}
	return file, nil
}

func (g Grant) check() error {
	switch {
	case slices.Contains(g.Folders, ""), g.Folders != nil && len(g.Folders) == 0:
		return fmt.Errorf("allow-root: want a list of directories, or leave it out")
	case slices.Contains(g.Tools, ""), g.Tools != nil && len(g.Tools) == 0:
		return fmt.Errorf("tools: want a list of tools, or leave it out")
	case slices.Contains(g.Workspaces, ""), g.Workspaces != nil && len(g.Workspaces) == 0:
		return fmt.Errorf("workspaces: want a list of the names of workspaces, or leave it out")
	case g.Workers < 0 || g.Workers > mostWorkers:
		return fmt.Errorf("workers: want a whole number from 1 to %d", mostWorkers)
	case g.Calls < 0 || g.Calls > mostCalls:
		return fmt.Errorf("calls-per-minute: want a whole number from 1 to %d", mostCalls)
	}
	return nil
}

// Of is what a principal may do.
func (f File) Of(principal string) Grant {
	if g, ok := f[principal]; ok {
		return g
	}
	return f[Others]
}

// Allows says whether a tool may be called.
func (g Grant) Allows(tool string) bool { return g.Tools == nil || slices.Contains(g.Tools, tool) }

// MayUse says whether a workspace of a cluster may be worked in.
func (g Grant) MayUse(workspace string) bool {
	return g.Workspaces == nil || slices.Contains(g.Workspaces, workspace)
}

// Same says that two grants allow the same.
func (g Grant) Same(h Grant) bool {
	return slices.Equal(g.Folders, h.Folders) && slices.Equal(g.Tools, h.Tools) && slices.Equal(g.Workspaces, h.Workspaces) &&
		g.Tenant == h.Tenant && g.ReadOnly == h.ReadOnly && g.NoAttach == h.NoAttach && g.Workers == h.Workers && g.Calls == h.Calls
}

// Tenants are those that the file names.
func (f File) Tenants() (all []string) {
	for _, g := range f {
		if g.Tenant != "" && !slices.Contains(all, g.Tenant) {
			all = append(all, g.Tenant)
		}
	}
	slices.Sort(all)
	return all
}

// Current is the file that counts now. Nil and the zero value allow all.
type Current struct{ file atomic.Pointer[File] }

// Renew puts another file in the place of the one that has counted so far.
func (c *Current) Renew(f File) { c.file.Store(&f) }

// Of is what a principal may do now.
func (c *Current) Of(principal string) Grant {
	if c == nil {
		return Grant{}
	}
	if f := c.file.Load(); f != nil {
		return f.Of(principal)
	}
	return Grant{}
}
