# Places writes to all kinds of places in all kinds of ways: each method writes to one, and
# looks at it at the mark that ends in "seen".
require "set"

class Plain
  @@shared = 1
  attr_accessor :a, :list

  def initialize(a)
    @a = a #@mark plain-init
    @list = []
  end

  def size=(n)
    @size = n #@mark setter
  end

  def self.shared=(n)
    @@shared = n #@mark class-variable
  end

  def self.shared
    @@shared #@mark class-variable-seen
  end
end

Point = Struct.new(:x, :y)

def augmented
  n = 1
  n += 2 #@mark augmented
  n #@mark augmented-seen
end

def unpacked(pair)
  a, (b, *c) = pair #@mark unpacked
  [b, c, a] #@mark unpacked-seen
end

def or_equal(n = nil)
  n ||= 7 #@mark or-equal
  n ||= 8
  n #@mark or-equal-seen
end

def in_condition
  if (n = "four".length) > 3 #@mark condition
    n #@mark condition-seen
  end
end

def in_loop
  n = 0
  while (m = n + 2) < 7 #@mark head
    n = m #@mark in-while
  end
  [n, m] #@mark loop-seen
end

def for_target
  for n in 0..3 #@mark for
    n
  end
  n #@mark for-seen
end

def rescued(n = 1)
  begin
    n = 2 #@mark rescued
    n = Integer("x")
  rescue ArgumentError
    nil
  end
  n #@mark rescued-seen
end

def modified(n)
  n = 5 if n > 100
  n = 6 if n < 100 #@mark modifier
  n #@mark modifier-seen
end

def chosen(n)
  m = if n > 1 #@mark chosen
    "many"
  else
    "one"
  end
  m #@mark chosen-seen
end

def default(n = 7)
  n #@mark default-seen
end

def named(n:, **rest)
  [n, rest] #@mark named-seen
end

def blocks
  n = 1
  [2, 3].each do |x|
    n = n * x #@mark block
  end
  n #@mark block-seen
end

def shadowed
  n = 3 #@mark before-block
  [1, 2].each { |n| n + 1 }
  n #@mark shadowed-seen
end

def one_line(list)
  n = 0
  list.each { |x| n += x } #@mark one-line
  n #@mark one-line-seen
end

def counter
  n = 0
  lambda do
    n += 1 #@mark closure
    n #@mark closure-seen
  end
end

def closures
  one, other = counter, counter
  one.call
  other.call
  one.call
end

def global_write
  $total = 9 #@mark global
  $total #@mark global-seen
end

def setter
  p = Plain.new(1)
  p.size = 8
  p #@mark setter-seen
end

def attribute
  p = Plain.new(1)
  p.a = 4 #@mark attribute
  p.a #@mark attribute-seen
end

def by_name
  p = Plain.new(1)
  p.instance_variable_set(:@a, 2) #@mark by-name
  p.a #@mark by-name-seen
end

def by_send
  p = Plain.new(1)
  p.send(:a=, 3) #@mark by-send
  p.a #@mark by-send-seen
end

def structs
  s = Point.new(1, 2)
  s.x = 5 #@mark struct
  s.x #@mark struct-seen
end

def made
  s = Point.new(3, 4) #@mark made
  s.y #@mark made-seen
end

def appended
  xs = [1]
  xs << 2 #@mark append
  xs[1] #@mark append-seen
end

def nested
  p = Plain.new(1)
  p.list.push(6) #@mark nested
  p.list[0] #@mark nested-seen
end

def sorted
  xs = [3, 1, 2]
  xs.sort! #@mark sort
  xs[0] #@mark sort-seen
end

def mapped
  xs = [3, 1, 2]
  xs.map! { |x| x * 2 } #@mark map
  xs[0] #@mark map-seen
end

def concatenated
  xs = [1]
  xs.concat([2, 3]) #@mark concat
  xs[2] #@mark concat-seen
end

def shifted
  xs = [3, 1, 2]
  xs.shift #@mark shift
  xs[0] #@mark shift-seen
end

def sliced
  xs = [1, 2, 3]
  xs[1..] = [8, 9] #@mark slice
  xs[1] #@mark slice-seen
end

def merged
  d = { a: 1 }
  d.merge!(a: 2) #@mark merge
  d[:a] #@mark merge-seen
end

def deleted
  d = { "a" => 1, "b" => 2 }
  d.delete("a") #@mark delete
  d["a"] = 3 #@mark again
  d["a"] #@mark again-seen
end

def defaulted
  d = Hash.new { |h, k| h[k] = k * 2 } #@mark default-proc
  d[4]
  d[4] #@mark default-proc-seen
end

def counted
  d = Hash.new(0)
  d["x"] += 1
  d["x"] += 1 #@mark counted
  d["x"] #@mark counted-seen
end

def added
  s = Set[1]
  s.add(2) #@mark add
  s.size #@mark add-seen
end

def written
  text = +"ab"
  text << "c" #@mark written
  text #@mark written-seen
end

def helped
  xs = [1]
  help(xs)
  xs[0] #@mark helped-seen
end

def help(list)
  list[0] = 5 #@mark help
end

def behind
  p = Plain.new(1)
  change = p.method(:a=)
  [5].each(&change)
  p.a #@mark behind-seen
end

def in_thread
  p = Plain.new(1)
  Thread.new { p.a = 11 }.join #@mark thread
  p.a #@mark thread-seen
end

def in_fiber
  n = 1
  fiber = Fiber.new do
    n = 5 #@mark fiber
  end
  fiber.resume
  n #@mark fiber-seen
end

def matched(shape)
  case shape
  in { size: } #@mark case
    size #@mark case-seen
  end
end

def tapped
  Plain.new(1).tap { |p| p.a = 6 } #@mark tap
end

def handed
  got = tapped
  got.a #@mark handed-seen
end

def main
  unpacked([1, [2, 3, 4]])
  modified(50)
  chosen(2)
  named(n: 4, other: 5) #@mark named-call
  one_line([1, 2])
  matched({ size: 2 })
  Plain.shared = 2
  Plain.shared
  %i[augmented or_equal in_condition in_loop for_target rescued default blocks shadowed closures global_write setter attribute by_name by_send structs made
     appended nested sorted mapped concatenated shifted sliced merged deleted defaulted counted added written helped behind in_thread in_fiber
     handed].each { |name| send(name) } #@mark loop
end

main
