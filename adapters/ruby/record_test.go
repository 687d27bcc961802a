package ruby

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"aidb-mcp/internal/recording"
	"aidb-mcp/internal/testkit"
)

// runAlone runs a program with the Ruby of this machine and answers with what it prints.
func runAlone(t *testing.T, dir string, arguments ...string) string {
	t.Helper()
	return run(t, dir, "", arguments...)
}

func run(t *testing.T, dir, records string, arguments ...string) string {
	t.Helper()
	path, err := exec.LookPath("ruby")
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(path, arguments...)
	command.Dir, command.Env = dir, append(os.Environ(), recording.Variable+"="+records)
	if records == "" {
		command.Env = os.Environ()
	}
	printed, err := command.CombinedOutput()
	if err != nil {
		return string(printed) + err.Error()
	}
	return string(printed)
}

// runRecorded runs it under the recorder, and answers with what was noted too.
func runRecorded(t *testing.T, file string, w recording.Spec) (recording.Log, string) {
	t.Helper()
	records := filepath.Join(t.TempDir(), "rec")
	if w.Text == 0 {
		w.Text = 200
	}
	w.Roots = []string{filepath.Dir(file)}
	if err := recording.Equip(records, w, recorder, "recorder", recorderFolder); err != nil {
		t.Fatal(err)
	}
	printed := run(t, filepath.Dir(file), records, "-r", filepath.Join(records, recorderFolder, "start.rb"), file)
	log, err := recording.Read(records)
	if err != nil {
		t.Fatal(err)
	}
	return log, printed
}

func writeProgram(t *testing.T, lines ...string) (file string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(dir, "app.rb")
	if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func kinds(log recording.Log, kind recording.Kind) (list []recording.Event) {
	for _, e := range log.Events {
		if e.Kind == kind {
			list = append(list, e)
		}
	}
	return list
}

// However a program ends, what was noted is there; and it prints what it prints by itself.
func TestRecordedEnds(t *testing.T) {
	for name, c := range map[string]struct {
		end, failed, value string
	}{
		"by itself":      {"nil", "", ""},
		"an exception":   {"raise ArgumentError, 'over'", recording.Uncaught, "ArgumentError: over"},
		"exit":           {"exit 3", recording.Exited, "3"},
		"abort":          {"abort 'no'", recording.Exited, "1"},
		"at once":        {"exit! 3", "", ""},
		"killed":         {"Process.kill(:KILL, $$); sleep", "", ""},
		"a full stack":   {"def deep(n) = deep(n + 1)\nbegin\n  deep(0)\nrescue SystemStackError\n  puts 'full'\nend", "", ""},
		"a lost thread":  {"Thread.report_on_exception = false\nThread.new { raise 'lost' }.join rescue puts $!.message", "", ""},
		"at_exit":        {"at_exit { puts 'bye' }", "", ""},
		"a signal":       {"trap('USR1') { puts work(9) }\nProcess.kill('USR1', $$)\nsleep 0.01", "", ""},
		"a fork":         {"Process.wait(fork { work(5); puts 'child' })", "", ""},
		"closed files":   {"ObjectSpace.each_object(File) { |f| f.close unless f.closed? || f.fileno < 3 }", "", ""},
		"no environment": {"p ENV.key?('AIDB_RECORD'), ENV.key?('RUBYOPT')", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := writeProgram(t, "def work(n)", "  n * 2", "end", "3.times { |i| work(i) }", c.end)
			want := runAlone(t, filepath.Dir(file), file)
			for _, w := range []recording.Spec{
				{Values: []recording.Values{{File: file, Line: 2, Expressions: []string{"n"}}}},
				{Calls: &recording.Calls{Names: []string{"work"}}},
				{Writes: &recording.Writes{All: true}},
				{First: &recording.First{Condition: "n > 100", Limit: 1}},
			} {
				log, got := runRecorded(t, file, w)
				if got != want {
					t.Errorf("it prints %q, and by itself %q", got, want)
				}
				failed := kinds(log, recording.Failed)
				if c.failed == "" && len(failed) > 0 || c.failed != "" && (len(failed) != 1 || failed[0].Text != c.failed || failed[0].Values[0].Text != c.value) {
					t.Errorf("what failed is told as %+v", failed)
				}
				if w.Values != nil && len(kinds(log, recording.Hit)) < 3 || w.Calls != nil && len(kinds(log, recording.Leave)) < 3 {
					t.Errorf("what was noted before is not there: %+v", log.Events)
				}
			}
		})
	}
}

