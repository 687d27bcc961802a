//go:build linux && !amd64 && !arm64

package box

// calls: of this machine's system calls none is watched.
var calls []call

const auditArch = 0
