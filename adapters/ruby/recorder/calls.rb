# frozen_string_literal: true

module AidbRecorder
  # Notes calls with arguments and results. Only the methods that are meant are watched: the
  # rest of the program runs at its own speed.
  class Calls
    # A call that is under way. Direct says that the watched call below it has made it itself.
    Call = Struct.new(:number, :code, :path, :label, :function, :raises, :direct)

    def initialize(recorder, wish)
      @recorder, @notes, @program, @fibers = recorder, recorder.notes, recorder.program, recorder.fibers
      @names, @number, @meant = wish["names"], 0, {}
      @matched = {}
      @thin = Thin.new(@notes, wish["thin"]) if wish["thin"]
      @parameters = {}
    end

    attr_reader :thin

    # A file was compiled: its methods are watched that may be meant.
    def compiled(path, codes)
      codes.each do |code|
        next watch(code, path, :b_call, :b_return) if code.kind == :block && @program.users?(path)
        next unless code.kind == :method && @program.likely?(path, code.label, @names)

        watch(code, path, :call, :return)
      end
    end

    def ended
      return if @matched.size == @names.size

      @recorder.unmatched(@names - @matched.keys - ["*"], "functions", any: !@matched.empty?)
    end

    private

    def watch(code, path, begins, ends)
      defined = begins == :b_call # perhaps by define_method
      return if defined && !code.label.start_with?("block in <class:", "block in <module:", "block in <main>")

      counter = @thin&.of(code, path)
      tracer = TracePoint.new(begins, ends) do |tp|
        next if defined && tp.method_id.nil?

        @recorder.apart do
          tp.event == begins ? enter(tp, code, path, counter, tracer) : leave(tp, code, path)
        end
      end
      tracer.enable(target: code.iseq)
    end

    def enter(tp, code, path, counter, tracer)
      return unless code.iseq.label == tp.method_id.to_s || code.kind == :block || renamed?(tp)

      function = meant(tp, path) or return
      return tracer.disable if counter && @thin.leaves?(counter, function)

      state = heal(@fibers.current)
      below = state.stack.last
      call = Call.new(0, code, path, code.label, function, state.raises)
      state.stack.push(call)
      caller = caller_of(call, below)
      return if counter && !@thin.meets?(counter, function)

      note_enter(tp, call, @number += 1, caller, state)
      call.number = @number # else there was no room to note it
    end

    # Says that a method that is nested in the code is none of it.
    def renamed?(tp)
      tp.callee_id != tp.method_id
    end

    def note_enter(tp, call, number, caller, state)
      depth = state.stack.count { |c| c.code.equal?(call.code) } - 1
      names, written = parameters(tp, call.code)
      binding = tp.binding
      values = names.map { |n| @notes.shown(binding.local_variable_get(n)) }
      @notes.put(%("k":"enter",#{@recorder.where(call.path, tp.lineno, call.function, state)},"c":#{number}) +
        (depth.positive? ? %(,"d":#{depth}) : "") + (state.rests ? ',"w":true' : "") +
        %(,"a":#{written},"v":#{@notes.encoded(values)}) + (caller ? %(,"s":[#{Json.quote(caller)}]) : ""))
    end

    def parameters(tp, code)
      @parameters[code] ||= begin
        names = tp.parameters.map(&:last).grep(/\A[[:alpha:]_]/).uniq.select { |n| tp.binding.local_variable_defined?(n) }
        [names, Json.dump(names)]
      end
    end

    # The name of a method, where it is meant.
    def meant(tp, path)
      found = (@meant[tp.defined_class] ||= {})
      found.fetch(tp.method_id) do |id|
        function = @program.function(tp)
        names = @names.select { |n| @program.named?(path, function, n) }
        names.each { |n| @matched[n] = true }
        found[id] = names.empty? ? nil : function
      end
    end

    # Who called, as stacks name it.
    def caller_of(call, below)
      place = @recorder.caller_place or return
      path = @program.absolute(place.path)
      if below && below.path == path && place.label.end_with?(below.label)
        call.direct = true
        return "#{below.function} #{path}:#{place.lineno}"
      end
      "#{@program.known(place)} #{path}:#{place.lineno}"
    end

    def leave(tp, code, path)
      state = @fibers.current
      at = state.stack.rindex { |c| c.code.equal?(code) } or return
      leave_down_to(state, at + 1, [:lost])
      call = state.stack.pop
      outcome = Outcome.of(tp, code, call, state)
      state.last_left = outcome[0] == :raised && call.direct ? [outcome[1], state.stack.last] : nil
      return if call.number.zero?

      note_leave(call, outcome, state, tp.lineno)
    end

    def note_leave(call, outcome, state, line)
      shown = case outcome[0]
              when :value then @notes.shown(outcome[1])
              when :raised then @notes.failed(outcome[1])
              end
      value, raised = Outcome.members(outcome, shown)
      @notes.put(%("k":"leave",#{@recorder.where(call.path, line, call.function, state)},"c":#{call.number},"v":#{@notes.encoded([value])}#{',"x":true' if raised}))
    end

    # Where a recursion has filled the stack no method tells that it is left.
    def heal(state)
      return state unless state.overflowed?

      there = @recorder.frames
      kept = state.stack.take_while do |c|
        key = there.keys.find { |path, label| path == c.path && label.end_with?(c.label) }
        key && (there[key] -= 1) >= 0
      end
      leave_down_to(state, kept.size, [:overflow])
      state
    end

    def leave_down_to(state, size, outcome)
      while state.stack.size > size
        call = state.stack.pop
        note_leave(call, outcome, state, call.code.line) if call.number.positive?
      end
    end
  end

  # Counts the calls of functions that are called often, of which not all are noted.
  class Thin
    NEVER = Float::INFINITY
    # Of one function: calls are noted that come until one number, or after another.
    Counter = Struct.new(:key, :at, :calls, :until, :after, :most, :told, :name)

    def initialize(notes, wish)
      @notes, @wish, @counters = notes, wish, {}
      notes.only_last = !(wish["after"] || {}).empty?
    end

    def of(code, path)
      at = "#{path}:#{code.line}"
      key = "#{at} #{code.label}"
      @counters[key] ||= begin
        after, last = (@wish["after"] || {})[key], @wish["last"] || 0
        after ? Counter.new(key, at, 0, -1, after, after + 2 * last, 0, code.label) : Counter.new(key, at, 0, @wish["first"], NEVER, NEVER, 0, code.label)
      end
    end

    # Says whether the call that begins is to be noted. The last one before the others are only
    # counted tells of that.
    def meets?(counter, function)
      counter.name = function
      n = counter.calls += 1
      return false if counter.until < n && n <= counter.after

      tell(counter) if n == counter.until
      n <= counter.most
    end

    # Says whether a function is called too often to go on with it, and tells that.
    def leaves?(counter, function)
      leave = @wish["leave"] || 0
      return false if leave.zero? || counter.calls < leave

      @notes.write(k: "unwatched", at: counter.at, f: function, h: counter.calls)
      true
    end

    def tell(counter)
      counter.told = counter.calls
      @notes.write(k: "counted", at: counter.at, f: counter.name, o: counter.key, h: counter.calls)
    end

    # Tells how often functions were called until now whose calls are not all noted.
    def tell_all
      @counters.each_value { |c| tell(c) if c.calls > c.until && c.calls != c.told }
    end
  end
end
