# The program that the benchmark debugs: a loop to step through, then an error.

def average(marks, rounds)
  total = 0
  rounds.times do |i|
    mark = marks[i % marks.length]
    total += mark
  end
  total / marks.fetch(marks.length)
end

puts "average: #{average([3, 1, 4, 1, 5], 200)}"
