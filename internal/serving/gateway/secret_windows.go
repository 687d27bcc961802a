package gateway

import "io/fs"

// openToOthers: a user's own folders are closed to others here.
func openToOthers(fs.FileInfo) string { return "" }

func keyOpenToOthers(fs.FileInfo) string { return "" }
