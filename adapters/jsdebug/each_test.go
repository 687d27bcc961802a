//go:build linux

package jsdebug

import (
	"testing"

	"aidb-mcp/internal/recording"
	"aidb-mcp/internal/recording/recordingtest"
)

const eachScript = `'use strict';
class Base {
  constructor(id) { this.id = id; }
}
class Account extends Base {
  constructor(id, balance) {
    super(id);
    this.balance = -1;
    if (id === 99) return;
    this.balance = balance;
  }
}
const Savings = class extends Account {
  rate = 2;
};
class Refused extends Account {
  constructor() {
    super(7, -3);
    throw new Error('refused');
  }
}
class Other {
  constructor(it) { return it; }
}
class Plain { value = 1; }
function Old(n) { this.n = n; }
const pay = (accounts, cents) => {
  for (const a of accounts) {
    a.balance -= cents; // paid
  }
};
function main() {
  const accounts = [0, 1, 2].map((i) => new Account(i, 10 * i + 10));
  accounts.push(new Savings(3, 50));
  try {
    new Refused();
  } catch {}
  new Other(accounts[0]);
  pay(accounts, 25);
  const p = new Plain(), o = new Old(1);
  p.value = 2; // set
  o.n = 3; // old
  Old.call({}, 5);
  const last = new Account(99, 4); // built so
  return last.id + Account.length + Plain.length;
}
if (main() !== 101) process.exit(3);
`

// A condition is judged for each instance of a type that is built, and for those of the
// classes that derive from it; what the program does stays as it is.
func TestFirstMomentOfEachInstance(t *testing.T) {
	for name, c := range map[string]struct {
		first                recording.First
		at, before, then     string
		instance, among, all int64
	}{
		"by a statement": {recording.First{Each: "Account", Condition: "each.balance < 0", Expressions: []string{"each.id", "cents", "nothing"}},
			"// paid", "each.balance=10", "each.balance=-15 each={id: 0, balance: -15} each.id=0 cents=25 nothing=not readable here", 1, 4, 4},
		"of a parent":                  {recording.First{Each: "Base", Condition: "each.balance === 25"}, "// paid", "each.balance=50", "", 4, 4, 4},
		"of a class without a name":    {recording.First{Each: "Savings", Condition: "each.balance === 25 && each.rate === 2"}, "// paid", "", "", 1, 1, 1},
		"of one without a constructor": {recording.First{Each: "Plain", Condition: "each.value === 2"}, "// set", "each.value=1", "", 1, 1, 1},
		"of a function":                {recording.First{Each: "Old", Condition: "each.n === 3"}, "// old", "each.n=1", "", 1, 1, 1},
		"as it is built":               {recording.First{Each: "Account", Condition: "each.balance === -1", Scope: []string{"main"}}, "// built so", "", "", 5, 5, 5},
		"never":                        {recording.First{Each: "Account", Condition: "each.balance === -3 || each.id === 7"}, "", "", "", 0, 0, 5},
		"misspelt":                     {recording.First{Each: "Acount", Condition: "each.balance < 0"}, "", "", "", 0, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			c.first.Limit = 1
			_, log := moments(t, "app.cjs", eachScript, c.first)
			if log.Judged.Failed > 0 {
				t.Errorf("%+v", log.Judged)
			}
			want := recordingtest.Instance{Before: c.before, Then: c.then, Instance: c.instance, Among: c.among, All: c.all}
			if c.at != "" {
				want.Line = marked(t, eachScript, c.at)
			}
			want.Check(t, log)
		})
	}
}
