//go:build unix

package store

import (
	"io/fs"
	"os"
	"syscall"
)

// othersAccess says why another user can change a file, if one can. A folder may
// be the administrator's, and the user's own group may write where that is usual.
func othersAccess(info fs.FileInfo, folder bool) string {
	owner, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	own := owner.Uid == uint32(os.Geteuid()) || folder && owner.Uid == 0
	mode, ours := info.Mode().Perm(), owner.Gid == uint32(os.Getegid())
	switch {
	case mode&0o002 != 0, mode&0o020 != 0 && !ours:
		return "can be written by other users"
	case !own:
		return "belongs to another user"
	}
	return ""
}
