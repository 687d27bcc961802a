package engine

import (
	"errors"
	"log/slog"
	"os"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"aidb-mcp/internal/cluster/span"
)

func doorOf(t *testing.T) *door {
	t.Helper()
	members, err := NewMembers(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return &door{members: members, log: slog.New(slog.DiscardHandler), own: map[string]member{}}
}

// Nobody joins under the name of the server's own process, and hears what is said to it; the
// token is good for another name.
func TestTheNameOfTheServersOwnProcess(t *testing.T) {
	d := doorOf(t)
	d.allow(member{role: span.Machine, name: "one", key: "UOWN"})
	token, err := d.members.Token(span.Machine, "", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	joins := func(name string) error {
		_, err := d.admit(&server.ClientOpts{Nkey: "UOTHER", Name: span.ClientName(span.Machine, name, false), Token: token})
		return err
	}
	if err := joins("one"); !errors.Is(err, ErrOurs) {
		t.Errorf("it joins as one: %v", err)
	}
	if err := joins("two"); err != nil {
		t.Errorf("it does not join as two: %v", err)
	}
}

// A file of a member that cannot be read keeps nobody else in.
func TestAMemberThatCannotBeRead(t *testing.T) {
	d := doorOf(t)
	connected := map[uint64]member{}
	for id := range uint64(50) { // they are looked at in any order
		connected[id] = member{role: span.Machine, name: "bad", key: "UBAD"}
	}
	connected[100] = member{role: span.Machine, name: "gone", key: "UGONE"}
	if err := os.WriteFile(d.members.file(span.Machine, "bad"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if gone, err := d.removed(connected); err == nil || len(gone) != 1 || gone[100].name != "gone" {
		t.Errorf("%v, %v", gone, err)
	}
}
