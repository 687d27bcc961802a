# frozen_string_literal: true

module AidbRecorder
  # Writes what was noted, each event at once, so that a crash loses none; package recording
  # says into which files, and reads them. All methods may be called from any thread.
  class Notes
    HEAD = 4 << 20
    TAIL = 8 << 20

    attr_reader :records, :text, :seq
    attr_accessor :only_last # what is noted is looked at, and not compared
    attr_writer :ticks # counts events that are not noted

    # Makes the first file. One that is there is another process's: this one is a child of
    # that, and records nothing.
    def self.open(records, text)
      new(records, text)
    rescue Errno::EEXIST
      nil
    end

    def initialize(records, text)
      @records, @text = records, text
      @lock, @seq, @tail, @pid = Mutex.new, 0, 0, Process.pid
      @off, @whole = false, Whole.new
      open_file("head", HEAD, File::EXCL)
    end

    # Whether this process records: a child that was made by fork does not.
    def recording?
      @off ||= @pid != Process.pid
      !@off
    end

    def forked
      return if @forked || !recording?

      @forked = true
      remark("the program has made child processes by fork: what they do is not recorded")
    end

    # Writes an event: the members of a JSON object, without its number.
    def put(body)
      return unless recording?

      alone do
        @seq = [@seq, @ticks.count].max if @ticks
        line = "{\"n\":#{@seq + 1},#{body}}\n"
        turn if @at + line.bytesize > @size
        @file.syswrite(line)
        @at += line.bytesize
        @seq += 1
      end
    rescue SystemCallError, IOError
      @off = true # there is no room left, or the program has closed all files
    end

    def write(event)
      put(Json.dump(event)[1..-2])
    end

    def remark(text)
      write(k: "remark", at: "", m: text)
    end

    # Values.

    # A value as text, as long as is asked for, and its hash where that leaves something out.
    def shown(value)
      text, cut = Show.text(value, @text)
      cut ? identified(text, value) : { v: text }
    rescue SystemStackError
      { e: "there is no room left to look at it" }
    rescue StandardError, ScriptError => e
      { e: "#{e.class} while it was looked at" }
    end

    def identified(text, value)
      return { v: text, u: true } if @only_last

      whole = alone { @whole.of(value) }
      whole.empty? ? { v: text, u: true } : { v: text, u: true, w: whole }
    end

    # An exception as text.
    def failed(error)
      text = Core.failure(error)
      text.length <= @text ? { v: text } : identified("#{text[0, @text]}…", error)
    end

    # Values as JSON.
    def encoded(values)
      "[#{values.map { |v| v.size == 1 && v[:v] ? "{\"v\":#{Json.quote(v[:v])}}" : Json.dump(v) }.join(',')}]"
    end

    private

    def open_file(name, size, how)
      @file = File.open(File.join(@records, name), File::RDWR | File::CREAT | File::BINARY | how, 0o600)
      @at, @size = 0, size
    end

    def turn
      @file.close
      open_file("tail#{@tail % 2}", TAIL, File::TRUNC)
      @tail += 1
    end

    # One thread at a time. A handler of signals may not wait for another: it does not.
    def alone(&block)
      return yield if @lock.owned?

      @lock.synchronize(&block)
    rescue ThreadError
      yield
    end
  end
end
