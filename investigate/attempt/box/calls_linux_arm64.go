package box

import "golang.org/x/sys/unix"

const auditArch = unix.AUDIT_ARCH_AARCH64

// calls are those by which a program of this machine comes to a file.
var calls = []call{
	{unix.SYS_OPENAT, opens, 0, 1, 2},
	{unix.SYS_OPENAT2, opens, 0, 1, 2},
	{unix.SYS_STATX, looks, 0, 1, 2},
	{unix.SYS_EXECVE, looks, -1, 0, -1},
	{unix.SYS_EXECVEAT, looks, 0, 1, 4},
	{unix.SYS_MKDIRAT, makes, 0, 1, -1},
	{unix.SYS_RENAMEAT, replaces, 2, 3, -1},
	{unix.SYS_RENAMEAT2, replaces, 2, 3, -1},
	{unix.SYS_LINKAT, replaces, 2, 3, -1},
	{unix.SYS_FSTATAT, looks, 0, 1, 3},
}
