# Tour goes through what a debugger is asked for; its first argument names the
# part. The same program stands in testdata for every language.
$stdout.sync = true

def loop_part
  items = [3, 1, 4, 1, 5, 9, 2, 6, 5, 4]
  total = 0 #@mark loop-start
  10.times do |i|
    item = items[i]
    total += item #@mark sum
  end
  puts "total #{total}" #@mark loop-end
end

def twice(n)
  result = n * 2 #@mark twice
  result #@mark twice-return
end

def combine(a, b)
  both = a + b #@mark combine
  both #@mark combine-return
end

def calls
  count = 6 #@mark calls-start
  first = twice(count) #@mark call
  second = combine(twice(first), count) #@mark nested
  count = count + second #@mark after
  puts "calls #{count} #{first}" #@mark calls-end
end

Address = Struct.new(:city, :tags)
Person = Struct.new(:name, :age, :address)

def values
  yes = true
  whole = 42
  huge = 9007199254740993
  ratio = 1.5
  name = "grüße 🙂"
  lines = "one\n\"two\""
  list = [10, 20, 30]
  ages = {"one" => 1, "two" => 2}
  ada = Person.new("Ada", 36, Address.new("Paris", ["x", "y"]))
  nothing = nil
  puts "values #{yes} #{whole} #{huge} #{ratio} #{name} #{lines} #{list} #{ages} #{ada} #{nothing}" #@mark values-end
end

Level = Struct.new(:depth, :next)

def big
  million = (0...1_000_000).to_a
  text = "0123456789" * 100_000
  deep = nil
  50.downto(1) { |i| deep = Level.new(i, deep) }
  puts "big #{million.size} #{text.size} #{deep.depth}" #@mark big-end
end

$counter = 10

def bump
  $counter += 1 #@mark write
  puts "bumped" #@mark written
  puts "for sure" #@mark written-after
end

def watch
  puts "watch #{$counter}" #@mark watch-start
  bump
  puts "counter #{$counter}" #@mark watch-end
end

def fail_with(code)
  raise "tour failed: #{code}" #@mark throw
end

def throw_part
  puts "before"
  fail_with(7) #@mark throw-call
end

def catch_part
  fail_with(8)
rescue => error
  puts "caught #{error.message}" #@mark caught
end

def exit3
  puts "last words"
  warn "last complaint"
  exit 3 #@mark exit
end

def streams
  1.upto(3) do |i|
    puts "out #{i}"
    warn "err #{i}" #@mark stream
  end
  print "no newline at the end"
end

def echo
  n = 0
  while (line = $stdin.gets)
    n += 1
    puts "#{n}: #{line.chomp}" #@mark line
  end
  puts "end after #{n} lines"
end

def spin
  puts "spinning"
  limit = -1
  n = 0
  while limit < 0 || n < limit
    n += 1 #@mark spin
  end
  puts "spun"
end

def tick(n)
  puts "tick #{n}" #@mark tick
end

def sleep_part
  2400.times do |n|
    tick(n)
    sleep 0.05
  end
end

def hold(gate, arrived)
  arrived << true
  gate.pop #@mark hold
end

def threads
  gate = Queue.new
  arrived = Queue.new
  all = 20.times.map { Thread.new { hold(gate, arrived) } }
  20.times { arrived.pop }
  sleep 0.1
  puts "gathered" #@mark gathered
  20.times { gate << true }
  all.each(&:join)
end

def dive(depth)
  if depth == 0
    return 0 #@mark bottom
  end
  dive(depth - 1) + 1
end

def recursion
  puts "depth #{dive(500)}"
end

part = ARGV[0] || "loop" #@mark main
parts = {
  "loop" => :loop_part, "calls" => :calls, "values" => :values, "big" => :big, "watch" => :watch,
  "throw" => :throw_part, "catch" => :catch_part, "exit3" => :exit3, "streams" => :streams, "echo" => :echo,
  "spin" => :spin, "sleep" => :sleep_part, "threads" => :threads, "recursion" => :recursion,
}
send(parts.fetch(part))
