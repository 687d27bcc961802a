package delve

import (
	"path/filepath"
	"strings"
	"sync"

	godap "github.com/google/go-dap"
)

// packageNames are the names that files give to their packages, by their paths.
type packageNames struct{ known sync.Map }

func (p *packageNames) of(file string) string {
	if name, ok := p.known.Load(file); ok {
		return name.(string)
	}
	name := ""
	if filepath.Ext(file) == ".go" {
		name = packageName(file)
	}
	p.known.Store(file, name)
	return name
}

// Frame names a function as the source does: Delve takes the end of the package's path
// for the package's name, which it need not be (go-redis, a module's v2).
func (d *dialect) Frame(f godap.StackFrame) godap.StackFrame {
	if f.Source == nil || f.Source.Path == "" {
		return f
	}
	last, rest, found := strings.Cut(f.Name, ".")
	if name := d.packages.of(f.Source.Path); found && name != "" && name != last && !strings.ContainsAny(last, "(/ ") {
		f.Name = name + "." + rest
	}
	return f
}
