# frozen_string_literal: true

module AidbRecorder
  # Counts how often a condition was judged, in a file that package recording reads.
  class Judged
    attr_accessor :instances
    attr_reader :times

    def initialize(records)
      @file = File.open(File.join(records, "judged"), File::RDWR | File::CREAT | File::TRUNC | File::BINARY, 0o600)
      @times = @failed = @instances = 0
      write(0)
    end

    # Counts a judgement and answers which one it is.
    def one
      @times += 1
      write(0) if (@times & (@times - 1)).zero?
      @times
    end

    # Counts one that has no value, and says whether it is the first.
    def vain
      (@failed += 1) == 1
    end

    # The program ends: the numbers are all that was to be counted.
    def whole
      write(1)
    end

    private

    def write(whole)
      @file.pwrite([@times, @failed, whole, @instances].pack("Q<4"), 0)
    rescue SystemCallError, IOError
      nil
    end
  end
end
