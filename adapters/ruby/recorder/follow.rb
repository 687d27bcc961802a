# frozen_string_literal: true

module AidbRecorder
  # The loops of a method in whose heads Ruby tells of a line only once.
  class Heads
    Loop = Struct.new(:head, :body, :last)

    def initialize(path, code)
      @loops, @twice = [], []
      points = Code.all(code.iseq).flat_map { |c| c.iseq.trace_points.select { |x| x.include?(:line) }.flatten.grep(Integer) }.tally
      find(RubyVM::AbstractSyntaxTree.parse_file(path), code.line, points)
    rescue SyntaxError, SystemCallError, ArgumentError, EncodingError
      @loops = []
    end

    # The line of the innermost head that runs, untold, between two lines; nil where none does.
    def between(from, to)
      @loops.reverse.find { |l| from.between?(l.body, l.last) && from != l.head && (to.nil? || to == l.body || to < l.head || to > l.last) }&.head
    end

    # Says that Ruby tells of a head twice where its loop begins: as the loop, and as what stands in parentheses.
    def twice?(line) = @twice.include?(line)

    private

    def find(node, from, points)
      return unless node.is_a?(RubyVM::AbstractSyntaxTree::Node)

      head, body, before = node.children if %i[WHILE UNTIL].include?(node.type)
      if before && [head, body].all?(RubyVM::AbstractSyntaxTree::Node) && node.first_lineno >= from && points[head.first_lineno].to_i < 2 && calls?(head)
        @loops << Loop.new(head.first_lineno, body.first_lineno, body.last_lineno)
      end
      @twice << head.first_lineno if before && points[head.first_lineno] == 2
      node.children.each { |c| find(c, from, points) }
    end

    CALLS = %i[CALL FCALL VCALL QCALL].freeze
    READS = %i[size length count empty? any? nil? zero? positive? negative? include? key? first last].freeze

    # Says that a head calls something by a name that may change what is there; operators change nothing.
    def calls?(node)
      return false unless node.is_a?(RubyVM::AbstractSyntaxTree::Node)

      CALLS.include?(node.type) && (node.children & READS).empty? || node.children.any? { |c| calls?(c) }
    end
  end

  # Notes the lines of one call of a function, each with what it has changed. The blocks that
  # stand in the function are part of the call.
  class Follow
    def initialize(recorder, wish)
      @recorder, @notes, @program = recorder, recorder.notes, recorder.program
      @name, @call = wish["function"], wish["call"].to_i
      @test = Expression.new(wish["condition"], "condition") unless wish["condition"].to_s.empty?
      @expressions = (wish["expressions"] || []).map { |x| Expression.new(x, "expressions") }
      @seen, @matched, @meant, @depths = 0, false, {}, {}.compare_by_identity
      @heads, @doubts = {}.compare_by_identity, {}
    end

    def compiled(path, codes)
      return if @over

      codes.each do |code|
        next unless code.kind == :method && @program.likely?(path, code.label, [@name])

        @heads[code] = Heads.new(path, code)
        TracePoint.new(:call, :return, :line, :b_call, :b_return) { |tp| @recorder.apart { happened(tp, path, code) } }.enable(target: code.iseq)
      end
    end

    def ended
      @recorder.unmatched([@name], "function", any: false) unless @matched
    end

    private

    def happened(tp, path, code)
      return if @over

      state = @recorder.fibers.current
      case tp.event
      when :call then called(tp, path, code, state)
      when :return then left(tp, path, code, state)
      else step(tp, path, state) if @code.equal?(code) && @state.equal?(state) && @depths[state] == @depth
      end
    end

    def called(tp, path, code, state)
      return unless code.label == tp.method_id.to_s && meant?(tp, path)

      @depths[state] = @depths.fetch(state, 0) + 1
      @matched = true
      return if @code

      @seen += 1
      return unless @call.zero? || @seen == @call
      return unless @test.nil? || holds?(tp.binding)

      @code, @state, @depth, @old, @at = code, state, @depths[state], look(tp.binding), code.body
      @caller, @callers = nil, [] # the line that has called a block which has ended, and those that call what runs
    end

    def holds?(binding)
      @test.value(binding)
    rescue StandardError, ScriptError
      false
    end

    def meant?(tp, path)
      function = @program.function(tp)
      @meant.fetch(function) { @meant[function] = @program.named?(path, function, @name) }
    end

    def left(tp, path, code, state)
      return unless code.label == tp.method_id.to_s && meant?(tp, path)

      if @code.equal?(code) && @state.equal?(state) && @depths[state] == @depth
        ran(tp, path, state)
        @over = true
      end
      @depths[state] = @depths.fetch(state, 1) - 1
    end

    def step(tp, path, state)
      return @callers.push(@at || @caller) if tp.event == :b_call

      last = @at
      ran(tp, path, state)
      @at, @caller = tp.event == :line ? tp.lineno : nil, tp.event == :line ? nil : @callers.pop
      @came = @at != last # from another line
    end

    # The line that has run until now: what it has changed. What has changed since a block has ended, as
    # what it is given in its next round, is the doing of the line that calls it.
    def ran(tp, path, state)
      now = look(tp.binding)
      changed = now.keys.reject { |k| @old[k] == now[k] }
      return if changed.empty? && (@at.nil? || begins?(tp)) || @at.nil? && @caller.nil?

      doubt(tp) unless @at.nil? || changed.empty?
      note(path, changed, now, tp, state)
      @old = @expressions.empty? ? @old.merge(now) : now
    end

    # Says that the head of a loop begins of which another event has told that it does.
    def begins?(tp) = @came && tp.event == :line && tp.lineno == @at && @heads[@code].twice?(@at)

    # The head of a loop may have changed what is told of the last line of its body.
    def doubt(tp)
      head = @heads[@code].between(@at, tp.event == :line ? tp.lineno : nil)
      return if head.nil? || @doubts[[head, @at]]

      @doubts[[head, @at]] = true
      @notes.remark("Ruby tells no event where the head of a loop in line #{head} runs again: what it changes then is told of line #{@at}, which has run before it")
    end

    def note(path, changed, now, tp, state)
      where = @recorder.where(path, @at || @caller, @program.function(tp), state)
      if @expressions.empty?
        @notes.put(%("k":"line",#{where},"a":#{Json.dump(changed)},"v":#{@notes.encoded(changed.map { |k| now[k] })}))
      elsif !changed.empty?
        @notes.put(%("k":"line",#{where},"v":#{@notes.encoded(now.values)}))
      end
    end

    # The variables that are there, or what was asked for.
    def look(binding)
      return variables(binding) if @expressions.empty?

      @expressions.to_h do |x|
        [x.text, begin
          @notes.shown(x.value(binding))
        rescue StandardError, ScriptError => e
          { e: Core.failure(e) }
        end]
      end
    end

    def variables(binding)
      receiver = binding.receiver
      found = binding.local_variables.to_h { |n| [n.to_s, @notes.shown(binding.local_variable_get(n))] }
      return found if Module === receiver

      Core.ivars(receiver).each { |n| found[n.to_s] = @notes.shown(Core.ivar(receiver, n)) }
      found
    end
  end
end
