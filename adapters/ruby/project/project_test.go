package project

import (
	"strings"
	"testing"

	"aidb-mcp/internal/project/workspace"
	"aidb-mcp/internal/project/workspace/workspacetest"
	"aidb-mcp/internal/testkit/filetree"
)

func TestStartsOfRuby(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files         map[string]string
		test, program string
	}{
		"a script": {
			map[string]string{"report.rb": "# Prints the report.\nrequire_relative 'tools'\nputs total\n", "tools.rb": "x = 1\ndef total\n  1\nend\n"},
			"", "report.rb",
		},
		"a gem with minitest": {
			map[string]string{
				"Gemfile": "gemspec\n", "lib/shop.rb": "module Shop\nend\n", "exe/shop": "#!/usr/bin/env ruby\nrequire 'shop'\n",
				"test/test_helper.rb": "require 'minitest/autorun'\n", "test/cart_test.rb": "require 'test_helper'\nclass CartTest < Base\n  def test_total\n  end\nend\n",
			},
			"minitest test/cart_test.rb CartTest#test_total", "exe/shop",
		},
		"a gem with RSpec": {
			map[string]string{
				"Gemfile": "gem 'rspec'\n", ".rspec": "--color\n", "lib/shop.rb": "module Shop\nend\n",
				"spec/cart_spec.rb": "describe Shop do\n  it 'adds' do\n  end\nend\n",
			},
			"rspec spec/cart_spec.rb Shop adds", "",
		},
		"test-unit": {
			map[string]string{"test_cart.rb": "require 'test/unit'\nclass TestCart < Test::Unit::TestCase\n  def test_total\n  end\nend\n"},
			"test-unit test_cart.rb TestCart#test_total", "",
		},
		"a server of Sinatra": {
			map[string]string{"app.rb": "require 'sinatra'\n\nget '/' do\n  'hello'\nend\n"},
			"", "Sinatra app.rb serves",
		},
		"an application of Rails": {
			map[string]string{
				"bin/rails": "#!/usr/bin/env ruby\nAPP_PATH = 'x'\nrequire 'rails/commands'\n", "config.ru": "run Rails.application\n",
				"config/puma.rb": "threads_count = 2\nport 3000\n", "bin/setup": "#!/usr/bin/env ruby\nputs 1\n",
			},
			"", "Rails bin/rails serves",
		},
		"tasks alone": {
			map[string]string{"Rakefile": "require_relative 'lib/bill'\ntask default: :bill\n", "lib/bill.rb": "class Bill\nend\n"},
			"", "Rake Rakefile",
		},
		"a server of Rack": {
			map[string]string{"config.ru": "# Greets.\nrequire_relative 'greeter'\nrun Greeter\n", "greeter.rb": "class Greeter\nend\n"},
			"", "Rack config.ru serves",
		},
		"a program with a part for itself": {
			map[string]string{"game.rb": "class Game\nend\nif __FILE__ == $0\n  Game.new\nend\n", "lib/board.rb": "class Board\nend\n"},
			"", "game.rb",
		},
		"what was installed": {
			map[string]string{"vendor/bundle/gems/x-1.0/test/x_test.rb": "class XTest < Minitest::Test\n  def test_x\n  end\nend\n"},
			"", "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tests, programs := workspacetest.Starts(t, workspace.Languages{&Support}, filetree.New(t, c.files))
			test, program := "", ""
			if len(tests) > 0 {
				test = tests[0].Framework + " " + tests[0].Target + " " + tests[0].Name
			}
			if len(programs) > 0 {
				program = strings.TrimSpace(programs[0].Framework + " " + programs[0].Target)
				if programs[0].Serves {
					program += " serves"
				}
			}
			if test != c.test || program != c.program {
				t.Errorf("the test is %q, want %q; the program is %q, want %q", test, c.test, program, c.program)
			}
		})
	}
}
