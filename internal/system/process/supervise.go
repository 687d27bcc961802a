package process

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"slices"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"
)

// superviseCommand is the hidden command that turns this binary into a supervisor.
const superviseCommand = "supervise"

// init makes a supervisor of this process when it was started to be one. It
// does not wait for main: a supervisor stands between each session's start and
// its first stop, and the packages that are initialised after this one, the
// debugger's among them, would cost it a third of its time for nothing.
func init() {
	if len(os.Args) < 2 || os.Args[1] != superviseCommand {
		return
	}
	o, err := parseOrder(os.Args[2:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "supervise is an internal command:", err)
		os.Exit(2)
	}
	supervise(o)
	os.Exit(0)
}

// Executable is the path of this very binary, for re-execution. It stays right
// on Linux when the file has been replaced or removed since we started: what we
// start is what we are, and understands us.
func Executable() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("finding our own executable: %w", err)
	}
	if runtime.GOOS != "linux" {
		return path, nil
	}
	const self = "/proc/self/exe"
	running, err := os.Stat(self)
	if err != nil {
		return path, nil
	}
	if there, err := os.Stat(path); err != nil || !os.SameFile(there, running) {
		return self, nil
	}
	return path, nil
}

// order is what a supervisor is told on its command line.
type order struct {
	lifeline uintptr       // descriptor, or handle on Windows; it ends when our starter does
	report   uintptr       // where report.go's lines go
	farewell time.Duration // see Spec
	duty     *duty         // nil without one
	lingers  bool          // see Spec
	remove   []string
	path     string
	args     []string
}

// command puts o in the form that parseOrder reads: lifeline report milliseconds release lingers [dir...] -- path [arg...]
func (o order) command() []string {
	args := []string{superviseCommand, fmt.Sprint(o.lifeline), fmt.Sprint(o.report), fmt.Sprint(o.farewell.Milliseconds()), o.duty.String(), strconv.FormatBool(o.lingers)}
	args = append(args, o.remove...)
	args = append(args, "--", o.path)
	return append(args, o.args...)
}

func parseOrder(args []string) (order, error) {
	cut := slices.Index(args, "--")
	if cut < 5 || cut == len(args)-1 {
		return order{}, errors.New("it wants: lifeline report milliseconds release lingers [dir...] -- path [arg...]")
	}
	lifeline, err := strconv.ParseUint(args[0], 10, 64)
	if err != nil {
		return order{}, fmt.Errorf("parsing the lifeline: %w", err)
	}
	report, err := strconv.ParseUint(args[1], 10, 64)
	if err != nil {
		return order{}, fmt.Errorf("parsing the report: %w", err)
	}
	farewell, err := strconv.ParseUint(args[2], 10, 31)
	if err != nil {
		return order{}, fmt.Errorf("parsing the farewell: %w", err)
	}
	duty, err := parseDuty(args[3])
	if err != nil {
		return order{}, err
	}
	lingers, err := strconv.ParseBool(args[4])
	if err != nil {
		return order{}, fmt.Errorf("parsing whether it lingers: %w", err)
	}
	return order{
		duty:     duty,
		lingers:  lingers,
		lifeline: uintptr(lifeline),
		report:   uintptr(report),
		farewell: time.Duration(farewell) * time.Millisecond,
		remove:   args[5:cut],
		path:     args[cut+1],
		args:     args[cut+2:],
	}, nil
}

// supervisor prepares the command that carries out o over the wires.
func supervisor(o order, spec Spec, w *wires) (*exec.Cmd, error) {
	self, err := Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(self)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = w.stdin.r, w.stdout.w, w.stderr.w
	if err := hand(cmd, &o, spec, w.lifeline.r, w.report.w); err != nil {
		return nil, err
	}
	cmd.Args = append(cmd.Args, o.command()...)
	return cmd, nil
}

// supervise carries out an order in the supervisor process. The goroutine that
// starts the child keeps its thread, because on Linux the child dies with the
// thread that started it. Of the others one waits for the lifeline to end, and
// one for that or a signal, to kill everybody.
func supervise(o order) {
	runtime.LockOSThread()
	lifeline := os.NewFile(o.lifeline, "lifeline")
	report := os.NewFile(o.report, "report")

	var child charge
	before := o.duty.look()
	err := makeAll(o.remove)
	if err == nil {
		reportReady(report)
		if _, err = lifeline.Read(make([]byte, 1)); err == nil {
			child, err = launch(o)
		}
	}
	if err != nil {
		bury()
		removeAll(o.remove)
		reportFailed(report, err)
		return
	}
	reportStarted(report, child.pid())

	end := make(chan os.Signal, 1)
	signal.Notify(end, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	var isOver atomic.Bool // who lingers is ended
	go func() {
		<-end
		isOver.Store(true)
		o.duty.release(child)
		slay(family(os.Getpid()))
	}()
	go func() {
		if ordered, _ := io.Copy(io.Discard, lifeline); ordered == 0 {
			<-time.After(o.farewell) // our starter has died; the child may end by itself
		}
		end <- syscall.SIGTERM
	}()

	ended := child.wait()
	if o.lingers {
		reportExited(report, ended)
		linger(&isOver)
	} else {
		reportLeft(report, settledChildren(os.Getpid(), child.pid()))
	}
	bury()
	o.duty.mend(before, ended.signal == 0)
	removeAll(o.remove)
	if o.lingers {
		reportGone(report)
	} else {
		reportExited(report, ended)
	}
}

// makeAll makes the scratch directories that are not there yet. It is done here,
// and not where they are named, so that they go whenever the server is killed.
func makeAll(dirs []string) error {
	for _, dir := range dirs {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	return nil
}

// removeAll deletes the scratch directories. An error has nobody to hear it:
// what cannot be removed now never will be.
func removeAll(dirs []string) {
	for _, dir := range dirs {
		os.RemoveAll(dir)
	}
}
