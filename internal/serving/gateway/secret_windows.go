package gateway

import "io/fs"

// othersAccess is empty here: a user's own folders are closed to others here.
func othersAccess(fs.FileInfo) string { return "" }

func othersKeyAccess(fs.FileInfo) string { return "" }

func othersWriteAccess(fs.FileInfo) string { return "" }
