//go:build linux

package native

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"aidb-mcp/internal/recording"
)

const tank = `#include <cstdio>
static int spilled;
struct Tank {
  int level = 0, room = 10;
  void pour(int n) {
    level += n;
    if (level > room) {
      spilled += level - room;
      level = room;
    }
  }
  int drain(int n) { return n == 0 ? level : drain(n - 1) - 1; }
};
static int sum(int n) { int all = 0;
  for (int i = 1; i <= n; i++)
    all += i;
  return all; }
int main() {
  Tank t;
  for (int n = 1; n < 7; n++) {
    t.pour(n);
    int left = t.drain(n);
    if (left != 0 && sum(n) > 100) return 1;
  }
  return spilled;
}
`

// A condition is judged in front of each line in which its names have a value, in each call
// by itself: the moment is that of the statement which made it hold.
func TestRecordedFirstMoments(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		condition string
		scope     []string
		want      string // where, in front of which line, what the names were and are
	}{
		{"spilled > 0", []string{"Tank::pour"}, "a.cpp:8 a.cpp:9 spilled 0 -> spilled 5"},
		{"level > 10", nil, "a.cpp:6 a.cpp:7 level 10 -> level 15"},
		{"all > 9", []string{"sum"}, "a.cpp:16 a.cpp:15 all 6 -> all 10"},
		{"left != 3 && n > 2", []string{"main"}, "a.cpp:22 a.cpp:23 left 3 -> left 6"},
		{"result > 8", []string{"drain"}, "a.cpp:12 .  -> result 10"},
	} {
		w := recording.Spec{First: &recording.First{Condition: c.condition, Scope: c.scope, Limit: 1}}
		t.Run(c.condition+strings.Join(c.scope, ""), func(t *testing.T) {
			underEach(t, "a.cpp", tank, w, func(t *testing.T, log recording.Log) {
				if got := firstOf(log); got != c.want {
					t.Errorf("got  %s\nwant %s", got, c.want)
				}
			})
		})
	}
}

// firstOf is the first moment of a run.
func firstOf(log recording.Log) string {
	for _, e := range log.Events {
		if e.Kind == recording.Moment {
			before := ""
			if len(e.Before()) > 0 {
				before = e.Names[0] + " " + e.Before()[0].Text
			}
			return fmt.Sprintf("%s %s %s -> %s %s", filepath.Base(e.At), filepath.Base(e.Seen()), before, e.Names[0], e.Values[0].Text)
		}
	}
	return fmt.Sprintf("judged %d times", log.Judged.Times)
}
