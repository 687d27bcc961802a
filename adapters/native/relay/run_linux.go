package relay

import (
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"aidb-mcp/internal/system/process"
)

// init makes a relay of this process when LLDB has started it for its server, before
// packages are initialised that it does not need.
func init() {
	server := os.Getenv(ServerName)
	if len(os.Args) < 2 || os.Args[1] != serverCommand || server == "" {
		return
	}
	if err := run(server, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "standing between LLDB and the program:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

const descriptorFlag = "--fd=" // of LLDB's end of a pair of sockets

// run starts the server and stands between. Where LLDB has not given it a connection, it
// becomes the server instead.
func run(server string, args []string) error {
	at, client, err := connection(args)
	if err != nil {
		return err
	}
	if at < 0 {
		return syscall.Exec(server, append([]string{server}, args...), os.Environ())
	}
	// Whoever ends processes by name or by group is to end neither of us: the program would
	// be left with what is in it. The server inherits it.
	signal.Ignore(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGPIPE)
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("connecting with the server: %w", err)
	}
	ours, theirs := os.NewFile(uintptr(pair[0]), "server"), os.NewFile(uintptr(pair[1]), "relay")
	cmd := exec.Command(server, args...)
	cmd.Args[1+at] = descriptorFlag + "3"
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.ExtraFiles = os.Stdin, os.Stdout, os.Stderr, []*os.File{theirs}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("starting the server: %w", err)
	}
	theirs.Close()
	relayPackets(client, ours, os.Getenv(socketName), os.Getenv(ownerName))
	// Closing them would not reach the other side as long as somebody reads here.
	_ = unix.Shutdown(pair[0], unix.SHUT_RDWR)
	_ = unix.Shutdown(int(client.Fd()), unix.SHUT_RDWR)
	return cmd.Wait()
}

// relayPackets passes packets on until the program was let go.
func relayPackets(client, server io.ReadWriter, socket, owner string) {
	r := &relay{
		client: client, server: server,
		fromClient: packets(client), fromServer: packets(server),
		places: map[string]bool{}, saved: map[string]string{},
	}
	asked, gone := make(chan net.Conn), make(chan struct{})
	if listener, err := net.Listen("unix", socket); err == nil {
		defer listener.Close()
		go listen(listener, asked)
	}
	first, _ := strconv.Atoi(owner)
	go awaitFirstExit([]int{first, process.ParentOf(os.Getppid())}, gone)
	r.serve(asked, gone)
}

// connection finds LLDB's end among the arguments; at is -1 where there is none.
func connection(args []string) (at int, client *os.File, err error) {
	for i, arg := range args {
		if number, ok := strings.CutPrefix(arg, descriptorFlag); ok {
			fd, err := strconv.Atoi(number)
			if err != nil {
				return -1, nil, fmt.Errorf("reading %s: %w", arg, err)
			}
			unix.CloseOnExec(fd)
			return i, os.NewFile(uintptr(fd), "lldb"), nil
		}
	}
	return -1, nil, nil
}

// listen takes the first who asks for the program to be let go.
func listen(listener net.Listener, asked chan<- net.Conn) {
	if conn, err := listener.Accept(); err == nil {
		asked <- conn
	}
}
