package install

import (
	"context"
	"os"
	"strings"

	"aidb-mcp/internal/fault"
)

// Pin lists what an archive holds of a component, as a file of pins/: for the
// maintainers, who compare it with what the publisher states.
func Pin(ctx context.Context, component string, archives []string) (string, error) {
	c, ok := find(component)
	if !ok {
		return "", fault.New(fault.InvalidParam, "there is no component %q", component).WithHint("there are %s", strings.Join(names(), ", "))
	}
	dir, err := os.MkdirTemp("", "aidb-pin-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	files, err := unpack(ctx, c, archives, dir, nil, func(int64, int64) {})
	if err != nil {
		return "", err
	}
	var foreign []File
	for _, f := range files {
		if _, ours := c.Own[f.Path]; !ours && !c.isUnwanted(f.Path) {
			foreign = append(foreign, f)
		}
	}
	return FormatFiles(foreign), nil
}

func names() []string {
	var all []string
	for _, c := range components() {
		all = append(all, c.Name)
	}
	return all
}

// isUnwanted says that a file is for other platforms than those that need them, or for the
// developers of the component; they are left out.
func (c Component) isUnwanted(path string) bool {
	for _, suffix := range []string{".pdb", ".node", ".sha256", "/manifest.json", "/vsDebugServer.js"} {
		if strings.HasSuffix(path, suffix) {
			return true
		}
	}
	return false
}
