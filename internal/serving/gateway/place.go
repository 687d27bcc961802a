package gateway

import (
	"cmp"
	"net/http"

	"aidb-mcp/internal/mcp/answer"
	"aidb-mcp/internal/serving/pool"
)

// Where a client says what it wants to work on: by the last step of the address, or by
// a header; and which machine by a label.
const (
	workspaceInPath = "workspace"
	workspaceHeader = "Aidb-Workspace"
	labelHeader     = "Aidb-Label"
	maxPlaceName    = 200 // bytes
)

func clientOf(r *http.Request) pool.Client {
	return pool.Client{
		Principal: principalOf(r),
		Workspace: cmp.Or(r.PathValue(workspaceInPath), r.Header.Get(workspaceHeader)),
		Label:     r.Header.Get(labelHeader),
	}
}

// mayName refuses a client that says where it wants to work and cannot. False: it has
// been answered.
func (g *Gateway) mayName(w http.ResponseWriter, r *http.Request) bool {
	who := clientOf(r)
	header := r.Header.Get(workspaceHeader)
	switch {
	case who.Workspace == "" && who.Label == "":
		return true
	case !g.o.Pool.Named():
		refuse(w, http.StatusBadRequest, answer.CodeInvalidRequest, "%s and %s name a place in a cluster, and this server is none (--cluster)", workspaceHeader, labelHeader)
	case len(who.Workspace) > maxPlaceName || len(who.Label) > maxPlaceName:
		refuse(w, http.StatusBadRequest, answer.CodeInvalidRequest, "%s and %s may have %d bytes", workspaceHeader, labelHeader, maxPlaceName)
	case header != "" && header != who.Workspace:
		refuse(w, http.StatusBadRequest, answer.CodeInvalidRequest, "the address names the workspace %q, and %s %q", shorten(who.Workspace), workspaceHeader, shorten(header))
	default:
		return true
	}
	return false
}
