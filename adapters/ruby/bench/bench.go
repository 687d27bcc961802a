// Package bench is what the benchmark measures of Ruby.
package bench

import "aidb-mcp/internal/commands/bench/debuggee"

// Set is what is measured of Ruby: a program at work. The bare client of the benchmark cannot
// speak to rdbg's own server, which stops the program before the client has asked for anything.
func Set() debuggee.Set {
	return debuggee.Set{
		Paces: []debuggee.Pace{{
			Name: "Ruby, at work", File: "main.rb", Rounds: 1_000_000, Diagnose: 4, Writes: 10, Plain: debuggee.Runs("ruby", "main.rb"),
			Text: atWork,
		}},
		Holdings: []debuggee.Holding{{Name: "Ruby, an array of 10,000,000", File: "held.rb", Count: 10_000_000, Text: heldArray}},
	}
}

const heldArray = `def main
  numbers = Array.new(ARGV[0].to_i) { |i| i }
  x = numbers.size # held
  x += 1
  x += 2
  x += 3
  x += 4
  x += 5
  x += 6
  puts x
end

main
`

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
