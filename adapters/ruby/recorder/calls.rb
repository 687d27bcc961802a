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
      ended = TracePoint.new(ends) do |tp|
        next if defined && tp.method_id.nil?
        next if counter && left_counted?(tp, counter)

        @recorder.apart { leave(tp, code, path) }
      end
      begun = TracePoint.new(begins) do |tp|
        next if defined && tp.method_id.nil?
        next if counter && only_counted?(tp, counter, code)

        @recorder.apart { enter(tp, code, path, counter, [begun, ended]) }
      end
      [ended, begun].each { |tracer| tracer.enable(target: code.iseq) }
    end

    # Says of a call that begins that it is only counted, of a method of which another call was: most of
    # the calls of a program are such, and all that is done for one is here. Nothing can come in between
    # until it is among those under way.
    def only_counted?(tp, counter, code)
      call, n = counter.call, counter.calls
      return false if call.nil? || !call.code.equal?(code) || n < counter.until || n >= counter.most_counted

      state = @fibers.known[Fiber.current]
      return false if state.nil? || call.raises != state.raises || state.stack.size > Fibers::State::DEEP

      counter.calls = n + 1
      state.stack << call
      return true if tp.defined_class.equal?(counter.owner) && tp.method_id.equal?(counter.id)

      state.stack.pop
      counter.calls -= 1
      false
    end

    # Says of a call that ends that it was such a one, and that nothing was raised meanwhile that may have
    # left it.
    def left_counted?(tp, counter)
      state = @fibers.known[Fiber.current]
      call = counter.call
      return false unless state && call && call.equal?(state.stack.last) && (call.raises == state.raises || !tp.return_value.nil?)

      state.stack.pop
      state.last_left = nil
      true
    end

    def enter(tp, code, path, counter, tracers)
      return unless code.iseq.label == tp.method_id.to_s || code.kind == :block || renamed?(tp)

      function = meant(tp, path) or return
      return leave_alone(code, tracers) if counter && @thin.leaves?(counter, function)

      state = heal(@fibers.current)
      below = state.stack.last
      call = Call.new(0, code, path, code.label, function, state.raises)
      state.stack.push(call)
      return if counter && counted(tp, call, counter)

      caller = caller_of(call, below)
      return if counter && !@thin.meets?(counter, function)

      note_enter(tp, call, @number += 1, caller, state)
      call.number = @number # else there was no room to note it
    end

    # A function is not watched any more: that its calls end, which are under way, is not seen.
    def leave_alone(code, tracers)
      tracers.each(&:disable)
      @fibers.known.values.each { |state| state.stack.reject! { |c| c.code.equal?(code) } } # rubocop:disable Style/HashEachMethods
    end

    # Says that a call is only counted: it stands for those that come after it.
    def counted(tp, call, counter)
      n = counter.calls + 1
      return false unless n > counter.until && n <= counter.after

      @thin.meets?(counter, call.function)
      counter.call, counter.owner, counter.id = call, tp.defined_class, tp.method_id unless call.code.kind == :block
      true
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
      return state.last_left = nil if call.number.zero? && call.raises == state.raises

      outcome = Outcome.of(tp, code, call, state)
      below = state.stack.last
      caller_of(call = call.dup, below) if call.number.zero? # as it began it was not looked at who made it
      state.last_left = outcome[0] == :raised && call.direct ? [outcome[1], below] : nil
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
    # A call of which nothing is noted stands for all such ones, of a method of one owner.
    Counter = Struct.new(:key, :at, :calls, :until, :after, :most, :told, :name, :most_counted, :call, :owner, :id)

    def initialize(notes, wish)
      @notes, @wish, @counters = notes, wish, {}
      notes.only_last = !(wish["after"] || {}).empty?
    end

    def of(code, path)
      at = "#{path}:#{code.line}"
      key = "#{at} #{code.label}"
      @counters[key] ||= begin
        after, last = (@wish["after"] || {})[key], @wish["last"] || 0
        first, most = after ? [-1, after + 2 * last] : [@wish["first"], NEVER]
        Counter.new(key, at, 0, first, after || NEVER, most, 0, code.label, [after, leave].compact.min || NEVER)
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
      return false if leave.nil? || counter.calls < leave

      counter.told = counter.calls # how often it is called in all nobody knows
      @notes.write(k: "unwatched", at: counter.at, f: function, h: counter.calls)
      true
    end

    # The call from which on a function is left alone.
    def leave
      @leave ||= @wish["leave"] unless (@wish["leave"] || 0).zero?
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
