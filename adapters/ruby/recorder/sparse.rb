# frozen_string_literal: true

module AidbRecorder
  # Leaves out what happens between the first events of a run and its last ones: package recording's
  # Sparse. Nothing is followed meanwhile: the lines that are come to are only counted, of writes to
  # one expression those of the statements that may write it. That costs a tenth of a microsecond
  # each, for it is done without what keeps the program's interrupts off (Recorder#apart).
  class Sparse
    attr_reader :count

    def initialize(recorder, stacks, wish, wanted, hits)
      @recorder, @notes, @stacks, @wanted, @hits = recorder, recorder.notes, stacks, wanted, hits
      @first, @from = wish["first"], wish["from"]
      @files, @counters = {}, [] # path: its codes
      @count, @counts, @over = 0, false, false
      @notes.ticks = self
    end

    # Says that lines are only counted now.
    def counts?
      @counts
    end

    def compiled(path, codes)
      @files[path] = codes
      count_lines(path, codes) if @counts
    end

    # Says that so much was noted that the rest is counted, and begins with that.
    def begin?
      return false if @over || @notes.seq < @first

      @over = @notes.seq >= @from - 1
      return false if @over

      @count, @counts = @notes.seq, true
      @files.each { |path, codes| count_lines(path, codes) }
      true
    end

    # The program has ended: how far it has come tells where its last writes begin.
    def ended
      @notes.write(k: "skipped", at: "", o: "lines", h: @count) if @counts && !@wanted.all?
    end

    private

    def count_lines(path, codes)
      @counters.concat(@hits.compiled(path, codes)) if @hits
      lines = @wanted.all? ? nil : @stacks.source(path).scopes.each_value.flat_map { |s| s.statements.values.select { |x| @wanted.relevant?(x) }.map(&:first) }.uniq
      codes.each { |c| tick(:call, c.iseq, path) if c.body && (lines.nil? || lines.include?(c.body)) }
      return tick(:line, codes.first.iseq, path) if lines.nil?

      (lines & Code.announced(codes)).each { |line| tick(:line, codes.first.iseq, path, target_line: line) }
    end

    def tick(event, iseq, path, **line)
      counter = TracePoint.new(event) { |tp| resume(tp, path) if (@count += 1) == @from }
      counter.enable(target: iseq, **line)
      @counters << counter
    end

    # From now on all is noted again, what begins now first.
    def resume(tp, path)
      @recorder.apart do
        next unless @counts # another thread has come to the number, too

        @counters.each(&:disable)
        @counts, @over = false, true
        @stacks.resume
        @stacks.happened(tp, path)
      end
    end
  end
end
