//go:build !unix

package store

import "io/fs"

// openToOthers: the rights of Windows are those of the folder, which is the
// user's own.
func openToOthers(fs.FileInfo, bool) string { return "" }
