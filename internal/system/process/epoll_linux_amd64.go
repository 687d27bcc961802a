package process

import "syscall"

// epollWait is the number of the older call that waits for events.
const epollWait = syscall.SYS_EPOLL_WAIT
