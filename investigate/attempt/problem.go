package attempt

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"

	"aidb-mcp/internal/changes/attempts"
	"aidb-mcp/internal/text/pattern"
	"aidb-mcp/internal/text/secret"
)

// Latest is the problem of a workspace on which was worked last; nil where nothing was.
// Its Start is as it may be shown, and empty where that cannot be made again.
func (e *Engine) Latest(ctx context.Context, workspace string) (*Problem, error) {
	found, err := e.Memory.Latest(ctx, workspaceIdentity(workspace))
	if err != nil {
		return nil, unreadableError(err)
	}
	if found == nil {
		return nil, nil
	}
	p := &Problem{ID: found.ID, Workspace: workspace, Start: found.Check, Latest: found.Check}
	if len(p.Start) == 0 || p.Start[0] != '{' || bytes.Contains(p.Start, []byte(secret.Mask)) {
		p.Start = nil
	}
	return p, nil
}

// saveProblem makes the problem the latest of its workspace.
func (w *work) saveProblem(ctx context.Context, r *Result) {
	p := attempts.Problem{ID: w.ID, Workspace: workspaceIdentity(w.Workspace), At: w.begun, Check: w.Mask.JSON(w.Start)}
	if err := w.Memory.Begin(ctx, p); err != nil {
		r.Warnings = append(r.Warnings, "it is not remembered as what was worked on last: "+err.Error())
	}
}

// ProblemID names a check of a workspace in the memory: the start in one form.
func ProblemID(workspace, start string) string {
	return attempts.ID(workspaceIdentity(workspace), start)
}

var remote = pattern.New(`(?m)^\s*url\s*=\s*(\S+)\s*$`)

// workspaceIdentity names a workspace on every machine that has it: by where its repository comes
// from and its place in that, else by its path here.
func workspaceIdentity(workspace string) string {
	for dir, rest := workspace, "."; ; {
		text, err := os.ReadFile(filepath.Join(dir, ".git", "config"))
		if m := remote.FindStringSubmatch(string(text)); err == nil && m != nil {
			url := m[1]
			if at := strings.LastIndexByte(url, '@'); at >= 0 { // a name, or a token
				url = url[at+1:]
			}
			return strings.TrimSuffix(url, ".git") + " " + filepath.ToSlash(rest)
		}
		up := filepath.Dir(dir)
		if up == dir {
			return workspace
		}
		rest = filepath.Join(filepath.Base(dir), rest)
		dir = up
	}
}
