//go:build linux

package test

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/go-delve/delve/service"
	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/debugger"
	"github.com/go-delve/delve/service/rpccommon"
)

// helperRole makes the test binary something else than tests: Delve waits for
// any child, so it must not share a process with them.
const helperRole = "AIDB_TEST_HELPER"

// helper does the work of a helper process and says whether it was one.
func helper() bool {
	var err error
	switch os.Getenv(helperRole) {
	case "":
		return false
	case "core":
		err = dumpCore(os.Args[1], os.Args[2], os.Args[3])
	case "headless":
		err = serveHeadless(os.Args[1], len(os.Args) == 2)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return true
}

// helperCommand is the command line of a helper.
func helperCommand(t *testing.T, role string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), helperRole+"="+role)
	cmd.Stderr = os.Stderr
	return cmd
}

// dumpCore runs a program up to a location and writes a core file there.
func dumpCore(bin, location, file string) error {
	d, err := debugger.New(&debugger.Config{Backend: "default", ExecuteKind: debugger.ExecutingExistingFile}, []string{bin})
	if err != nil {
		return err
	}
	defer func() { _ = d.Detach(true) }()
	if _, err := d.CreateBreakpoint(&api.Breakpoint{}, location, nil, false); err != nil {
		return err
	}
	if _, err := d.Command(&api.DebuggerCommand{Name: api.Continue}, nil, nil, nil); err != nil {
		return err
	}
	if err := d.DumpStart(file); err != nil {
		return err
	}
	return d.DumpWait(time.Minute).Err
}

// serveHeadless is "dlv exec --headless", for many clients with
// --accept-multiclient: it prints its port and serves until it is killed.
func serveHeadless(bin string, many bool) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := rpccommon.NewServer(&service.Config{
		Listener: listener, ProcessArgs: []string{bin}, AcceptMulti: many, APIVersion: 2, DisconnectChan: make(chan struct{}),
		Debugger: debugger.Config{Backend: "default", ExecuteKind: debugger.ExecutingExistingFile, CheckGoVersion: true},
	})
	if err := server.Run(); err != nil {
		return err
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	var forever chan struct{}
	<-forever
	return nil
}
