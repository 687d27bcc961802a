//go:build unix

package boundedfile

import "syscall"

// nonBlocking: a named pipe that has come in a file's place must not hold us.
const nonBlocking = syscall.O_NONBLOCK
