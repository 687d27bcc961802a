//go:build !unix

package store

import "io/fs"

// othersAccess is empty here: the rights of Windows are those of the folder, which is the
// user's own.
func othersAccess(fs.FileInfo, bool) string { return "" }
