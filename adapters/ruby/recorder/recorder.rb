# frozen_string_literal: true

module AidbRecorder
  # What a wish asks for cannot be noted; nothing was run.
  class Refused < StandardError
    attr_reader :field

    def initialize(text, field)
      super(text)
      @field = field
    end
  end

  # Notes what package recording's Wish names.
  class Recorder
    # What happens in a thread from outside waits until something of ours has been done.
    LATER = { Object => :never }.freeze

    attr_reader :notes, :program, :fibers, :writes, :wish

    def initialize(notes, wish)
      @notes, @wish = notes, wish
      @program = Program.new(wish["roots"] || [])
      @fibers = Fibers.new
      @failures = Failures.new(self)
      @parts = [@failures]
    end

    # Says whether the wish can be granted; what is wrong with it is said before anything runs.
    def possible?
      values = wish["values"] || []
      hits = Hits.new(self, values) unless values.empty?
      framed = values.any? { |v| v["frames"] }
      @parts << (@calls = Calls.new(self, wish["calls"])) if wish["calls"]
      @parts << Follow.new(self, wish["lines"]) if wish["lines"]
      @parts << (@first = First.new(self, wish["first"])) if wish["first"]
      if wish["writes"]
        @parts << (@writes = Writes.new(self, wish["writes"], hits))
      elsif hits
        @parts << (framed ? Framed.new(self, hits) : hits)
      end
      @hits = hits
      true
    rescue Refused => e
      notes.write(k: "refused", at: "", m: e.message, a: [e.field])
      false
    end

    def start
      at_exit { ended($!) }
      tell_of_forks
      tell_of_ractors
      @fibers.start
      @compiled = TracePoint.new(:script_compiled) { |tp| apart { compiled(tp.instruction_sequence) } }
      @compiled.enable
    end

    # Does something beside the program: no event comes from it, and nothing that is raised in it
    # or sent to its thread meanwhile gets into the program.
    def apart
      return unless notes.recording?

      Thread.handle_interrupt(LATER) do
        blocking { yield }
      rescue SystemStackError, NoMemoryError
        nil # the program comes to that by itself
      rescue StandardError, ScriptError => e
        complain(e)
      end
    end

    # Where the events happen, as members of an event.
    def where(path, line, function, state)
      thread = state.thread
      %("at":"#{quoted(path)}:#{line}","f":#{Json.quote(function)}) + (thread.empty? ? "" : %(,"t":#{Json.quote(thread)}))
    end

    # The function that an event happened in.
    def function(tp)
      tp.method_id ? program.function(tp) : "<main>"
    end

    # Where the call was made that an event tells of.
    def caller_place
      @deep ||= caller_locations.index { |l| !l.path.to_s.start_with?(Program::OURS) && !l.path.to_s.start_with?("<internal") }
      places = caller_locations(@deep + 2, 2) || []
      places = caller_locations.reject { |l| l.path.to_s.start_with?(Program::OURS) }[1, 2] || [] if places.first&.path.to_s.start_with?(Program::OURS)
      place = program.first_of(places) unless places.empty?
      place if place&.path
    end

    # The line that is meant by one of a file: itself, where something can be noted in front of it.
    def line(file, asked, field)
      path = File.realpath(file)
      lines = Code.lines(RubyVM::InstructionSequence.compile_file(path))
      line = lines.find { |x| x >= asked } or raise Refused.new("#{file}:#{asked} has no code", field)
      notes.remark("line #{asked} has no code: #{line} is the next that has") if line != asked
      [path, line]
    rescue SyntaxError, SystemCallError => e
      raise Refused.new("#{file} cannot be read: #{e.message.lines.first.to_s.strip}", field)
    end

    # How many frames of each function there are: {[path, label] => number}.
    def frames
      caller_locations.map { |l| [program.absolute(l.path), l.label] }.tally
    end

    # Says that the calls of functions that are called often are not all noted.
    def thins?
      !@calls&.thin.nil?
    end

    def tell_all
      @calls&.thin&.tell_all
    end

    # Says that no function was found that is called as was asked.
    def unmatched(names, field, any:)
      return if names.empty?

      defined = Nearest.functions(wish["roots"] || [])
      there, lacking = names.partition { |n| defined.any? { |path, own| program.named?(path, own, n) } }
      unless any || there.any?
        return notes.write(k: "missing", at: "", a: [field], m: "no function of the program is called #{names.join(' or ')}#{near(names, defined)}")
      end
      lacking.each { |n| notes.remark("no function of the program's own sources is called #{n}, and none that was called#{near([n], defined)}") }
      notes.remark("#{there.join(', ')}: no call of it was seen") if there.any? && !any
    end

    private

    def tell_of_forks
      recorder = self
      return unless Process.respond_to?(:_fork) # before Ruby 3.1 nothing tells of them

      Process.singleton_class.prepend(Module.new do
        define_method(:_fork) { super().tap { |pid| recorder.apart { recorder.notes.forked } if pid.positive? } }
      end)
    end

    # What happens in another ractor comes to no TracePoint of this one.
    def tell_of_ractors
      return unless defined?(Ractor)

      begun = TracePoint.new(:call) do
        begun.disable
        apart { notes.write(k: "apart", at: "", m: "the program has made ractors: what they do is not recorded") }
      end
      begun.enable(target: Ractor.method(:new))
    end

    # A scheduler of fibers would be asked for what a call of the system has to wait for.
    def blocking(&block)
      Fiber.respond_to?(:blocking) && Fiber.respond_to?(:current_scheduler) && Fiber.current_scheduler ? Fiber.blocking(&block) : yield
    end

    def quoted(path)
      @quoted ||= {}
      @quoted[path] ||= Json.quote(path)[1..-2]
    end

    def complain(error)
      return if @complained

      @complained = true
      notes.remark("the recorder has failed once: #{error.class}: #{error.message.lines.first.to_s.strip} (#{error.backtrace&.first})")
    end

    def compiled(iseq)
      path = iseq.absolute_path
      return if path.nil? || path.start_with?(Program::OURS)

      path = File.realpath(path) if File.symlink?(path) || File.exist?(path)
      codes = Code.all(iseq)
      program.know(iseq.path, path, codes)
      @parts.each { |part| part.compiled(path, codes) }
    end

    def ended(error)
      apart do
        @failures.ended(error)
        @parts.each { |part| part.ended if part.respond_to?(:ended) && !part.equal?(@failures) }
        program.told_aside.each { |text| notes.remark(text) }
      end
      @fibers.stop
      @compiled.disable
    end

    def near(names, defined)
      found = names.filter_map { |n| Nearest.like(n[/[^#.:]*\z/].delete("*"), defined.map { |_, own| own[/[^#.]*\z/] }) }
      found.empty? ? "" : "; there is #{found.join('; ')}"
    end
  end
end
