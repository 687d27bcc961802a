package ruby

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aidb-mcp/internal/recording"
)

// goesOn writes in many ways, in frames that are left and such as go on.
const goesOn = `
require_relative "more"
class Account
  attr_accessor :total
  def initialize = @total = 0
  def add(n) = @total += n
  def safe(n)
    @total = 10 / n
  rescue ZeroDivisionError
    @total = -1
  ensure
    @seen = n
  end
  def deep(n)
    kept = n
    deep(n - 1) if n > 0
    kept += 1
    @total = kept
  end
  def each
    return enum_for(:each) unless block_given?
    3.times { |i| yield @total += i }
  end
  define_method(:set) { |n| @total = n }
end
def sum(list)
  all = 0
  list.each { |x| all += x }
  all
end
account = Account.new
count = 0
round = lambda do |n|
  count += 1
  account.add(n)
  account.total = account.total * 2 % 1013
  account.safe(n % 3)
  account.deep(n % 4)
  account.set(n)
  account.each { |x| count += x }
  walk = account.each
  walk.next
  walk.next
  last = sum([n, 1, 2])
  account.instance_variable_set(:@total, n)
  More.new(account).go(n)
  Thread.new { account.total = n + 7 }.join
end
6.times { |n| round.call(n) }
while count < 60
  count += 1
  account.total = count
end
`

const goesOnMore = `
class More
  def initialize(account)
    @account = account
    @times = 0
  end
  def go(n)
    @times += 1
    [1, 2].each do |x|
      @times += x
      @account.total = @times if n > x
    end
  end
end
`

// What is noted again, after lines that were only counted, is what a run notes of which all is: whatever
// was under way there.
func TestRecordedWritesGoOnBehindWhatWasCounted(t *testing.T) {
	file := writeProgram(t, strings.Split(goesOn, "\n")...)
	if err := os.WriteFile(filepath.Join(filepath.Dir(file), "more.rb"), []byte(goesOnMore), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, writes := range map[string]recording.Writes{
		"all": {All: true}, "account.total": {Expression: "account.total", Ends: 100}, "count": {Expression: "count", Ends: 100},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			whole, printed := runRecorded(t, file, recording.Spec{Writes: &writes})
			if printed != "" || !whole.IsWhole() {
				t.Fatalf("it prints %q", printed)
			}
			all := writesOf(whole.Events)
			behind, step := 0, int64(13)
			if writes.All {
				step = 37
			}
			for from := int64(24); from < 2000; from += step {
				sparse := writes
				sparse.Sparse = &recording.Sparse{First: 20, From: from}
				log, printed := runRecorded(t, file, recording.Spec{Writes: &sparse})
				if printed != "" {
					t.Fatalf("from %d on it prints %q", from, printed)
				}
				gap := slices.IndexFunc(log.Events, func(e recording.Event) bool { return e.Seq >= from })
				if gap < 0 || log.Events[gap].Kind == recording.Skipped {
					break
				}
				last := writesOf(log.Events[gap:])
				if first := writesOf(log.Events[:gap]); !slices.Equal(first, all[:len(first)]) {
					t.Errorf("from %d on the first writes are\n%s", from, strings.Join(first, "\n"))
				}
				behind += len(last)
				checkLast(t, from, all, last)
			}
			if behind < 10 {
				t.Errorf("%d writes were noted behind what was counted", behind)
			}
		})
	}
}

// checkLast says where writes are not the last of all ones. Of what was under way where they begin, what was
// there before is not known.
func checkLast(t *testing.T, from int64, all, last []string) {
	t.Helper()
	if len(last) > len(all) {
		t.Errorf("from %d on there are %d writes of %d", from, len(last), len(all))
		return
	}
	for i, want := range all[len(all)-len(last):] {
		at, value, _ := strings.Cut(want, ": ")
		_, value, _ = strings.Cut(value, " → ")
		if last[i] != want && last[i] != at+": (it was not noted) → "+value {
			t.Errorf("from %d on write %d of the last %d is\n%s\nand of all\n%s", from, i, len(last), strings.Join(last[i:min(i+12, len(last))], "\n"), strings.Join(all[len(all)-len(last)+i-3:][:15], "\n"))
			return
		}
	}
}

// writesOf are the writes among events that were seen as they were made: where, by which call of which callers, and what; places without the
// numbers of frames and objects.
func writesOf(events []recording.Event) (list []string) {
	for _, e := range events {
		if e.Kind != recording.Write || e.Text == recording.Unseen {
			continue
		}
		place := e.Place[strings.IndexAny(e.Place, ".[")+1:]
		var stack []string
		for _, s := range e.Stack {
			stack = append(stack, s[:strings.Index(s, " /")]+s[strings.LastIndexByte(s, ':'):])
		}
		_, line := recording.FileLine(e.At)
		list = append(list, fmt.Sprintf("%d in %s (%s) of %s %s %s: %s → %s", line, e.Function, e.Text, place, strings.TrimRight(e.Thread, "0123456789"), stack, e.Values[0].Shown(), e.Values[1].Shown()))
	}
	return list
}

// Two statements of one line that write to the same are one write, of what was there before both.
func TestTwoWritesInOneLineAreOne(t *testing.T) {
	file := writeProgram(t, "step = -1", "step = step > 5 ? 3 : 4; step += 3", "step = 9 if step > 50; step = 1")
	log, _ := runRecorded(t, file, recording.Spec{Writes: &recording.Writes{Expression: "step"}})
	var got []string
	for _, e := range kinds(log, recording.Write) {
		got = append(got, e.Values[0].Shown()+" → "+e.Values[1].Shown())
	}
	if want := []string{"nil → -1", "-1 → 7", "7 → 1"}; !slices.Equal(got, want) {
		t.Errorf("the writes are %q", got)
	}
}
