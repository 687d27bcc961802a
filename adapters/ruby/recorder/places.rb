# frozen_string_literal: true

module AidbRecorder
  # Which places expressions name, what is there, and what objects held when they were last
  # looked at. No code of the program's is run for that.
  class Places
    MISSING = Core::MISSING
    KEPT = 20_000 # objects of which that is known
    MOST = 4096 # elements of an object whose changes are found
    ASKED = 1 << 20 # elements of one that is asked about
    LONGEST = 1 << 16 # bytes of a text whose changes are found
    KEYS = [Integer, String, Symbol, NilClass, TrueClass, FalseClass, Float].freeze

    def initialize
      @known, @members, @nesting, @globals = {}, {}, {}, {}
      @environments = Environments.new
    end

    def identity(value)
      "o#{Core.id(value)}"
    end

    # Whether a value is an object that is told apart from others, and may be changed.
    def object?(value)
      !Core.plain?(value)
    end

    # Code is no operand.
    def code?(value)
      Module === value || Proc === value || Method === value
    end

    # [place, value] of a path; nil where only a call would tell.
    def find(path, frame, binding)
      case path.kind
      when :self then [nil, binding.receiver]
      when :local then local(path.name, frame, binding)
      when :ivar then variable(binding.receiver, path.name)
      when :gvar then global(path.name)
      when :cvar then class_variable(path.name, binding)
      when :const then constant(path.name, frame, binding)
      when :attr then attribute(path, frame, binding)
      when :element then element(path, frame, binding)
      end
    end

    def local(name, frame, binding)
      return nil unless binding.local_variable_defined?(name)

      [local_place(name, frame, binding), binding.local_variable_get(name)]
    end

    def local_place(name, frame, binding)
      hops = frame.scope && frame.scope.hops(name)
      owner = hops && (hops.zero? ? frame.number : @environments.owner(frame, binding, hops))
      owner && "frame#{owner}.#{name}"
    end

    # A frame has begun: its variables are its own.
    def begin_frame(frame, binding)
      @environments.own(frame, binding)
    end

    # Nothing is looked at for a time, in which frames that are under way go on.
    def pause(frames)
      @environments.keep(frames)
    end

    def resume
      @known.clear
    end

    def variable(object, name)
      return nil if Module === object && !Core::IVAR_SET_P.bind_call(object, name)

      ["#{identity(object)}.#{name}", Core::IVAR_SET_P.bind_call(object, name) ? Core.ivar(object, name) : MISSING]
    end

    def global(name)
      return nil unless name.match?(/\A\$[[:alpha:]_][[:word:]]*\z/)

      reader = @globals[name] ||= eval("proc { #{name} }", TOPLEVEL_BINDING, __FILE__, __LINE__)
      ["global #{name}", reader.call]
    end

    def class_variable(name, binding)
      home = binding.receiver
      home = Core.type(home) unless Module === home
      owner = home.ancestors.find { |m| m.class_variable_defined?(name) && m.class_variables(false).include?(name) }
      owner ? ["class #{Core.name(owner)}.#{name}", owner.class_variable_get(name)] : ["class #{Core.name(home)}.#{name}", MISSING]
    rescue NameError
      nil
    end

    def constant(name, frame, binding)
      nesting = (@nesting[frame.scope] ||= binding.eval("::Module.nesting", __FILE__, __LINE__))
      owner = nesting.find { |m| m.const_defined?(name, false) } || (nesting.first || Object).ancestors.find { |m| m.const_defined?(name, false) }
      owner ||= Object if Object.const_defined?(name, false)
      return nil if owner.nil? || owner.autoload?(name, false)

      ["class #{Core.name(owner)}.#{name}", owner.const_get(name, false)]
    end

    def attribute(path, frame, binding)
      return local(path.name, frame, binding) if path.base.kind == :self && path.text == path.name.to_s && binding.local_variable_defined?(path.name)

      base = value(path.base, frame, binding)
      return nil if base.equal?(MISSING)

      case member(base, path.name)
      when :variable then variable(base, :"@#{path.name}")
      when :struct then ["#{identity(base)}.#{path.name}", Struct.instance_method(:[]).bind_call(base, path.name)]
      end
    end

    # What a method without arguments is that does no more than read: :variable, :struct or nil.
    def member(object, name)
      kind = Core.type(object)
      known = (@members[kind] ||= {})
      known.fetch(name) { known[name] = member_of(kind, name) }
    end

    def member_of(kind, name)
      method = Core::INSTANCE_METHOD.bind_call(kind, name)
      return :struct if kind < Struct && kind.members.include?(name) && method.source_location.nil?
      return nil unless method.arity.zero? && method.source_location && RubyVM::InstructionSequence.of(method).nil?

      :variable
    rescue NameError, TypeError
      nil
    end

    def element(path, frame, binding)
      base = value(path.base, frame, binding)
      key = Array === path.key ? path.key[0] : value(path.key, frame, binding)
      return nil unless KEYS.include?(Core.type(key))

      found = at(base, key)
      found.equal?(MISSING) ? nil : [element_place(base, key), found]
    end

    def element_place(base, key)
      key += Core::ARRAY_SIZE.bind_call(base) if Array === base && Integer === key && key.negative?
      "#{identity(base)}[#{Show.text(key, 100)[0]}]"
    end

    def at(base, key)
      case base
      when Array
        return MISSING unless Integer === key && plain_reader?(base, Array)

        size = Core::ARRAY_SIZE.bind_call(base)
        key < size && key >= -size ? Core::ARRAY_AT.bind_call(base, key) : MISSING
      when Hash
        plain_reader?(base, Hash) && Core::HASH_HAS.bind_call(base, key) ? Core::HASH_FETCH.bind_call(base, key) : MISSING
      else MISSING
      end
    end

    def plain_reader?(base, kind)
      own = Core.type(base)
      own == kind || Core::INSTANCE_METHOD.bind_call(own, :[]).owner == kind
    end

    def value(path, frame, binding)
      found = find(path, frame, binding)
      found ? found[1] : MISSING
    end

    # What of an object is not as it was when it was last looked at: [[place, was, now]]. It is as
    # it is now from then on.
    def changed(object)
      id = Core.id(object)
      now = held(object)
      was, @known[id] = @known[id], now
      @known.shift if @known.size > KEPT
      was.nil? || now.nil? ? [] : differences(identity(object), was, now)
    end

    # What an object holds: it is written to if other objects lie in it, or other plain values, not
    # if those objects are changed. Nil where that is not known.
    def contents(object)
      found = held(object, ASKED)
      return found unless Hash === found && !(Struct === object)

      # Only C code may know what is in it, or it is a collection of a class's own making.
      found.empty? || Core::METHOD_DEFINED.bind_call(Core.type(object), :[]=) ? nil : found
    end

    def alike?(was, now)
      was.instance_of?(now.class) && differences("", was, now).empty?
    end

    # A member was written to, and that is known.
    def put(object, name, now)
      was = @known[Core.id(object)]
      was[name] = now if Hash === was
    end

    private

    # What an object holds, for a later look: a list, pairs, named variables or a text; nil where
    # it is too much.
    def held(object, most = MOST)
      case object
      when Array then Core::ARRAY_SIZE.bind_call(object) <= most ? Core::ARRAY_SLICE.bind_call(object, 0..-1) : nil
      when Hash then Core::HASH_SIZE.bind_call(object) <= most ? Pairs.new(Core::HASH_KEYS.bind_call(object), Core::HASH_VALUES.bind_call(object)) : nil
      when String then Core::STRING_SIZE.bind_call(object) <= LONGEST ? Words.new(String.new(object)) : nil
      when Struct then Core.type(object).members.zip(Core::STRUCT_VALUES.bind_call(object)).to_h
      when Module then nil
      else variables(object, most)
      end
    end

    def variables(object, most)
      if Core.name(Core.type(object)) == "Set" && Hash === (hash = Core.ivar(object, :@hash))
        return Core::HASH_SIZE.bind_call(hash) <= most ? Members.new(Core::HASH_KEYS.bind_call(hash)) : nil
      end
      Core.ivars(object).to_h { |n| [n, Core.ivar(object, n)] }
    end

    Pairs = Struct.new(:keys, :values)
    Words = Struct.new(:text)
    Members = Struct.new(:keys)

    def differences(name, was, now)
      case now
      when Pairs then Pairs === was ? pairs(name, was, now) : []
      when Words then Words === was && was.text != now.text ? [["#{name}[*]", was.text, now.text]] : []
      when Members then Members === was && !same_list?(was.keys, now.keys) ? [["#{name}[*]", was.keys, now.keys]] : []
      when Array then list(name, was, now)
      else named(name, was, now)
      end
    end

    def list(name, was, now)
      size = [was.size, now.size].max
      (0...size).filter_map do |i|
        a, b = i < was.size ? was[i] : MISSING, i < now.size ? now[i] : MISSING
        ["#{name}[#{i}]", a, b] unless same?(a, b)
      end
    end

    def named(name, was, now)
      (was.keys | now.keys).filter_map do |key|
        a, b = was.fetch(key, MISSING), now.fetch(key, MISSING)
        ["#{name}.#{key}", a, b] unless same?(a, b)
      end
    end

    def pairs(name, was, now)
      if was.keys.size == now.keys.size && same_list?(was.keys, now.keys)
        return was.keys.each_index.filter_map { |i| [entry(name, now.keys[i]), was.values[i], now.values[i]] unless same?(was.values[i], now.values[i]) }
      end
      old = was.keys.each_index.to_h { |i| [entry(name, was.keys[i]), was.values[i]] }
      new = now.keys.each_index.to_h { |i| [entry(name, now.keys[i]), now.values[i]] }
      (old.keys | new.keys).filter_map do |place|
        a, b = old.fetch(place, MISSING), new.fetch(place, MISSING)
        [place, a, b] unless same?(a, b)
      end
    end

    def entry(name, key)
      "#{name}[#{Show.text(key, 100)[0]}]"
    end

    def same?(a, b)
      a.equal?(b) || Core.type(a) == Core.type(b) && Core.plain?(a) && (a == b || a != a && b != b)
    end

    def same_list?(a, b)
      a.size == b.size && a.each_index.all? { |i| same?(a[i], b[i]) }
    end
  end

  # Which frame the variables are of that a block sees around it: Ruby tells of none, but its
  # garbage collector knows what a binding refers to.
  class Environments
    def initialize
      @owners, @kept = {}, {}
      require "objspace.so"
      @reachable = ObjectSpace.method(:reachable_objects_from)
      @wrapper = ObjectSpace::InternalObjectWrapper
      @works = works?
    rescue LoadError, NameError
      @works = false
    end

    # Notes which frame a binding's own variables are of.
    def own(frame, binding)
      return unless @works

      frame.env, frame.binding = environment(binding), binding # which keeps it from being another's
      frame.number = @kept.fetch(frame.env, frame.number)
      @owners.shift if @owners.size > 50_000
      @owners[frame.env] = frame.number
    end

    # Forgets all frames but these, which are known again by their variables. Others have none from then
    # on that were seen to begin: who owns theirs is told apart, and not known.
    def keep(frames)
      frames, @unseen = frames.select(&:env), 0
      @kept = frames.to_h { |f| [f.env, f.number] }
      @bindings = frames.map(&:binding)
      @owners = @kept.dup
    end

    # The number of the frame so many scopes out; nil where it is not known.
    def owner(frame, binding, hops)
      return nil unless @works

      known = (frame.more ||= {})
      known.fetch(hops) { known[hops] = find(binding, hops) }
    end

    private

    def environment(binding)
      @reachable.call(binding).grep(@wrapper).last&.internal_object_id
    end

    # Of what an environment refers to, the one around it is one that a frame owns.
    def find(binding, hops)
      wrapper = @reachable.call(binding).grep(@wrapper).last
      hops.times do
        own = wrapper.internal_object_id
        around = @reachable.call(wrapper).grep(@wrapper)
        wrapper = around.find { |w| w.internal_object_id != own && @owners.key?(w.internal_object_id) }
        wrapper ||= around[AROUND] if @unseen && @ordered
        return nil unless wrapper
      end
      @owners[wrapper.internal_object_id] || unseen(wrapper.internal_object_id, binding)
    end

    # A number for variables of which it was not seen whose they are. They stay theirs.
    def unseen(environment, binding)
      @bindings << binding
      @owners[environment] = @kept[environment] = @unseen -= 1
    end

    AROUND = -2 # of what an environment refers to the one around it is the last but its code
    private_constant :AROUND

    def works?
      kept = 1
      outer = binding
      inner = [0].map { |x| x + kept && binding }.first
      own = environment(outer)
      return false if own.nil? || own == environment(inner)

      around = @reachable.call(@reachable.call(inner).grep(@wrapper).last).grep(@wrapper).map(&:internal_object_id)
      @ordered = around[AROUND] == own
      around.include?(own)
    end
  end
end
