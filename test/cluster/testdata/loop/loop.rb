def mark(i, total)
  i + total
end

total = 0
(1..100_000).each do |i|
  total += i
  File.open(ARGV[0], "a") { |f| f.puts i }
  mark(i, total) # here
end
