//go:build linux

package languages

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aidb-mcp/internal/testkit"
)

// A session stops where a test fails, whichever framework runs it, and the run goes on from
// there; an exception that a test wants is none.
func TestRubyTestsStopWhereTheyFail(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgramOf(t, "ruby", "faulty")
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	for _, c := range []struct{ test, file, mark, kind, function, end string }{
		{"ShopTest#test_discount", "shop_test.rb", "minitest", "Minitest::Assertion", "ShopTest#test_discount", "1 failures"},
		{"test_mean", "faulty.rb", "zero", "ZeroDivisionError", "mean", "1 errors"},
		{"gives a discount", "shop_spec.rb", "rspec", "RSpec::Expectations::ExpectationNotMetError", "", "1 example, 1 failure"},
		{"UnitTest#test_prices", "unit_test.rb", "unit", "Test::Unit::AssertionFailedError", "UnitTest#test_prices", "1 failures"},
	} {
		r := s.OK("session_start", A{"test": c.test, "timeout_ms": startLimit}).Stopped("stopped_at_exception", p.At(c.file, c.mark))
		r.Want(c.kind, "data", "exception", "type")
		if c.function != "" {
			r.Want(c.function, "data", "function")
		}
		s.OK("inspect", A{"expression": "order"}).Contains([]string{"data", "result"}, "Order")
		s.OK("execute", nil).Want("terminated", "data", "execution_state", "status").Has(c.end).Lacks("boot/")
	}
	for _, test := range []string{"test_raises", "test_fine", "is fine"} {
		s.OK("session_start", A{"test": test, "timeout_ms": startLimit}).Want("0", "data", "execution_state", "exit_code")
	}
	s.Fail("VALIDATION_INVALID_PARAM", "session_start", A{"test": "test_discont"}).Has("test_discount")
}

// Gems that a project has settled are those that its programs get, and a program whose gems
// are missing is told so.
func TestRubyBundler(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "")
	p.Write("Gemfile", "gem 'rake'\n")
	p.Write("Gemfile.lock", "GEM\n  specs:\n    rake ("+rakeVersion(t)+")\n\nPLATFORMS\n  ruby\n\nDEPENDENCIES\n  rake\n")
	p.Write("app.rb", "puts defined?(Bundler) ? 'bundled' : 'alone'\n")
	p.Write("Rakefile", "task :hello do\n  count = 3\n  puts \"hello #{count}\" #@mark hello\nend\n")
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	s.OK("session_start", A{"target": "app.rb", "timeout_ms": startLimit}).Has("bundled")
	s.OK("session_start", A{"target": "app.rb", "adapter_options": A{"useBundler": false}, "timeout_ms": startLimit}).Has("alone")
	r := s.OK("session_start", A{"target": "Rakefile", "args": []string{"hello"}, "breakpoints": []string{p.At("Rakefile", "hello")}, "timeout_ms": startLimit})
	r.Stopped("stopped_at_breakpoint", p.At("Rakefile", "hello")).Want("3", "data", "locals", "count", "v")
	s.OK("execute", nil).Has("hello 3")
	p.Write("Gemfile", "gem 'nosuchgem'\n")
	p.Write("Gemfile.lock", "GEM\n  specs:\n    nosuchgem (1.0)\n\nPLATFORMS\n  ruby\n\nDEPENDENCIES\n  nosuchgem\n")
	s.OK("session_start", A{"target": "app.rb", "timeout_ms": startLimit}).Has("alone", "nosuchgem", "bundle install")
}

func rakeVersion(t *testing.T) string {
	t.Helper()
	version, err := exec.Command("ruby", "-e", "require 'rake'; print Rake::VERSION").Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(version)
}

// What a diagnosis reads of a statement runs none of the program's code, though in Ruby a name
// may be a call.
func TestRubyPartsRunNothing(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "")
	p.Write("app.rb", `class Order
  attr_reader :customer

  def price
    warn "priced"
    nil
  end

  def total(rate)
    rate * customer.size + price.size
  end
end

def discount
  warn "asked"
  5
end

order = Order.new
order.total(discount)
`)
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	r := s.OK("diagnose", A{"target": "app.rb", "timeout_ms": startLimit}).Want("exception", "data", "verdict")
	if n := strings.Count(r.At("data", "output", "stderr"), "asked"); n > 1 || strings.Contains(r.Text, "priced") {
		t.Errorf("code of the program ran for the diagnosis:\n%s", r)
	}
}

// A program under rdbg at a socket is attached to time and again, and goes on each time.
func TestRubyAtASocket(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgramOf(t, "ruby", "tour")
	dir, err := os.MkdirTemp("", "rb") // a socket's path is short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	socket := filepath.Join(dir, "s")
	rdbg := exec.Command("rdbg3.1", "--open", "--nonstop", "--sock-path", socket, "--", p.Dir+"/tour.rb", "sleep")
	rdbg.Env = append(os.Environ(), "RUBY_DEBUG_LOG_LEVEL=ERROR")
	if err := rdbg.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = rdbg.Process.Kill(); _ = rdbg.Wait() })
	testkit.Eventually(t, testkit.CallLimit, "the socket", func() bool { _, err := os.Stat(socket); return err == nil })
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	for range 2 {
		r := s.OK("session_start", A{
			"language": "ruby", "mode": "remote_attach", "adapter_options": A{"socket": socket},
			"breakpoints": []string{p.At("tour.rb", "tick")}, "timeout_ms": startLimit,
		})
		r.Stopped("stopped_at_breakpoint", p.At("tour.rb", "tick"))
		n := s.OK("inspect", A{"expression": "n"}).Int("data", "result", "v")
		s.OK("execute", nil).Stopped("stopped_at_breakpoint", p.At("tour.rb", "tick"))
		if next := s.OK("inspect", A{"expression": "n"}).Int("data", "result", "v"); next != n+1 {
			t.Errorf("n is %d after %d", next, n)
		}
		s.OK("session", A{"action": "stop"}).Has("left running")
	}
	s.NothingLeft(10 * time.Second)
}
