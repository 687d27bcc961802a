# frozen_string_literal: true

module AidbRecorder
  # Values as text, written from what they are made of: no inspect and no to_s of the
  # program's is called, nothing lazy is made, and no more is looked at than is shown.
  class Show
    ELEMENTS = [60, 20, 8].freeze # that a container shows, by how deep it stands
    ATTRIBUTES = [12, 5, 3].freeze # that an object shows
    INNER = 128 # characters of a text inside of something
    ARROW = RUBY_VERSION >= "3.4" ? " => " : "=>"
    # Classes whose own inspect is the language's, says all and calls nothing.
    SPOKEN = [NilClass, TrueClass, FalseClass, Integer, Float, Symbol, Rational, Complex, Regexp, Encoding].freeze
    LIBRARY = %w[Time Date DateTime BigDecimal Pathname].freeze # the same, where they are not defined anew

    # At most so many characters, cut with "…", and whether anything is left out.
    def self.text(value, limit)
      new(limit).text(value)
    end

    def initialize(limit)
      @limit, @out, @cut, @open = limit, +"", false, []
    end

    def text(value)
      catch(:full) { put(value, 0) }
      return [@out, @cut] if @out.length <= @limit

      [@out[0, @limit] + "…", true]
    end

    private

    def add(text)
      @out << Json.utf8(text)
      throw :full if @out.length > @limit
    end

    def leave(text = "...")
      @cut = true
      add(text)
    end

    def put(value, level)
      kind = Core.type(value)
      return add(value.inspect) if SPOKEN.include?(kind)

      case value
      when String then string(value, level)
      when Array then nested(value, "[...]") { list("[", value, "]", level) }
      when Hash then nested(value, "{...}") { pairs(value, level) }
      when Struct then nested(value) { structure(value, kind, level) }
      when Range then range(value, level)
      when Module then add(Core.name(value))
      when Exception then add("#<#{Core.failure(value)}>")
      when Proc, Method, UnboundMethod then add(code(value, kind))
      else nested(value) { other(value, kind, level) }
      end
    end

    # What holds itself is not entered again.
    def nested(value, again = "#<#{Core.name(Core.type(value))} ...>")
      id = Core.id(value)
      return leave(again) if @open.include?(id)

      @open.push(id)
      yield
    ensure
      @open.pop if @open.last == id
    end

    def string(value, level)
      size = Core::STRING_SIZE.bind_call(value)
      most = level.zero? ? @limit * 4 : INNER * 4
      if size <= most
        whole = Core::STRING_INSPECT.bind_call(value)
        return add(whole) if level.zero? || whole.length <= INNER

        @cut = true
        return add("#{whole[0, INNER]}…\"")
      end
      @cut = true
      add("#{Core::STRING_INSPECT.bind_call(value.byteslice(0, most))[0..-2]}…\"")
    end

    def list(before, value, after, level)
      size = Core::ARRAY_SIZE.bind_call(value)
      return size.zero? ? add(before + after) : leave("#{before}...#{after}") if level >= ELEMENTS.size

      add(before)
      [size, ELEMENTS[level]].min.times do |i|
        add(", ") if i.positive?
        put(Core::ARRAY_AT.bind_call(value, i), level + 1)
      end
      leave(", ...") if size > ELEMENTS[level]
      add(after)
    end

    def pairs(value, level)
      size = Core::HASH_SIZE.bind_call(value)
      return add("{}") if size.zero?
      return leave("{...}") if level >= ELEMENTS.size

      add("{")
      keys, values = Core::HASH_KEYS.bind_call(value), Core::HASH_VALUES.bind_call(value)
      [size, ELEMENTS[level]].min.times do |i|
        add(", ") if i.positive?
        key(keys[i], level)
        put(values[i], level + 1)
      end
      leave(", ...") if size > ELEMENTS[level]
      add("}")
    end

    def key(key, level)
      if ARROW != "=>" && Symbol === key
        text = key.inspect
        return add(text.start_with?(':"') ? "#{text[1..]}: " : "#{text[1..]}: ")
      end
      put(key, level + 1)
      add(ARROW)
    end

    def structure(value, kind, level)
      name = Core::MODULE_NAME.bind_call(kind)
      names = kind.members
      attributes("#<struct #{"#{name} " if name}", names.zip(Core::STRUCT_VALUES.bind_call(value)), level)
    end

    def attributes(before, held, level)
      add(before)
      if level >= ATTRIBUTES.size
        leave("...") unless held.empty?
      else
        held.first(ATTRIBUTES[level]).each_with_index do |(name, item), i|
          add("#{', ' if i.positive?}#{name}=")
          put(item, level + 1)
        end
        leave(", ...") if held.size > ATTRIBUTES[level]
      end
      add(">")
    end

    def range(value, level)
      first, last, open = Range.instance_method(:begin).bind_call(value), Range.instance_method(:end).bind_call(value), value.exclude_end?
      put(first, level + 1) unless first.nil?
      add(open ? "..." : "..")
      put(last, level + 1) unless last.nil?
    end

    def code(value, kind)
      place = value.source_location
      what = Proc === value ? "#{kind}#{' (lambda)' if value.lambda?}" : "#{kind} #{value.name}"
      place ? "#<#{what} #{File.basename(place[0])}:#{place[1]}>" : "#<#{what}>"
    end

    def other(value, kind, level)
      return add(value.inspect) if LIBRARY.include?(Core::MODULE_NAME.bind_call(kind)) && Core.ivars(value).empty? && !own_text?(kind)

      name = Core.name(kind)
      return set(value, name, level) if name == "Set"

      if Core.id(value) == Core.id(TOPLEVEL_BINDING.receiver)
        return add("main")
      end
      held = Core.ivars(value).map { |x| [x, Core.ivar(value, x)] }
      @cut = true unless made_of_variables?(kind)
      attributes("#<#{name}#{' ' unless held.empty?}", held, level)
    end

    def set(value, name, level)
      hash = Core.ivar(value, :@hash)
      keys = Hash === hash ? Core::HASH_KEYS.bind_call(hash) : value.to_a
      add("#<#{name}: ")
      list("{", keys, "}", level)
      add(">")
    end

    # Says that a class of a library's has an inspect that the library has not given it.
    def own_text?(kind)
      place = Core::INSTANCE_METHOD.bind_call(kind, :inspect).source_location
      place && !place[0].start_with?(RbConfig::CONFIG["rubylibdir"], "<internal")
    rescue NameError
      true
    end

    # Says that nothing is in an object but its variables: no class above it is one that only
    # C code can look into.
    def made_of_variables?(kind)
      base = kind.ancestors.find { |x| Class === x && x != kind && !x.name.nil? && CORE.include?(x.name) }
      base.nil? || base == Object || base == BasicObject
    end

    CORE = (ObjectSpace.each_object(Class).map { |x| Core::MODULE_NAME.bind_call(x) }.compact.to_h { |x| [x, true] }).freeze
  end
end
