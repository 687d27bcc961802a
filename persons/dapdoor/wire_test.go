package dapdoor

import (
	"bufio"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReadMessage(t *testing.T) {
	for _, c := range []struct{ sent, want string }{
		{"Content-Length: 2\r\n\r\n{}", "{}"},
		{"X: y\r\ncontent-length:2\r\n\r\n{}", "{}"},
		{"Content-Length: 0\r\n\r\n", ""},
	} {
		got, err := readMessage(bufio.NewReader(strings.NewReader(c.sent)), 100)
		if err != nil || string(got) != c.want {
			t.Errorf("%q: %q, %v", c.sent, got, err)
		}
	}
	for _, sent := range []string{
		"Content-Length: 101\r\n\r\n", "Content-Length: -1\r\n\r\n", "Content-Length: x\r\n\r\n", "\r\n",
		strings.Repeat("x", 1<<14), strings.Repeat("a: b\r\n", 1000), "Content-Length: 99999999999999999999\r\n\r\n",
	} {
		if _, err := readMessage(bufio.NewReader(strings.NewReader(sent)), 100); !errors.Is(err, errProtocol) {
			t.Errorf("%.30q: %v", sent, err)
		}
	}
	if _, err := readMessage(bufio.NewReader(strings.NewReader("Content-Length: 50\r\n\r\n{}")), 100); err == nil {
		t.Error("half a message was taken")
	}
}

// The token is added to what attaches, and to nothing else.
func TestTokenIsAdded(t *testing.T) {
	for body, want := range map[string]string{
		`{"command":"attach","arguments":{"a":1}}`: `{"arguments":{"a":1,"aidbToken":"T"},"command":"attach"}`,
		`{"command":"launch"}`:                     `{"arguments":{"aidbToken":"T"},"command":"launch"}`,
		`{"command":"next","arguments":{"a":1}}`:   `{"command":"next","arguments":{"a":1}}`,
		`nonsense`:                                 `nonsense`,
	} {
		if got := string(withToken([]byte(body), "T")); got != want {
			t.Errorf("%s became %s", body, got)
		}
	}
}

// What tells where a session is joined is the user's alone, and forgotten with its server.
func TestNotes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "open")
	file, err := note{Address: Address{Host: "127.0.0.1", Port: 7, Token: "T", Session: "go-1"}, Target: "."}.write(dir)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]os.FileMode{dir: 0o700, file: 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
	dead := filepath.Join(dir, "99999999-go-2.json")
	if err := os.WriteFile(dead, []byte(`{"PID":99999999,"Session":"go-2"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if n, err := findNote(dir, ""); err != nil || n.Session != "go-1" || n.Token != "T" {
		t.Errorf("%+v, %v", n, err)
	}
	if _, err := os.Stat(dead); !os.IsNotExist(err) {
		t.Error("the note of a server that has gone is still there")
	}
	if _, err := findNote(dir, "go-3"); err == nil || !strings.Contains(err.Error(), "go-1 (.)") {
		t.Error(err)
	}
	removeNotes([]string{file})
	if _, err := findNote(dir, ""); err == nil || !strings.Contains(err.Error(), "session(action: show)") {
		t.Error(err)
	}
}
