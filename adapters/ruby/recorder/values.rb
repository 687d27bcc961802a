# frozen_string_literal: true

module AidbRecorder
  # An expression of a wish, evaluated where the program stands.
  class Expression
    attr_reader :text, :names

    def initialize(text, field)
      @text = text.strip
      begin
        tree = RubyVM::InstructionSequence.compile("#{@text}\n", "<#{field}>") && RubyVM::AbstractSyntaxTree.parse(@text)
      rescue SyntaxError => e
        raise Refused.new("#{@text} is no expression of Ruby: #{e.message.lines.first.to_s.strip.sub(/\A.*?:\d+: /, '')}", field)
      end
      @names = free(tree)
      @local = @text.to_sym if @text.match?(/\A[[:lower:]_][[:word:]]*\z/) && @text != "self"
      @ivar = @text.to_sym if @text.match?(/\A@[[:alpha:]_][[:word:]]*\z/)
    end

    # The path that it is, where a look tells its value; else nil.
    def path
      @path = Source.expression(@text) unless defined?(@path)
      @path
    end

    # The names that it takes from where it stands: locals or methods without a receiver.
    def free(node, found = [])
      return found unless node.is_a?(RubyVM::AbstractSyntaxTree::Node)

      found << node.children[0] if node.type == :VCALL
      node.children.each { |c| free(c, found) }
      found.uniq
    end

    def value(binding)
      return binding.local_variable_get(@local) if @local && binding.local_variable_defined?(@local)
      return Core.ivar(binding.receiver, @ivar) if @ivar

      binding.eval(@text)
    end
  end

  # Notes values each time a line is reached, before it runs.
  class Hits
    # What is noted at a line.
    Probe = Struct.new(:number, :test, :values, :above, :names, :places)

    attr_writer :callers

    def initialize(recorder, wishes)
      @recorder, @notes = recorder, recorder.notes
      @lines = {} # real path: {line: [probe]}
      @missing = {}
      wishes.each_with_index { |wish, number| prepare(number, wish) }
    end

    def prepare(number, wish)
      path, line = @recorder.line(wish["file"], wish["line"], "location")
      test = Expression.new(wish["condition"], "condition") unless wish["condition"].to_s.empty?
      values = wish["expressions"].map { |x| Expression.new(x, "expressions") }
      names = values.flat_map(&:names) + (test ? test.names : [])
      ((@lines[path] ||= {})[line] ||= []) << Probe.new(number, test, values, wish["frames"] || values.map { 0 }, names, wish["places"])
    end

    # A file was compiled: its lines are watched by themselves, by what is given back.
    def compiled(path, codes)
      (@lines[path] || {}).flat_map do |line, probes|
        begun = codes.select { |c| c.body == line }
        there = codes.select { |c| c.iseq.trace_points.any? { |x| x.include?(line) && x.include?(:line) } }
        next [] if there.empty? && begun.empty?

        own = there.reject(&:handler?) + begun # what rescues is part of the frame that it stands in

        inner = deciding(own, probes)
        method = own.any? { |c| c.kind == :method && c.line == line } # it is meant, and not that it is defined
        meant = ->(tp) { (!method || tp.method_id) && (inner.nil? || inner.any? { |n| tp.binding.local_variable_defined?(n) } == inner_wanted?(own, probes)) }
        points = begun.map { |c| TracePoint.new(:call) { |tp| @recorder.apart { reached(Begun.new(tp, line), path, probes) if meant.(tp) } }.tap { |x| x.enable(target: c.iseq) } }
        next points if there.empty?

        point = TracePoint.new(:line) { |tp| @recorder.apart { reached(tp, path, probes) if meant.(tp) } }
        point.enable(target: codes.first.iseq, target_line: line)
        points << point
      end
    end

    # The probes of a line, for who watches it already.
    def at(path, line)
      (@lines[path] || {})[line]
    end

    def paths
      @lines.keys
    end

    def reached(tp, path, probes)
      binding = tp.binding
      probes.each { |probe| hit(probe, binding, path, tp) }
    end

    def hit(probe, binding, path, tp)
      if probe.test
        begin
          return unless probe.test.value(binding)
        rescue StandardError, ScriptError => e
          missing(e, path, tp.lineno)
          return noted(probe, [{ e: "condition: #{Core.failure(e)}" }], path, tp)
        end
      end
      values = probe.values.each_with_index.map { |x, i| value(x, probe.above[i], binding, path, tp) }
      values.each_with_index { |v, i| @recorder.writes.place(v, probe.values[i], binding, tp) if probe.above[i].zero? } if probe.places && @recorder.writes
      noted(probe, values, path, tp)
    end

    private

    # Where a line holds blocks as well, names of these that are asked for are read in them, and
    # nothing else is.
    def deciding(own, probes)
      return nil if own.size < 2

      names = own.drop(1).flat_map(&:locals) - own.first.locals
      names.empty? ? nil : names
    end

    def inner_wanted?(own, probes)
      names = deciding(own, probes)
      probes.any? { |p| !(p.names & names).empty? }
    end

    def value(expression, above, binding, path, tp)
      binding = @callers.binding(above) if above.positive?
      return { e: "there is no such caller among the user's code" } unless binding

      @notes.shown(expression.value(binding))
    rescue StandardError, ScriptError => e
      missing(e, path, tp.lineno)
      { e: Core.failure(e) }
    end

    def noted(probe, values, path, tp)
      @notes.put(%("k":"hit",#{@recorder.where(path, tp.lineno, @recorder.function(tp), @recorder.fibers.current)}) +
        (probe.number.zero? ? "" : %(,"p":#{probe.number})) + %(,"v":#{@notes.encoded(values)}))
    end

    # Says once what is like a name that is not there.
    def missing(error, path, line)
      return unless NameError === error && !@missing[text = Core.failure(error)]

      @missing[text] = true
      near = Nearest.of_failure(error)
      @notes.remark("#{text.lines.first.strip} at #{File.basename(path)}:#{line}; there is #{near}") if near
    end
  end
end
