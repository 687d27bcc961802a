# frozen_string_literal: true

module AIDB
  # Values writes values as Ruby does, and lists what is in them, without ever writing more
  # than is shown: an inspect of all of a large list would take seconds.
  module Values
    LONGEST = 1 << 16 # characters of a text
    SHOWN = 1000      # characters of any other value
    ELEMENTS = 100    # of a list that are written

    KERNEL = { inspect: ::Kernel.instance_method(:inspect), ivars: ::Kernel.instance_method(:instance_variables),
               get: ::Kernel.instance_method(:instance_variable_get), method: ::Kernel.instance_method(:method),
               class: ::Kernel.instance_method(:class), singleton: ::Kernel.instance_method(:singleton_class),
               superclass: ::Class.instance_method(:superclass), name: ::Module.instance_method(:name),
               written: ::Module.instance_method(:inspect) }.freeze

    module_function

    def class_of(value)
      KERNEL[:class].bind_call(value)
    rescue ::TypeError # a BasicObject has no Kernel
      (class << value; self; end).superclass
    end

    def class_name(value) = module_name(class_of(value))

    def module_name(mod) = KERNEL[:name].bind_call(mod) || KERNEL[:written].bind_call(mod)

    # owner is how the name of a method begins: with the class that has it, or with what has it by itself.
    def owner(kind, receiver)
      return '' unless kind
      return "#{module_name(kind)}#" unless kind.singleton_class?

      has = attached(kind, receiver)
      has ? "#{module_name(has)}." : "#{class_name(receiver)}#"
    end

    # attached is the class or module that a singleton class is of, nil for that of another object.
    def attached(kind, receiver)
      return unless ::Module === receiver

      has = receiver
      has = ::Class === has ? KERNEL[:superclass].bind_call(has) : nil until has.nil? || KERNEL[:singleton].bind_call(has).equal?(kind)
      has
    end

    def plain?(value) = ::Kernel === value

    def set?(value) = defined?(::Set) && ::Set === value # rubocop:disable Style/CaseEquality

    def ivars(value) = plain?(value) ? KERNEL[:ivars].bind_call(value) : []

    def ivar(value, name) = KERNEL[:get].bind_call(value, name)

    # show is the value as Ruby writes it, at most as long as it is shown.
    def show(value, depth = 0)
      case value
      when ::String then show_text(value)
      when ::Symbol, ::Integer, ::Float, nil, true, false then cut(value.inspect)
      when ::Array then show_list(value, depth)
      when ::Hash then show_hash(value, depth)
      else show_other(value, depth)
      end
    rescue ::StandardError, ::SystemStackError, ::NotImplementedError => e
      "#<#{class_name(value)}: its inspect raises #{class_name(e)}>"
    end

    def cut(text, limit = SHOWN)
      text = text.scrub('?') unless text.valid_encoding?
      text = text.encode('UTF-8', invalid: :replace, undef: :replace) unless text.encoding == ::Encoding::UTF_8
      text.length > limit ? "#{text[0, limit]}…" : text
    end

    def show_text(value)
      return cut(value.inspect, 4 * LONGEST) if value.length <= LONGEST

      "#{cut(value[0, LONGEST].inspect, 4 * LONGEST).delete_suffix('"')}…\""
    end

    def show_list(value, depth)
      return own_inspect(value) unless builtin?(value, ::Array)
      return '[...]' if depth > 4

      shown = join(value.first(ELEMENTS)) { |element| show(element, depth + 1) }
      value.length > ELEMENTS && !shown.end_with?('…') ? "[#{shown}, …]" : "[#{shown}]"
    end

    def show_hash(value, depth)
      return own_inspect(value) unless builtin?(value, ::Hash)
      return '{...}' if depth > 4

      shown = join(value.first(ELEMENTS)) { |key, element| "#{show(key, depth + 1)}#{ARROW}#{show(element, depth + 1)}" }
      value.length > ELEMENTS && !shown.end_with?('…') ? "{#{shown}, …}" : "{#{shown}}"
    end

    ARROW = { 1 => 2 }.inspect[2..-3].freeze # " => " since Ruby 3.4

    # join writes elements until that is long enough.
    def join(elements)
      text = +''
      elements.each do |element|
        return "#{text}, …" if text.length > SHOWN

        text << ', ' unless text.empty?
        text << yield(element)
      end
      text
    end

    def builtin?(value, kind) = KERNEL[:method].bind_call(value, :inspect).owner == kind

    # own_inspect is by the program's code, or a library's.
    def own_inspect(value)
      text = value.inspect
      ::String === text ? cut(text) : address(value)
    end

    def show_other(value, depth)
      return "#<#{class_name(value)}>" unless plain?(value)
      return show_struct(value, depth) if ::Struct === value && builtin?(value, ::Struct)
      return own_inspect(value) unless builtin?(value, ::Kernel)
      return address(value) if depth > 2

      shown = join(ivars(value).first(ELEMENTS)) { |name| "#{name}=#{show(ivar(value, name), depth + 1)}" }
      shown.empty? ? "#<#{class_name(value)}>" : "#<#{class_name(value)} #{shown}>"
    end

    def address(value) = "#<#{class_name(value)}>"

    def show_struct(value, depth)
      name = value.class.name
      return "#<struct #{name}:...>" if depth > 4

      shown = join(value.members) { |member| "#{member}=#{show(value[member], depth + 1)}" }
      "#<struct #{name ? "#{name} " : ''}#{shown}>"
    end

    # failure is an exception in words.
    def failure(error) = "#{class_name(error)}: #{message(error)}"

    # message is that of an exception, without the source that Ruby puts below it.
    def message(error)
      text = error.respond_to?(:original_message) ? error.original_message : error.message
      text = text.to_s.sub(/\n\n.*\n[ \t]*\^+[ \t]*\z/, '')
      cut(text, LONGEST)
    rescue ::StandardError
      ''
    end
  end
end
