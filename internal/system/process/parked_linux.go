package process

import (
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// Parked says that several threads of a program wait for what threads give each other, and that
// none of its threads would notice a pause: of other calls than theirs the kernel may say to the
// program that they were interrupted. Where it does not tell which they are, the answer is no.
func Parked(pid int) bool {
	dir := "/proc/" + strconv.Itoa(pid) + "/task/"
	threads, err := os.ReadDir(dir)
	if err != nil {
		return false
	}
	waiting := 0
	for _, t := range threads {
		number, _, _ := strings.Cut(string(readStat(dir+t.Name()+"/syscall")), " ")
		call, err := strconv.Atoi(number)
		if err != nil || !slices.Contains(resumed, call) {
			return false
		}
		if call == unix.SYS_FUTEX {
			waiting++
		}
	}
	return waiting > 1
}

// resumed are the calls in which threads wait that the kernel goes on with after a pause; and the
// one in which the runtime of Go waits for events, which asks again by itself.
var resumed = []int{unix.SYS_FUTEX, unix.SYS_NANOSLEEP, unix.SYS_CLOCK_NANOSLEEP, unix.SYS_RESTART_SYSCALL, unix.SYS_WAIT4, unix.SYS_EPOLL_PWAIT}
