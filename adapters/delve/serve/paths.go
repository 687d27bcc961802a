//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

package serve

import (
	"github.com/go-delve/delve/pkg/locspec"

	"aidb-mcp/adapters/delve/wire"
)

// paths translates between the client's paths and those compiled into the
// program, by the same rules as Delve's session.
type paths struct{ toProgram, toClient [][2]string }

func newPaths(rules []wire.Path) paths {
	var p paths
	for _, r := range rules {
		p.toProgram = append(p.toProgram, [2]string{r.From, r.To})
		p.toClient = append(p.toClient, [2]string{r.To, r.From})
	}
	return p
}

func (p paths) program(file string) string { return substitute(file, p.toProgram) }
func (p paths) client(file string) string  { return substitute(file, p.toClient) }

func substitute(file string, rules [][2]string) string {
	if len(rules) == 0 {
		return file
	}
	return locspec.SubstitutePath(file, rules)
}
