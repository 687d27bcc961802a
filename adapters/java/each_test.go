package java

import (
	"testing"

	"aidb-mcp/internal/recording"
	"aidb-mcp/internal/recording/recordingtest"
)

const eachJava = `import java.util.*;
public class Main {
    interface Owned {}
    static class Account implements Owned {
        private final int id;
        private int balance;
        Account(int id) {
            this(id, -500);
            balance = 7;
        }
        Account(int id, int balance) {
            this.id = id;
            this.balance = balance;
        }
    }
    static final class Savings extends Account {
        int rate;
        Savings(int id) {
            super(id, -600);
            super.balance = 50;
            rate = 2;
        }
    }
    static final class Refused extends Account {
        Refused() {
            super(7, -3);
            throw new IllegalStateException();
        }
    }
    record Point(int x, int y) {}
    enum Color { RED, GREEN; int used; }
    static void pay(List<Account> accounts, int cents) {
        for (Account a : accounts) {
            a.balance -= cents; // paid
        }
    }
    public static void main(String[] args) {
        List<Account> accounts = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            accounts.add(new Account(i, 10 * i + 10));
        }
        accounts.add(new Savings(3));
        accounts.add(new Account(4) {
            int more = 3;
        });
        try {
            new Refused();
        } catch (IllegalStateException e) {
            System.out.println("refused");
        }
        Point p = new Point(3, 4); // a point
        Color.GREEN.used++; // used
        pay(accounts, 25);
        Account last = new Account(99, -9); // built so
        System.out.println(last.id + p.x());
    }
}
`

// A condition is judged for each instance of a type that is built, and for those of the
// classes that derive from it.
func TestJavaFirstMomentOfEachInstance(t *testing.T) {
	agent, program := agentArchive(t), compileJava(t, eachJava)
	for name, c := range map[string]struct {
		spec                 recording.First
		at, before, then     string
		instance, among, all int64
	}{
		"by a statement": {recording.First{Each: "Account", Condition: "each.balance < 0", Expressions: []string{"each.id", "cents", "nothing"}},
			"// paid", "each.balance=10", "each.balance=-15 each=Main.Account {id=0, balance=-15} each.id=0 cents=25 nothing=not readable here", 1, 5, 5},
		"of an interface":         {recording.First{Each: "Owned", Condition: "each.balance == 25"}, "// paid", "each.balance=50", "", 4, 5, 5},
		"of a class that derives": {recording.First{Each: "Main.Savings", Condition: "each.balance == 25 && each.rate == 2"}, "// paid", "", "", 1, 1, 1},
		"of a record":             {recording.First{Each: "Point", Condition: "each.x() == 3"}, "// a point", "", "each.x()=3 each=Main.Point[x=3, y=4]", 1, 1, 1},
		"of an enum":              {recording.First{Each: "Color", Condition: "each.used == 1", Scope: []string{"Main.main"}}, "// used", "", "each.used=1 each=Main.Color.GREEN", 2, 2, 2},
		"as it is built":          {recording.First{Each: "Account", Condition: "each.balance == -9", Scope: []string{"Main.main"}}, "// built so", "", "", 6, 6, 6},
		"never":                   {recording.First{Each: "Account", Condition: "each.balance == -3 || each.balance == -500 || each.balance == -600"}, "", "", "", 0, 0, 6},
		"misspelt":                {recording.First{Each: "Acount", Condition: "each.balance < 0"}, "", "", "", 0, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			c.spec.Limit = 1
			_, log := program.moments(t, agent, c.spec)
			if log.Judged.Failed > 0 {
				t.Errorf("%+v", log.Judged)
			}
			want := recordingtest.Instance{Before: c.before, Then: c.then, Instance: c.instance, Among: c.among, All: c.all}
			if c.at != "" {
				want.Line = lineOf(t, eachJava, c.at)
			}
			want.Check(t, log)
		})
	}
}
