# See testdata/go/pest: surrounds itself with processes, ignores signals, stays.
%w[TERM INT HUP].each { |name| trap(name, "IGNORE") }
mode, *rest = ARGV
system("sh", "pest.sh", *rest)
puts "ready"
$stdout.flush
ticks = 0
while mode != "exit" || ticks < 3
  ticks += 1 #@mark stop
  sleep 0.01
end
