# frozen_string_literal: true

module AIDB
  # Point is a breakpoint on a line.
  class Point
    attr_reader :id, :path, :line, :wanted
    attr_accessor :condition

    def initialize(id, path, line, wanted, condition)
      @id = id
      @path = path
      @line = line
      @wanted = wanted
      @condition = condition
      @hooks = []
      @labels = []
    end

    # bind puts it into the code that has the line. Where blocks are written on the line,
    # it is in what they are written in; where a method is, in that, and not where it is defined.
    def bind(sequences)
      found = sequences.select { |iseq| Points.lines_of(iseq).include?(@line) }
      methods = found.select { |iseq| iseq.first_lineno == @line && Points.method?(iseq) }
      chosen = outermost(methods.empty? ? found : methods)
      chosen.each do |iseq|
        @labels |= [iseq.label]
        @hooks << (Points.endless?(iseq) ? called(iseq) : reached(iseq))
      end
      chosen.any?
    end

    def bound? = @hooks.any?

    # takes says that it stops in code of this name.
    def takes?(label) = @labels.include?(label)

    def remove = @hooks.each(&:disable)

    private

    def reached(iseq)
      Points.keep(iseq, @line)
      TracePoint.new(:line) { |tp| hit(tp, iseq.label) }.tap { |hook| hook.enable(target: iseq, target_line: @line) }
    end

    # called is where a method begins whose line Ruby tells of by no other event: def x = y.
    def called(iseq)
      TracePoint.new(:call) { |tp| hit(tp, iseq.label) }.tap { |hook| hook.enable(target: iseq) }
    end

    def outermost(found)
      least = found.map { |iseq| nesting(iseq) }.min
      found.select { |iseq| nesting(iseq) == least }
    end

    def nesting(iseq) = iseq.label.start_with?('block') ? iseq.label[/\((\d+) levels\)/, 1].to_i + 1 : 0

    def hit(event, label)
      client = DEBUGGER__::ThreadClient.current
      return if client.management? || AIDB.quiet? || caller_locations(2, 1).first.label != label

      stepped = client.stepped_here?
      met = Points.met?(@condition, event)
      return unless met || stepped

      client.stop(event, met ? { reason: 'breakpoint', hitBreakpointIds: [@id] } : { reason: 'step' })
    end
  end

  # Points are the breakpoints of the session.
  module Points
    @by_file = {} # of Points
    @kept = {}
    @next = 0
    @lock = ::Monitor.new

    class << self
      # replace gives a file the breakpoints that are wanted, and answers for each.
      def replace(path, wanted)
        path = real(path)
        @lock.synchronize do
          old = @by_file.delete(path) || []
          lines = lines_in(path)
          answers = wanted.map { |wish| place(path, lines, wish, old) }
          old.each(&:remove)
          answers
        end
      end

      # loaded binds those of a file that was loaded just now.
      def loaded(iseq)
        path = iseq.absolute_path or return
        @lock.synchronize do
          points = @by_file[path] or return
          sequences = tree(iseq)
          points.each { |point| point.bind(sequences) }
        end
      end

      # at is the one that stops there, in code of this name.
      def at(path, line, label) = @by_file[path]&.find { |point| point.line == line && point.takes?(label) }

      def clear
        @lock.synchronize { @by_file.each_value { |points| points.each(&:remove) }.clear }
      end

      # nearest are the lines that can hold a breakpoint.
      def nearest(path, line, count) = (lines_in(real(path)) || []).sort_by { |n| [(n - line).abs, n] }.first(count)

      def lines_of(iseq)
        iseq.traceable_lines_norec(found = {})
        lines = found.select { |_, events| events.include?(:RUBY_EVENT_LINE) }.keys
        lines.empty? && method?(iseq) ? [iseq.first_lineno] : lines
      end

      def method?(iseq)
        iseq.traceable_lines_norec(found = {})
        found.any? { |_, events| events.include?(:RUBY_EVENT_CALL) }
      end

      # endless says that a method has no line of its own: its body is one expression.
      def endless?(iseq)
        iseq.traceable_lines_norec(found = {})
        found.none? { |_, events| events.include?(:RUBY_EVENT_LINE) }
      end

      # met says whether a condition holds; where it cannot be judged, the program stops.
      def met?(condition, event)
        return true unless condition

        AIDB.quietly { event.binding.eval(condition) }
      rescue ::Exception # rubocop:disable Lint/RescueException
        true
      end

      # keep has a breakpoint that does nothing stay: Ruby 3.1 may crash when the last one of a
      # method is taken from it at a step.
      def keep(iseq, line)
        @kept[iseq] ||= TracePoint.new(:line) {}.tap { |hook| hook.enable(target: iseq, target_line: line) }
      end

      private

      def real(path)
        File.realpath(path)
      rescue ::SystemCallError
        path
      end

      def tree(iseq, list = [])
        list << iseq
        iseq.each_child { |child| tree(child, list) }
        list
      end

      # lines_in are the lines with code of a file, nil when it cannot be read.
      def lines_in(path)
        tree(RubyVM::InstructionSequence.compile_file(path)).flat_map { |iseq| lines_of(iseq) }.uniq.sort
      rescue ::SyntaxError, ::SystemCallError
        nil
      end

      def place(path, lines, wish, old)
        line = wish['line'].to_i
        to = lines&.bsearch { |n| n >= line }
        return { verified: false, message: refusal(path, lines) } if lines.nil? || to.nil?

        same = old.find { |point| point.wanted == line && point.line == to }
        if same
          old.delete(same)
          same.condition = wish['condition']
          (@by_file[path] ||= []) << same
          return { id: same.id, verified: true, line: to }
        end
        point = Point.new(@next += 1, path, to, line, wish['condition'])
        point.bind(loaded_sequences(path))
        (@by_file[path] ||= []) << point
        { id: point.id, verified: true, line: to }
      end

      def refusal(path, lines)
        return "the program's side has no such file" unless File.file?(path)

        lines ? 'there is no code at this line or behind it' : 'the file cannot be read: it has a syntax error'
      end

      def loaded_sequences(path)
        found = []
        ObjectSpace.each_iseq { |iseq| found << iseq if iseq.absolute_path == path }
        found
      end
    end
  end
end
