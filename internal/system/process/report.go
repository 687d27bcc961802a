package process

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"syscall"
)

// The supervisor reports to us in three lines: "ready" when the scratch
// directories are made, upon which it waits for our word on the lifeline;
// "started PID"; "left PID COMMAND" (a Go string) for each process that outlived the child; "parent" when it has waited for processes of its own; and once everyone is gone "exited CODE" or "signaled NUMBER".
// Of a child that lingers this comes when it has itself ended, and "gone" is the last, once everyone is.
// "failed REASON" (a Go string) in place of one of the first two is its last.

var killedStatus = ExitStatus{Code: -1, Signal: "killed", Number: int(syscall.SIGKILL)}

func reportReady(w io.Writer) { fmt.Fprintln(w, "ready") }

func reportStarted(w io.Writer, pid int) { fmt.Fprintf(w, "started %d\n", pid) }

func reportFailed(w io.Writer, err error) { fmt.Fprintf(w, "failed %q\n", err) }

func reportLeft(w io.Writer, left []Other) {
	for _, o := range left {
		fmt.Fprintf(w, "left %d %q\n", o.PID, o.Command)
	}
}

func reportExited(w io.Writer, e ending) {
	if e.parent {
		fmt.Fprintln(w, "parent")
	}
	if e.signal != 0 {
		fmt.Fprintf(w, "signaled %d\n", e.signal)
	} else {
		fmt.Fprintf(w, "exited %d\n", e.code)
	}
}

func reportGone(w io.Writer) { fmt.Fprintln(w, "gone") }

// readGone waits until everyone is gone. An error: the supervisor was killed before.
func readGone(r *bufio.Reader) error {
	if word, _, err := readReport(r); word != "gone" {
		return fmt.Errorf("the supervisor ended early: %w", cmp.Or(err, io.ErrUnexpectedEOF))
	}
	return nil
}

// ending is how the supervised child ended: a signal, else a code.
type ending struct {
	signal, code int
	parent       bool // it had started other processes and waited for their end
}

func readReady(r *bufio.Reader) error {
	_, err := readSuccess(r, "ready")
	return err
}

func readStarted(r *bufio.Reader) (pid int, err error) {
	value, err := readSuccess(r, "started")
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(value)
}

// readSuccess reads the line that tells of a success, or why there was none.
func readSuccess(r *bufio.Reader, success string) (value string, err error) {
	word, value, err := readReport(r)
	switch {
	case err != nil:
		return "", fmt.Errorf("the supervisor ended: %w", err)
	case word == success:
		return value, nil
	}
	reason, err := strconv.Unquote(value)
	if err != nil {
		return "", fmt.Errorf("reading the supervisor's report: %w", err)
	}
	return "", errors.New(reason)
}

func readExited(r *bufio.Reader) (status ExitStatus, left []Other, parent bool, err error) {
	word, value, err := readReport(r)
	for ; err == nil && (word == "left" || word == "parent"); word, value, err = readReport(r) {
		if word == "parent" {
			parent = true
			continue
		}
		pid, quoted, _ := strings.Cut(value, " ")
		o := Other{}
		if o.PID, err = strconv.Atoi(pid); err != nil {
			return status, left, parent, err
		}
		if o.Command, err = strconv.Unquote(quoted); err != nil {
			return status, left, parent, err
		}
		left = append(left, o)
	}
	if err != nil {
		return status, left, parent, err
	}
	n, err := strconv.Atoi(value)
	if word == "signaled" {
		return ExitStatus{Code: -1, Signal: syscall.Signal(n).String(), Number: n}, left, parent, err
	}
	return ExitStatus{Code: n}, left, parent, err
}

func readReport(r *bufio.Reader) (word, value string, err error) {
	line, err := r.ReadString('\n')
	word, value, _ = strings.Cut(strings.TrimSuffix(line, "\n"), " ")
	return word, value, err
}
