package process

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"syscall"
)

// The supervisor reports to us in two lines: "started PID" or "failed REASON"
// (a Go string), and once everyone is gone "exited CODE" or "signaled NUMBER".

var killedStatus = ExitStatus{Code: -1, Signal: "killed", Number: int(syscall.SIGKILL)}

func reportStarted(w io.Writer, pid int) { fmt.Fprintf(w, "started %d\n", pid) }

func reportFailed(w io.Writer, err error) { fmt.Fprintf(w, "failed %q\n", err) }

func reportExited(w io.Writer, e ending) {
	if e.signal != 0 {
		fmt.Fprintf(w, "signaled %d\n", e.signal)
	} else {
		fmt.Fprintf(w, "exited %d\n", e.code)
	}
}

// ending is how the supervised child ended: a signal, else a code.
type ending struct{ signal, code int }

func readStarted(r *bufio.Reader) (pid int, err error) {
	word, value, err := readReport(r)
	switch {
	case err != nil:
		return 0, fmt.Errorf("the supervisor ended: %w", err)
	case word == "started":
		return strconv.Atoi(value)
	}
	reason, err := strconv.Unquote(value)
	if err != nil {
		return 0, fmt.Errorf("reading the supervisor's report: %w", err)
	}
	return 0, errors.New(reason)
}

func readExited(r *bufio.Reader) (ExitStatus, error) {
	word, value, err := readReport(r)
	if err != nil {
		return ExitStatus{}, err
	}
	n, err := strconv.Atoi(value)
	if word == "signaled" {
		return ExitStatus{Code: -1, Signal: syscall.Signal(n).String(), Number: n}, err
	}
	return ExitStatus{Code: n}, err
}

func readReport(r *bufio.Reader) (word, value string, err error) {
	line, err := r.ReadString('\n')
	word, value, _ = strings.Cut(strings.TrimSuffix(line, "\n"), " ")
	return word, value, err
}
