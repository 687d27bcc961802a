package debugpy

import (
	"strings"
	"testing"

	"aidb-mcp/internal/recording"
	"aidb-mcp/internal/recording/recordingtest"
)

const eachProgram = `
from dataclasses import dataclass


class Account:
    def __init__(self, owner, balance):
        self.balance = -1
        self.owner = owner
        self.balance = balance  # opened


class Savings(Account):
    def __init__(self, owner):
        super().__init__(owner, -2)
        self.balance = 50  # saved


class Refused(Account):
    def __init__(self):
        super().__init__("refused", -3)
        raise ValueError


@dataclass
class Node:
    key: int
    next: object = None


class Slot:
    __slots__ = ("key",)

    def __init__(self, key):
        self.key = key


class Equal(Account):
    def __eq__(self, other):
        raise TypeError

    __hash__ = None


class Plain:
    pass


def pay(accounts, cents):
    for a in accounts:
        a.balance -= cents  # paid


def run():
    accounts = [Account(i, 10 * i + 10) for i in range(3)] + [Savings("dan"), Equal("eve", 40)]
    for i in range(20):
        Account("gone", 5)
    try:
        Refused()
    except ValueError:
        pass
    pay(accounts, 25)
    a, b = Node(1), Node(2)
    a.next, b.next = b, a  # round
    Slot(3), Plain()
    last = Account("last", -7)  # built so
    return last.owner


print(run())
`

// A condition is judged for each instance of a type that is built and lives, and for those
// of the classes that derive from it.
func TestFirstMomentOfEachInstance(t *testing.T) {
	for name, c := range map[string]struct {
		spec                 recording.First
		at, before, then     string
		instance, among, all int64
		remark               string
	}{
		"by a statement": {recording.First{Each: "Account", Condition: "each.balance < 0", Expressions: []string{"each.owner", "cents"}},
			"# paid", "each.balance=10", "each.balance=-15 each=Account(balance=-15, owner=0) each.owner=0 cents=25", 1, 5, 25, ""},
		"of a class that derives":  {recording.First{Each: "Savings", Condition: "each.balance == 25"}, "# paid", "each.balance=50", "each.balance=25 each=Savings(balance=25, owner='dan')", 1, 1, 1, ""},
		"as it is built":           {recording.First{Each: "Account", Condition: "each.balance == -7", Scope: []string{"run"}}, "# built so", "", "", 26, 6, 26, ""},
		"of a dataclass":           {recording.First{Each: "Node", Condition: "each.next is not None and each.next.key < each.key"}, "# round", "", "", 2, 2, 2, ""},
		"never":                    {recording.First{Each: "Account", Condition: "each.balance == -2 or each.balance == -3 or each.owner == 'refused'"}, "", "", "", 0, 0, 26, ""},
		"without a weak reference": {recording.First{Each: "Slot", Condition: "each.key == 3"}, "", "", "", 0, 0, 0, "cannot be followed without keeping them alive"},
		"without an __init__":      {recording.First{Each: "Plain", Condition: "each.key == 3"}, "", "", "", 0, 0, 0, "no __init__ of Plain has returned"},
		"misspelt":                 {recording.First{Each: "Acount", Condition: "each.balance < 0"}, "", "", "", 0, 0, 0, "there is Account"},
	} {
		t.Run(name, func(t *testing.T) {
			c.spec.Limit = 1
			_, log, printed := moments(t, eachProgram, c.spec)
			if remarks := told(log, recording.Remark); strings.TrimSpace(printed) != "last" || c.remark == "" && remarks != "" || !strings.Contains(remarks, c.remark) {
				t.Fatalf("%s%s", remarks, printed)
			}
			want := recordingtest.Instance{Before: c.before, Then: c.then, Instance: c.instance, Among: c.among, All: c.all}
			if c.at != "" {
				want.Line = sourceLine(t, eachProgram, c.at)
			}
			want.Check(t, log)
		})
	}
}
