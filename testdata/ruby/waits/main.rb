# Programs that hang, one for each argument. A marked line is where the kernel waits or takes a lock.

def crossed
  a = Mutex.new
  b = Mutex.new
  ready = Queue.new
  both = Queue.new
  threads = [[a, b], [b, a]].map do |mine, theirs|
    Thread.new do
      mine.synchronize do
        ready << 1
        both.pop
        theirs.synchronize { ready << 2 } # @mark wanted
      end
    end
  end
  2.times { ready.pop }
  2.times { both << 1 }
  Thread.new { sleep } # else Ruby ends it by itself
  threads[0].join # @mark joins
end

def item
  jobs = Queue.new
  Thread.new { sleep }
  jobs.pop # @mark pops
end

send(ARGV[0])
