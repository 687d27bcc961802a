//go:build linux

package debugpy

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// knocking connects to a listener as ourselves and as another user, with sockets of
// both families, and says who was let in. Each that does not stay has gone before
// it is looked at.
const knocking = `
import signal
import struct

def connect(family, host, port, user, ending):
    pid = os.fork()
    if pid:
        return pid
    os.setuid(user)
    sock = socket.socket(family)
    sock.connect((host, port))
    sock.sendall(b"Content-Length: ")
    if ending == "resets":
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    if ending != "stays":
        os._exit(0)
    signal.pause()

print("told", is_told())
for user in (0, 65534):
    for family, host in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::ffff:127.0.0.1")):
        for ending in ("stays", "closes", "resets"):
            with socket.socket() as listener:
                listener.bind(("127.0.0.1", 0))
                listener.listen(1)
                pid = connect(family, host, listener.getsockname()[1], user, ending)
                if ending != "stays":
                    os.waitpid(pid, 0)
                sock, _ = listener.accept()
                let_in = []
                guarded(lambda name, handler: handler(sock), "", True)("Server", let_in.append)
                for thread in threading.enumerate():
                    if thread is not threading.current_thread():
                        thread.join()
                print(user, host, ending, "is let in" if let_in else "is turned away")
                sock.close()
                if ending == "stays":
                    os.kill(pid, signal.SIGKILL)
                    os.waitpid(pid, 0)
`

// listeners is the text of listeners.py.
func listeners(t *testing.T) string {
	t.Helper()
	text, err := boot.ReadFile("boot/listeners.py")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Only who certainly is our user is let in: not who connects with a socket of the
// other family, whose row stands in another table, and not who has closed already,
// whose row calls the connection root's.
func TestStrangersAreTurnedAway(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Fatal("only root can be another user: run the tests as root, as CI does")
	}
	out, err := exec.Command("python3", "-I", "-c", listeners(t)+knocking).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	const want = `told True
0 127.0.0.1 stays is let in
0 127.0.0.1 closes is turned away
0 127.0.0.1 resets is turned away
0 ::ffff:127.0.0.1 stays is let in
0 ::ffff:127.0.0.1 closes is turned away
0 ::ffff:127.0.0.1 resets is turned away
65534 127.0.0.1 stays is turned away
65534 127.0.0.1 closes is turned away
65534 127.0.0.1 resets is turned away
65534 ::ffff:127.0.0.1 stays is turned away
65534 ::ffff:127.0.0.1 closes is turned away
65534 ::ffff:127.0.0.1 resets is turned away
`
	if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(string(out), "\n")); diff != "" {
		t.Error(diff)
	}
}

// waiting hears one caller after the other, as debugpy does, and each until it speaks.
const waiting = `
def serve(name, handler):
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(2)
        with socket.create_connection(listener.getsockname()), socket.create_connection(listener.getsockname()) as second:
            second.sendall(b"hello")
            for _ in range(2):
                handler(listener.accept()[0])
            heard.wait(10)

heard = threading.Event()

def hear(sock):
    if sock.recv(5):
        heard.set()

threading.Thread(target=guarded(serve, "", True), args=("Server", hear), daemon=True).start()
print("heard", heard.wait(10))
`

// Who of our own user connects and says nothing holds up nobody who comes after him.
func TestTheSilentHoldNobodyUp(t *testing.T) {
	t.Parallel()
	out, err := exec.Command("python3", "-I", "-c", listeners(t)+waiting).CombinedOutput()
	if err != nil || string(out) != "heard True\n" {
		t.Errorf("%s%v", out, err)
	}
}
