# frozen_string_literal: true

module AIDB
  # Peeking works out what an expression has for a value without running any of the program's
  # code: in Ruby even a name may be a call, which no text tells. It takes variables, constants
  # that are loaded, attributes, elements, and what Ruby's own classes compute without an effect.
  class Peeking
    # Pure are methods that change nothing and call nothing, where they are Ruby's own.
    PURE = %i[
      [] length size first last empty? nil? keys values key? begin end to_i to_f to_sym abs floor ceil round zero? positive? negative? even? odd?
      ! class frozen? name upcase downcase strip chars lines ord hex start_with? end_with? members
    ].freeze
    # Of lists and tables these ask the elements.
    OPERATORS = %i[+ - * / % ** == != < > <= >= <=> & | ^ -@ +@ ~ to_s].freeze
    SCALARS = [::String, ::Symbol, ::Integer, ::Float, ::Rational, ::Complex, ::NilClass, ::TrueClass, ::FalseClass].freeze
    OWNERS = [::Array, ::Hash, ::String, ::Symbol, ::Integer, ::Float, ::Rational, ::Complex, ::NilClass, ::TrueClass, ::FalseClass, ::Range, ::Struct,
              ::Comparable, ::Kernel, ::BasicObject, ::Module, ::Numeric].freeze
    BUILT_IN = [::Array, ::Hash, ::String, ::Symbol, ::Integer, ::Float, ::Rational, ::Complex, ::NilClass, ::TrueClass, ::FalseClass, ::Range].freeze

    def initialize(info)
      @scope = info&.binding
    end

    def read(text)
      require 'ripper'
      tree = ::Ripper.sexp(text)
      refuse('it cannot be read') unless tree && tree[1].length == 1
      value(tree[1][0])
    end

    private

    def refuse(why) = raise(Refused, why)

    def value(node)
      kind = node[0]
      return literal(node) if kind.start_with?('@')

      case kind
      when :vcall, :var_ref then variable(node[1])
      when :call then member(node)
      when :aref then element(node)
      when :binary then operate(value(node[1]), node[2], node[3])
      when :unary then send_pure(value(node[2]), node[1])
      when :paren then one(node[1])
      when :string_literal then text(node[1])
      when :symbol_literal then node[1][1][1].to_sym
      when :array then (node[1] || []).map { |element| value(element) }
      when :const_path_ref then constant(value(node[1]), node[2][1])
      when :top_const_ref then constant(::Object, node[1][1])
      else refuse('it may run code of the program')
      end
    end

    def one(statements)
      statements.length == 1 && ::Array === statements[0] ? value(statements[0]) : refuse('it is more than one expression') # rubocop:disable Style/CaseEquality
    end

    def literal(node)
      case node[0]
      when :@int then Integer(node[1].delete('_'))
      when :@float then Float(node[1].delete('_'))
      else refuse('it may run code of the program')
      end
    end

    def text(content)
      parts = content.drop(1)
      parts.all? { |part| part[0] == :@tstring_content } ? parts.map { |part| part[1] }.join : refuse('it may run code of the program')
    end

    def variable(node)
      kind, name = node
      case kind
      when :@ident
        @scope&.local_variable_defined?(name) ? @scope.local_variable_get(name) : refuse("#{name} is no variable here")
      when :@ivar then Values.ivar(@scope.receiver, name)
      when :@gvar then global_variables.include?(name.to_sym) ? eval(name) : nil # rubocop:disable Security/Eval, Style/EvalWithLocation
      when :@const then lexical(name)
      when :@kw then { 'nil' => nil, 'true' => true, 'false' => false, 'self' => @scope&.receiver }.fetch(name) { refuse('it may run code of the program') }
      else refuse('it may run code of the program')
      end
    end

    def lexical(name)
      places = @scope ? @scope.eval('::Module.nesting') + [::Object] : [::Object]
      place = places.find { |owner| owner.const_defined?(name) } or refuse("there is no #{name}")
      constant(place, name)
    end

    def constant(owner, name)
      refuse("#{name} is not loaded") if !(::Module === owner) || owner.autoload?(name) || !owner.const_defined?(name) # rubocop:disable Style/CaseEquality
      owner.const_get(name)
    end

    def member(node)
      receiver = value(node[1])
      return nil if receiver.nil? && node[2].is_a?(::Array) && node[2][1] == '&.'

      refuse('it may run code of the program') unless ::Array === node[3] && %i[@ident @const].include?(node[3][0]) # rubocop:disable Style/CaseEquality
      attribute(receiver, node[3][1].to_sym)
    end

    def attribute(receiver, name)
      refuse('it may run code of the program') unless Values.plain?(receiver)
      found = begin
        Values::KERNEL[:method].bind_call(receiver, name)
      rescue ::NameError
        refuse("#{Values.show(receiver)} has no #{name}")
      end
      return found.call if pure?(receiver, found, name) || reader?(found) || (::Struct === receiver && receiver.members.include?(name) && found.source_location.nil?)

      refuse("#{name} is a method of the program")
    end

    # reader says that a method is one of attr_reader's.
    def reader?(found)
      found.arity.zero? && found.source_location && RubyVM::InstructionSequence.of(found).nil?
    end

    def pure?(receiver, found, name)
      return false unless OWNERS.include?(found.owner) && found.source_location.nil?

      PURE.include?(name) || (OPERATORS.include?(name) && SCALARS.include?(Values.class_of(receiver)))
    end

    def element(node)
      receiver = value(node[1])
      arguments = (node[2] ? node[2][1] : []).map { |argument| value(argument) }
      send_pure(receiver, :[], *arguments)
    end

    def operate(left, operator, right)
      return left && value(right) if %i[&& and].include?(operator)
      return left || value(right) if %i[|| or].include?(operator)

      send_pure(left, operator, value(right))
    end

    def send_pure(receiver, name, *arguments)
      refuse('it may run code of the program') unless Values.plain?(receiver)
      found = Values::KERNEL[:method].bind_call(receiver, name)
      hash = ::Hash === receiver && (receiver.default_proc || !receiver.compare_by_identity? && !arguments.all? { |key| BUILT_IN.include?(Values.class_of(key)) })
      refuse('it may run code of the program') if hash || !pure?(receiver, found, name) || !arguments.all? { |argument| BUILT_IN.include?(Values.class_of(argument)) }
      found.call(*arguments)
    rescue ::NameError
      refuse("#{Values.show(receiver)} has no #{name}")
    end
  end
end
