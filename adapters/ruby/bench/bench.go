// Package bench is what the benchmark measures of Ruby.
package bench

import "aidb-mcp/internal/commands/bench/debuggee"

// Set is what is measured of Ruby: a program at work. The bare client of the benchmark cannot
// speak to rdbg's own server, which stops the program before the client has asked for anything.
func Set() debuggee.Set {
	return debuggee.Set{
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
