package install

import (
	"context"
	"os"
	"slices"
	"strings"
)

// Pin lists what an archive holds of a component, as the component is pinned by: for the
// maintainers, who compare it with what the publisher states.
func (c Component) Pin(ctx context.Context, archives []string) (string, error) {
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

// isUnwanted says that a file is for other platforms than those that need them, or for the
// developers of the component; they are left out.
func (c Component) isUnwanted(path string) bool {
	return slices.ContainsFunc(c.Unwanted, func(end string) bool { return strings.HasSuffix(path, end) })
}