// What the recorder makes of values is read from what they consist of.
func TestRecordedValues(t *testing.T) {
	file := writeProgram(t, "S = Struct.new(:a, :b)", "class O", "  def initialize = @x = [1, {k: 'v'}]", "  def inspect = raise('asked')", "end",
		"class B < BasicObject", "end", "loops = [1]", "loops << loops", "lazy = (1..).lazy.map { raise 'asked' }", "value = nil", "puts 1")
	arrow := strings.TrimSpace(strings.NewReplacer("{1", "", "2}", "").Replace(strings.TrimSpace(runAlone(t, filepath.Dir(file), "-e", "puts({1 => 2}.inspect)"))))
	if strings.Contains(arrow, " ") {
		arrow = " " + arrow + " "
	}
	for expression, want := range map[string]string{
		"nil": "nil", "1.5": "1.5", ":a": ":a", `"a\n\u00e9"`: `"a\né"`, "[1, 'b']": `[1, "b"]`, "{1 => 2}": "{1" + arrow + "2}", "S.new(1, nil)": "#<struct S a=1, b=nil>",
		"1..3": "1..3", "1...": "1...", "O": "O", "O.new": `#<O @x=[1, {:k=>"v"}]>`, "loops": "[1, [...]]", "B.allocate": "#<B>", "lazy": "#<Enumerator::Lazy>",
		"'x' * 300": `"` + strings.Repeat("x", 199) + "…", "ArgumentError.new('no')": "#<ArgumentError: no>", "10**30": "1" + strings.Repeat("0", 30),
		`"\xff".b`: `"\xFF"`, "3.method(:+).unbind": "#<UnboundMethod +>", "Time.at(0).utc": "1970-01-01 00:00:00 UTC", "2r": "(2/1)",
	} {
		log, _ := runRecorded(t, file, recording.Spec{Values: []recording.Values{{File: file, Line: 12, Expressions: []string{expression}}}})
		hits := kinds(log, recording.Hit)
		if arrow != "=>" {
			want = strings.ReplaceAll(want, ":k=>", "k: ")
		}
		if len(hits) != 1 || hits[0].Values[0].Text != want {
			t.Errorf("%s: got %+v, want %s", expression, hits, want)
		}
	}
}

// Two values of which the same is seen are told apart by all of them, in each run.
func TestRecordedHashes(t *testing.T) {
	file := writeProgram(t, "a = (0...400).to_a", "b = a.dup", "c = a[0..-2] + [7]", "require 'set'", "d = Set.new(a)", "e = Set.new(a.reverse)", "puts 1")
	w := recording.Spec{Values: []recording.Values{{File: file, Line: 7, Expressions: []string{"a", "b", "c", "d", "e"}}}}
	first, _ := runRecorded(t, file, w)
	second, _ := runRecorded(t, file, w)
	one, two := kinds(first, recording.Hit)[0].Values, kinds(second, recording.Hit)[0].Values
	if recording.Compare(one[0], one[1]) != recording.Equal || recording.Compare(one[0], two[0]) != recording.Equal || recording.Compare(one[3], one[4]) != recording.Equal {
		t.Errorf("equal values have %+v and %+v", one, two)
	}
	if recording.Compare(one[0], one[2]) != recording.Different {
		t.Errorf("others have %+v and %+v", one[0], one[2])
	}
}

// A spec that cannot be granted is refused before anything runs.
func TestRefusedSpecs(t *testing.T) {
	file := writeProgram(t, "puts 'ran'", "", "# nothing")
	for field, w := range map[string]recording.Spec{
		"expressions": {Values: []recording.Values{{File: file, Line: 1, Expressions: []string{"1 +"}}}},
		"location":    {Values: []recording.Values{{File: file, Line: 2, Expressions: []string{"1"}}}},
		"condition":   {First: &recording.First{Condition: "a b c d)", Limit: 1}},
		"expression":  {Writes: &recording.Writes{Expression: "1 + 2"}},
	} {
		log, printed := runRecorded(t, file, w)
		if len(log.Events) != 1 || log.Events[0].Kind != recording.Refused || !slices.Equal(log.Events[0].Names, []string{field}) || printed != "" {
			t.Errorf("%s: %+v, printed %q", field, log.Events, printed)
		}
	}
}

// The narrow questions note at least 20,000 values a second of the program's own time.
func TestRecordedSpeed(t *testing.T) {
	testkit.Long(t, "it proves a figure")
	file := writeProgram(t, "def work(n)", "  n * 2", "end", "20_000.times { |i| work(i) }", "warn Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)")
	for name, w := range map[string]recording.Spec{
		"values": {Values: []recording.Values{{File: file, Line: 2, Expressions: []string{"n"}}}},
		"calls":  {Calls: &recording.Calls{Names: []string{"work"}}},
	} {
		_, printed := runRecorded(t, file, w)
		took, err := time.ParseDuration(strings.TrimSpace(printed) + "s")
		if err != nil || took > time.Second {
			t.Errorf("%s: 20,000 took %s (%v)", name, took, err)
		}
	}
}
