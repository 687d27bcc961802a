// Package bench is what the benchmark measures of Ruby.
package bench

import (
	"embed"
	"fmt"
	"os/exec"

	"aidb-mcp/internal/commands/bench/debuggee"
)

//go:embed _program
var programs embed.FS

// listen starts rdbg with a program, and prints the address without what rdbg puts behind it.
const listen = `ruby -e 'load Gem.bin_path("debug", "rdbg")' -- --open --host 127.0.0.1 --port 0 -- "$0" 2>&1 | sed -u 's/)$//'`

// Set is what is measured of Ruby.
func Set() debuggee.Set {
	return debuggee.Set{
		Sessions: []debuggee.Session{{
			Name: "Ruby (rdbg)", File: "average.rb", First: "total = 0", Ratio: debuggee.StepRatio,
			Adapter: func(p *debuggee.Program) (debuggee.Command, error) {
				if _, err := exec.LookPath("ruby"); err != nil {
					return debuggee.Command{}, fmt.Errorf("looking for Ruby: %w", err)
				}
				return debuggee.Command{ID: "rdbg", Path: "sh", Args: []string{"-c", listen, p.File}, Announces: "attach via TCP/IP ("}, nil
			},
			Launch: func(*debuggee.Program) debuggee.Object { return debuggee.Object{} },
			Files:  programs,
		}},
		Paces: []debuggee.Pace{{
			Name: "Ruby, at work", File: "main.rb", Rounds: 1_000_000, Diagnose: 4, Plain: debuggee.Runs("ruby", "main.rb"),
			Text: atWork,
		}},
	}
}

const atWork = `def mix(a, b)
  (a * 31 + b) % 1000003
end

def step(total, i)
  return mix(total, i) if i % 3 == 0

  mix(i, total)
end

def work(rounds)
  total = 1
  i = 0
  while i < rounds
    total = step(total, i)
    if total < 0
      total = 0 # never
    end
    i += 1
  end
  total
end

table = [1, 2, 3]
total = work(ARGV[0].to_i)
puts table.fetch(total + 3)
`
