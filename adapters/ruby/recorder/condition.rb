# frozen_string_literal: true

module AidbRecorder
  # The condition of a Wish.First: the names that it takes from where it is judged, and what it
  # compares.
  class Condition
    RESULT = :result # recording.Result
    EACH = :each # recording.Each
    # Methods of the language's own types that only look at what they are of.
    LOOKING = %i[size length count nil? empty? zero? abs class positive? negative? even? odd? first last keys values min max sum].freeze
    CORE = [Array, Hash, String, Integer, Float, NilClass, Symbol, Range].freeze
    COMPARING = %i[< > <= >= == != === =~ <=> eql? equal?].freeze

    attr_reader :text, :looked, :called, :own, :names

    def initialize(text, of_each)
      @expression = Expression.new(text, "condition")
      @text, @of_each = @expression.text, of_each
      @of_result = @expression.names.include?(RESULT)
      @own = of_each ? EACH : RESULT
      @names = @expression.names - [@own]
      @tree = RubyVM::AbstractSyntaxTree.parse(@text).children.last
      @ivars = found(@tree, :IVAR)
      @selves = attributes_of_self(@tree)
      @takes = of_each || @of_result ? "->(#{@own}) { #{@text}\n }" : nil
      split
      @methods = {}
    end

    def of_result?
      @of_result
    end

    # Says that all its names mean something where it is judged.
    def bound?(binding)
      return false unless @names.all? { |n| binding.local_variable_defined?(n) || method?(binding.receiver, n) }

      receiver = binding.receiver
      @ivars.all? { |n| Core::IVAR_SET_P.bind_call(receiver, n) } && @selves.all? { |n| method?(receiver, n) }
    end

    def value(binding)
      binding.eval(@text)
    end

    # A function of the result, or of an instance.
    def function(binding)
      binding.eval(@takes)
    end

    # What the names stand for where a result or an instance is judged.
    def given(binding, value)
      binding.eval("->(#{@own}) { ::Kernel.binding }").call(value)
    end

    # One operand by itself.
    def operand(text, binding, given)
      given.empty? ? binding.eval(text) : binding.eval("->(#{@own}) { #{text}\n }").call(given[0])
    end

    private

    def method?(receiver, name)
      kind = Core.type(receiver)
      (@methods[kind] ||= {}).fetch(name) { |n| @methods[kind][n] = kind.method_defined?(n) || kind.private_method_defined?(n) }
    end

    def found(node, type, list = [])
      return list unless node.is_a?(Source::NODE)

      list << node.children[0] if node.type == type
      node.children.each { |c| found(c, type, list) }
      list.uniq
    end

    def attributes_of_self(node, list = [])
      return list unless node.is_a?(Source::NODE)

      first = node.children[0]
      list << node.children[1] if node.type == :CALL && first.is_a?(Source::NODE) && first.type == :SELF
      node.children.each { |c| attributes_of_self(c, list) }
      list.uniq
    end

    # What it compares: what a look tells, and what has to be called.
    def split
      @looked, @called = {}, []
      operands(@tree).each do |node|
        text = slice(node)
        path = Source.expression(text)
        path ? @looked[text] = path : @called << text
      end
      @called << EACH.to_s if @of_each && !@looked.key?(EACH.to_s)
      @called.uniq!
    end

    def operands(node)
      case node.type
      when :AND, :OR then node.children.flat_map { |c| operands(c) }
      when :OPCALL, :CALL
        receiver, name, given = node.children
        return operands(receiver) if name == :!
        return [receiver, *given&.children&.compact].flat_map { |c| operands(c) } if COMPARING.include?(name)

        [node]
      when :LIT, :STR, :NIL, :TRUE, :FALSE, :INTEGER, :FLOAT, :SYM then []
      when :BLOCK, :BEGIN then node.children.grep(Source::NODE).flat_map { |c| operands(c) }
      else [node]
      end
    end

    def slice(node)
      lines = @text.lines
      first, last = node.first_lineno - 1, node.last_lineno - 1
      whole = lines[first..last].join
      whole.byteslice(node.first_column, lines[first...last].sum(&:bytesize) + node.last_column - node.first_column).to_s.strip
    end
  end
end
