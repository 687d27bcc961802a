//go:build !windows

package span

import "io/fs"

// isOpen says that others than its owner may read a file.
func isOpen(mode fs.FileMode) bool { return mode.Perm()&0o077 != 0 }
