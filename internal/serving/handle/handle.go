// Package handle spells the ids of debug sessions that leave a gateway. Such an id
// names the machine and the worker that hold its session, so that nothing need be
// looked up to find them, and ends in a secret that nobody can guess. It holds no
// principal: a handle is good only together with the one whose worker made it, which
// the keeper of that worker checks (Book).
//
// The package knows nothing of HTTP, of processes and of debugging.
package handle

import (
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"strings"
)

// Handle is the id of a session, taken apart: go-1.h1.x7Qa2k.w7.9bTq… names the session
// go-1 of the worker w7 on the machine x7Qa2k.
type Handle struct {
	Name    string // what the worker itself would call the session; may have dots
	Machine string
	Worker  string
	Secret  string
}

// What is wrong with a text that should be a handle.
var (
	ErrNone    = errors.New("it is no handle")
	ErrVersion = errors.New("it is a handle of another version of this server")
	ErrMangled = errors.New("it is a handle of which something is missing or changed")
)

// The spelling. The version is a part of its own, so that a later one can mean
// anything by what follows.
const (
	version = "h1"

	letters    = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	secretSize = 22 // letters of 62 kinds: 130 bits

	maxName = 64
	maxPart = 32 // of a machine's name, and of a worker's

	// Longest is how many bytes a handle has at most.
	Longest = maxName + len(version) + 2*maxPart + secretSize + 4
)

// Mint makes the handle of a new session. The name may be whatever a session may be
// called; machine and worker are names that IsName allows.
func Mint(name, machine, worker string) Handle {
	return Handle{Name: name, Machine: machine, Worker: worker, Secret: random(secretSize)}
}

// NewMachine makes a name for a machine that has none, another at each start: a handle
// that was given out before a restart is then known for one.
func NewMachine() string {
	const size = 6
	return random(size)
}

// random is a text of letters that nobody can guess.
func random(size int) string {
	text := make([]byte, 0, size)
	var noise [64]byte
	for len(text) < size {
		_, _ = rand.Read(noise[:]) // never fails
		for _, b := range noise {
			// Of 64 values two are none of the letters, and are thrown away: each is as likely as the others.
			if b &= 63; int(b) < len(letters) && len(text) < size {
				text = append(text, letters[b])
			}
		}
	}
	return string(text)
}

// String spells the handle.
func (h Handle) String() string {
	return strings.Join([]string{h.Name, version, h.Machine, h.Worker, h.Secret}, ".")
}

// Parse takes a handle apart. The error is ErrNone for what is only a name, ErrVersion
// or ErrMangled for what was meant to be a handle.
func Parse(text string) (Handle, error) {
	parts := strings.Split(text[:min(len(text), 2*Longest)], ".")
	at := len(parts) - 4 // from the end, for a name may have dots
	switch {
	case at < 1 || parts[at] != version:
		return Handle{}, looksLike(parts)
	case len(text) > Longest:
		return Handle{}, ErrMangled
	}
	h := Handle{Name: strings.Join(parts[:at], "."), Machine: parts[at+1], Worker: parts[at+2], Secret: parts[at+3]}
	if h.Name == "" || len(h.Name) > maxName || !IsName(h.Machine) || !IsName(h.Worker) || len(h.Secret) != secretSize || !isLetters(h.Secret) {
		return Handle{}, ErrMangled
	}
	return h, nil
}

// looksLike says what a text is that cannot be taken apart, by where in it a version
// stands.
func looksLike(parts []string) error {
	for i := len(parts) - 1; i >= 1; i-- {
		switch {
		case parts[i] == version:
			return ErrMangled // too few parts follow, or too many
		case isVersion(parts[i]) && len(parts)-i >= 2:
			return ErrVersion
		}
	}
	return ErrNone
}

func isVersion(part string) bool {
	digits, ok := strings.CutPrefix(part, "h")
	return ok && digits != "" && len(digits) <= 3 && strings.Trim(digits, "0123456789") == ""
}

// IsName says that a machine or a worker can be called so: it can stand in a handle, in a
// header and in a subject of a message queue.
func IsName(name string) bool {
	return name != "" && len(name) <= maxPart && isLetters(strings.NewReplacer("-", "", "_", "").Replace(name)+"0")
}

func isLetters(text string) bool { return text != "" && strings.Trim(text, letters) == "" }

// Same says that two handles are one, in a time that tells nothing of where they differ.
func (h Handle) Same(other Handle) bool {
	return subtle.ConstantTimeCompare([]byte(h.String()), []byte(other.String())) == 1
}
