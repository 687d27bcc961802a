# frozen_string_literal: true

module AidbRecorder
  # Follows the frames of the user's code, each with its number, its line and what is pending in
  # it. TracePoint tells of a block that it is called, and not of what is around it.
  class Stacks
    EVENTS = %i[line call return b_call b_return class end].freeze
    Frame = Struct.new(:number, :code, :path, :label, :function, :raises, :direct, :line, :pending, :env, :scope, :binding, :more, :noted,
                       :gives, # the last line that may have made what it gives: none of an ensure
                       :passed) # the line of a block from which it is left by a return or a break

    attr_writer :sparse

    def initialize(recorder, listener, binds: false)
      @recorder, @fibers, @program = recorder, recorder.fibers, recorder.program
      @listener, @codes, @number, @binds = listener, {}, 0, binds
      @sources, @tracers, @doubted = {}, [], {}
    end

    def compiled(path, codes)
      return unless @program.users?(path) && !codes.first.label.start_with?("block", "eval")

      own = @codes[path] ||= {}
      codes.each { |c| own[[c.kind, c.line]] ||= c }
      own[:script] = codes.first
      tracer = TracePoint.new(*EVENTS) { |tp| @recorder.apart { happened(tp, path) } }
      @tracers << [tracer, codes.first.iseq]
      @sparse&.compiled(path, codes)
      tracer.enable(target: codes.first.iseq) unless @sparse&.counts?
    end

    # Nothing is followed any more.
    def stop
      @tracers.each { |tracer, _| tracer.disable }
    end

    # All is followed again: what is under way then is found by the program's own stack.
    def resume
      @fibers.fall_behind
      @listener.resume
      @tracers.each { |tracer, iseq| tracer.enable(target: iseq) }
    end

    def source(path)
      @sources[path] ||= Source.new(path)
    end

    def happened(tp, path)
      return pause if @sparse&.begin?

      state = @fibers.current
      renew(state, tp) if state.behind
      heal(state) if tp.event == :call && state.overflowed?
      case tp.event
      when :line then line(state, tp, path)
      when :call then enter(state, tp, path, :method)
      when :b_call then enter(state, tp, path, :block)
      when :class then enter(state, tp, path, :class)
      when :return then leave(state, tp, path, :method)
      when :b_return then leave(state, tp, path, :block)
      when :end then leave(state, tp, path, :class)
      end
    end

    # The program has ended: what is under way in a file's own statements has run.
    def ended
      @recorder.apart do
        next @sparse.ended if @sparse&.counts?

        state = @fibers.current
        @listener.left(state.stack.pop, nil, state, nil) until state.stack.empty?
      end
    end

    private

    # Nothing is followed for a time.
    def pause
      stop
      @listener.pause(@fibers.known.values.flat_map(&:stack))
      @fibers.known.each_value { |state| state.stack.clear }
    end

    # What is under way in a fiber, of which it was not seen how it began. What is only about to begin
    # tells that itself.
    def renew(state, tp)
      state.behind = false
      state.stack.clear
      places = caller_locations.reject { |l| l.path.to_s.start_with?(Program::OURS) }
      places.shift if %i[call b_call class].include?(tp.event)
      places = places.each_cons(2).reject { |here, below| of_c?(here, below) }.map(&:first) + places.last(1)
      places = places.chunk_while { |here, _| here.label.match?(HANDLER) }.map(&:first) # what rescues stands in front of its frame
      places.reverse_each.with_index(1) do |place, n|
        path = @program.absolute(place.path)
        code = code_at(path, place) or next
        begins = n == places.size && tp.event == :line # a statement, as the event will tell
        frame = push(state, code, path, begins ? name(tp, code, code.kind) : function_at(code, place))
        frame.line = frame.gives = place.lineno
        @listener.goes_on(frame, place.lineno, state) unless begins
      end
    end

    # What a frame is called whose beginning was not seen.
    def function_at(code, place)
      return code.label if place.base_label.start_with?("<")

      own = @codes[@program.absolute(place.path)].values.find { |c| c.kind == :method && c.label == place.base_label }
      name = own ? @program.method_at(place.path, own.line, own.label) : place.base_label
      "#{code.label[/\Ablock (?:\(\d+ levels\) )?in /]}#{name}"
    end

    # Says that a place is that of a method that is written in C: it is its caller's.
    def of_c?(here, below)
      here.path == below.path && here.lineno == below.lineno && here.label != below.label && !here.label.start_with?("block", "<")
    end

    # The code that a place in the program's stack is in.
    def code_at(path, place)
      depth = place.label.sub(HANDLER, "")[BLOCK]
      found = (@codes[path] || {}).values.select { |c| !c.handler? && c.iseq.base_label == place.base_label && c.label[BLOCK] == depth && c.line <= place.lineno }
      found.max_by(&:line)
    end

    HANDLER = /\A(?:(?:rescue|ensure) in )+/.freeze
    BLOCK = /\Ablock(?: \(\d+ levels\))?/.freeze
    private_constant :HANDLER, :BLOCK

    def line(state, tp, path)
      frame = script_frame(state, path)
      @listener.reached(frame, tp, state)
      frame.line = tp.lineno
      frame.gives, frame.passed = tp.lineno, nil unless frame.scope&.closing?(tp.lineno)
    end

    # The frame that a line is of. A file that is required tells neither that it begins nor that it
    # ends.
    def script_frame(state, path)
      stack = state.stack
      return stack.last if stack.last && stack.last.path == path

      at = stack.rindex { |f| f.code.kind != :script || f.path == path }
      if at && stack[at].path == path
        @listener.left(stack.pop, nil, state, nil) while stack.size > at + 1
        return stack.last
      end
      push(state, @codes[path][:script], path, @codes[path][:script].label)
    end

    def push(state, code, path, function)
      frame = Frame.new(@number += 1, code, path, code.label, function, state.raises, false, code.line, [])
      frame.scope = source(path).at(code.kind, code.line)
      doubt(path, code.line) if frame.scope&.joined
      state.stack.push(frame)
      frame
    end

    # Which variables are whose is not known there.
    def doubt(path, line)
      return if @doubted[[path, line]]

      @doubted[[path, line]] = true
      @recorder.notes.remark("#{File.basename(path)}:#{line}: several blocks begin in this line and are not told apart: what one of them writes to a variable around it may be told twice, as of another variable")
    end

    def enter(state, tp, path, kind)
      code = @codes[path][[kind, tp.lineno]] or return
      below = state.stack.last
      frame = push(state, code, path, name(tp, code, kind))
      if below
        place = @recorder.caller_place
        frame.direct = !place.nil? && @program.absolute(place.path) == below.path && place.label.end_with?(below.label)
      end
      frame.binding = tp.binding if @binds
      @listener.entered(frame, tp, state, below)
      return unless code.body

      @listener.reached(frame, Begun.new(tp, code.body), state)
      frame.line = frame.gives = code.body
    end

    def name(tp, code, kind)
      return code.label if kind == :class || tp.method_id.nil?

      own = kind == :method || code.label.start_with?("block in <class:")
      own ? @program.function(tp) : "#{code.label[/\Ablock (?:\(\d+ levels\) )?in /]}#{@program.function(tp)}"
    end

    def leave(state, tp, path, kind)
      at = state.stack.rindex { |f| f.path == path && f.code.kind == kind } or return
      @listener.left(state.stack.pop, nil, state, nil) while state.stack.size > at + 1
      frame = state.stack.pop
      outcome = kind == :class ? nil : Outcome.of(tp, frame.code, frame, state)
      state.last_left = outcome && outcome[0] == :raised && frame.direct ? [outcome[1], state.stack.last] : nil
      leave_home(frame, state) if kind == :block && outcome[0] == :left
      frame.line = line_of_value(frame, tp) if outcome && outcome[0] == :value
      @listener.left(frame, outcome, state, tp)
    end

    # A block was left by a return or a break, which may leave what it stands in, too.
    def leave_home(frame, state)
      outer = frame.scope&.outer or return
      home = state.stack.rindex { |f| f.scope.equal?(outer) } or return
      state.stack[home].passed = frame.passed || frame.gives
    end

    # Where a frame's value comes from. One that a block has left it with ends it where nothing returns.
    def line_of_value(frame, tp)
      return tp.lineno if frame.scope&.returns?(tp.lineno)
      return frame.passed if frame.passed && !frame.code.returns.include?(tp.lineno)

      frame.gives || frame.line
    end

    # Where a recursion has filled the stack no method tells that it is left.
    def heal(state)
      there = @recorder.frames
      kept = state.stack.take_while do |f|
        key = there.keys.find { |path, label| path == f.path && label.end_with?(f.label) }
        key && (there[key] -= 1) >= 0
      end
      @listener.left(state.stack.pop, [:overflow], state, nil) while state.stack.size > kept.size
    end
  end
end
