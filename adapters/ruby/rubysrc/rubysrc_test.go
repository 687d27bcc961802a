package rubysrc

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const methods = `# A shop.
module Shop
  class Cart < Base
    attr_reader :prices

    def initialize(prices) = @prices = prices

    # What it costs.
    def total
      # nothing here
      sum = prices.sum

      if sum > 3
        sum = 3
      end
      sum
    end

    def self.open
      new([])
    end

    class << self
      def close
        nil
      end
    end

    private def hidden?(x)
      x
    end

    def ==(other)
      true
    end
  end

  Empty = Class.new
  class Error < StandardError; end
end

def help
  puts "help"
end

__END__
def never
end
`

func TestMethods(t *testing.T) {
	t.Parallel()
	var got []string
	bodies := map[string]int{}
	for _, d := range Methods(methods) {
		got = append(got, d.Full())
		bodies[d.Full()] = d.Body
	}
	want := []string{
		"Shop::Cart#initialize", "Shop::Cart#total", "Shop::Cart.open", "Shop::Cart.close", "Shop::Cart#hidden?", "Shop::Cart#==", "help",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for name, line := range map[string]int{"Shop::Cart#initialize": 6, "Shop::Cart#total": 11, "Shop::Cart.open": 20, "help": 43} {
		if bodies[name] != line {
			t.Errorf("the body of %s begins at line %d, want %d", name, bodies[name], line)
		}
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]string{
		"total":            {"Shop::Cart#total"},
		"Cart#total":       {"Shop::Cart#total"},
		"Shop::Cart#total": {"Shop::Cart#total"},
		"Cart.total":       {"Shop::Cart#total"},
		"Cart.open":        {"Shop::Cart.open"},
		"Cart#open":        nil,
		"Art#total":        nil,
		"help":             {"help"},
	} {
		var got []string
		for _, d := range Methods(methods) {
			if d.IsNamed(name) {
				got = append(got, d.Full())
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

func TestTests(t *testing.T) {
	t.Parallel()
	const text = `RSpec.describe Shop::Cart, "when filled" do
  describe "#total" do
    it "adds prices" do
      expect(1).to eq(2)
    end

    it('rounds', :slow) { expect(1).to eq 1 }
  end

  context 'empty' do
    it "is nothing" do
    end
  end
end

module Shop
  class CartTest < Minitest::Test
    def setup
    end

    def test_total
      [1].each do |x|
        x
      end
    end

    test "adds all" do
    end
  end
end
`
	var got []string
	for _, test := range Tests(text) {
		got = append(got, test.Full())
	}
	want := []string{
		"Shop::Cart when filled#total adds prices", "Shop::Cart when filled#total rounds", "Shop::Cart when filled empty is nothing",
		"Shop::CartTest#test_total", "Shop::CartTest adds all",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for name, want := range map[string]int{"adds prices": 1, "CartTest#test_total": 1, "CartTest::test_total": 1, "test_adds_all": 1, "adds": 0, "total": 0} {
		n := 0
		for _, test := range Tests(text) {
			if test.IsNamed(name) {
				n++
			}
		}
		if n != want {
			t.Errorf("%d tests are called %s, want %d", n, name, want)
		}
	}
}

func TestFramework(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"require 'minitest/autorun'\n":            Minitest,
		"class A < ActiveSupport::TestCase\n":     Minitest,
		"require \"test/unit\"\n":                 TestUnit,
		"require 'spec_helper'\n":                 RSpec,
		"RSpec.describe 'x' do\n":                 RSpec,
		"require \"test_helper\"\nclass A < B\n":  "",
		"class ATest < Test::Unit::TestCase\nend": TestUnit,
	} {
		if got := Framework(text); got != want {
			t.Errorf("%q is of %q, want %q", text, got, want)
		}
	}
}
