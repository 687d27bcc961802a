package ruby

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"aidb-mcp/internal/recording"
	"aidb-mcp/internal/testkit"
)

// oftenCalled has methods of the same name in two classes that are called often, by themselves too,
// and are left by all there is; and some that are called now and then, by them and around them.
const oftenCalled = `class A
  def run(n, way) = n.zero? ? leaf(way) : run(n - 1, way)
  def leaf(way)
    case way
    when :raise then raise ArgumentError, "bad"
    when :throw then throw :out
    when :nil then nil
    when Integer then rare(way)
    else way
    end
  end
  def rare(way) = [self.class.name, way]
end
class B
  def run(n, way) = n.zero? ? leaf(way) : run(n - 1, way)
  def leaf(way) = way.is_a?(Integer) ? rare(way) : nil
  def rare(way) = [self.class.name, way]
end
class C < A; end
def around(way)
  A.new.run(2, way)
end
def rescues(way)
  A.new.leaf(way)
rescue ArgumentError
  nil
end
def block(way) = [1].each { A.new.run(1, way) }
def again(way) = catch(:out) { around(way) }
own = A.new
def own.leaf(way) = way.is_a?(Integer) ? rare(way) : way
400.times do |i|
  [A, B, C].each { |c| c.new.run(i % 4, i % 50 == 0 ? i : :value) }
  own.run(1, i % 100 == 0 ? i : nil)
  rescues(:raise) if i % 7 == 0
end
%i[raise nil throw value].each do |way|
  around(way) rescue ArgumentError rescue UncaughtThrowError
  rescues(way) rescue UncaughtThrowError
  again(way) rescue ArgumentError
  block(way) rescue ArgumentError rescue UncaughtThrowError
end
Thread.new { Fiber.new { B.new.run(3, 7); around(:nil) }.resume }.join
`

// What is noted of a method that is called now and then is the same whether those that are called often,
// by which it is called or which it calls, are all noted or only counted.
func TestThinnedCallsAreTheSame(t *testing.T) {
	file := writeProgram(t, strings.Split(oftenCalled, "\n")...)
	note := func(thin *recording.Thin) recording.Log {
		log, printed := runRecorded(t, file, recording.Spec{Calls: &recording.Calls{Names: []string{"*"}, Thin: thin}})
		for _, e := range log.Events {
			if e.Kind == recording.Remark || printed != "" {
				t.Fatalf("%s, printed %q", e.Text, printed)
			}
		}
		return log
	}
	all, thinned := note(&recording.Thin{First: 1_000_000}), note(&recording.Thin{First: 80})
	after := map[string]int64{}
	for _, e := range kinds(thinned, recording.Counted) {
		after[e.Place] = max(e.Hit-80, 80)
	}
	if len(after) < 5 {
		t.Fatalf("only %v was called often", after)
	}
	often := map[string]bool{}
	for key := range after {
		at, _, _ := strings.Cut(key, " ")
		often[at] = true
	}
	now := func(log recording.Log) (list []string) {
		numbers := map[int64]bool{}
		for _, e := range log.Events {
			if e.Kind != recording.Enter && e.Kind != recording.Leave || e.Kind == recording.Enter && often[e.At] || e.Kind == recording.Leave && !numbers[e.Call] {
				continue
			}
			numbers[e.Call] = true
			list = append(list, fmt.Sprint(e.Kind, " ", e.At, " ", e.Function, " ", e.Thread, " ", e.Depth, " ", e.Values, " ", e.Raised, " ", e.Stack))
		}
		return list
	}
	want := now(all)
	if len(want) < 60 {
		t.Fatalf("only %d events are of others", len(want))
	}
	for name, thin := range map[string]*recording.Thin{"counted": {First: 80}, "last": {First: 80, After: after, Last: 1_000_000}} {
		got := now(note(thin))
		for i := range min(len(want), len(got)) {
			if want[i] != got[i] {
				t.Fatalf("%s: event %d is\n%s\nand where all are noted\n%s", name, i, got[i], want[i])
			}
		}
		if len(got) != len(want) {
			t.Errorf("%s: %d events, want %d", name, len(got), len(want))
		}
	}
	// The last calls are those that came last.
	last := func(log recording.Log, at string) (list []string) {
		for _, e := range log.Events {
			if e.Kind == recording.Enter && e.At == at {
				list = append(list, fmt.Sprint(e.Function, " ", e.Depth, " ", e.Values, " ", e.Stack))
			}
		}
		return list[max(0, len(list)-30):]
	}
	lasting := note(&recording.Thin{First: 80, After: after, Last: 1_000_000})
	for at := range often {
		if got, want := last(lasting, at), last(all, at); !slices.Equal(got, want) {
			t.Errorf("the last calls at %s are\n%v\nand where all are noted\n%v", at, got, want)
		}
	}
}

// A method is left alone from a call on, and what was noted of others is the same.
func TestMethodsAreLeftAlone(t *testing.T) {
	file := writeProgram(t, "def hot(n) = n.zero? ? 0 : hot(n - 1)", "def once(n) = hot(n)", "def hotter(n) = hot(n)", "500.times { |i| hotter(i % 3) }", "once(2)", "once(3)", "raise 'over'")
	log, _ := runRecorded(t, file, recording.Spec{Calls: &recording.Calls{Names: []string{"*"}, Thin: &recording.Thin{First: 10, Leave: 100}}})
	alone := kinds(log, recording.Unwatched)
	if len(alone) != 2 || alone[0].Function != "hot" || alone[0].Hit != 100 || alone[1].Function != "hotter" {
		t.Errorf("left alone were %+v", alone)
	}
	for _, e := range kinds(log, recording.Counted) {
		if e.Hit > 10 {
			t.Errorf("%d calls of %s are told, which was left alone", e.Hit, e.Function)
		}
	}
	left := kinds(log, recording.Leave)
	if n := len(left); n != 22 || left[n-1].Function != "once" || left[n-1].Values[0].Text != "0" {
		t.Errorf("%d calls have ended, the last %+v", n, left[n-1])
	}
}

// To count a call takes less than a microsecond of the program's own time.
func TestCountedSpeed(t *testing.T) {
	testkit.Long(t, "it proves a figure")
	file := writeProgram(t, "def work(n)", "  n * 2", "end", "1_000_000.times { |i| work(i) }", "warn Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)")
	_, printed := runRecorded(t, file, recording.Spec{Calls: &recording.Calls{Names: []string{"*"}, Thin: &recording.Thin{First: 200}}})
	took, err := strconv.ParseFloat(strings.TrimSpace(printed), 64)
	if err != nil || took > 1.5 {
		t.Errorf("1,000,000 calls took %v (%v)", time.Duration(took*float64(time.Second)), err)
	}
}
