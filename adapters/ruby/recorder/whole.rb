# frozen_string_literal: true

module AidbRecorder
  # A hash of all of a value, for values whose text leaves something out: two values that are
  # equal have equal hashes, in this run and in others. Types count, and the order of a Hash;
  # that of a Set does not. No code of the program's is run.
  class Whole
    MOST = 1 << 20 # bytes of one value that are looked at: recording.WholeSize
    BUDGET = 24 << 20 # bytes of all values of a run, so that it is not slowed without end
    DEEPEST = 200

    def initialize
      @left = BUDGET
    end

    # The hash of a value, empty where it is not known.
    def of(value)
      @room = before = [MOST, @left].min
      @open = []
      catch(:unknown) do
        text = digest(value)
        return Whole.sum(text)
      end
      ""
    rescue StandardError # of what another thread changes meanwhile
      ""
    ensure
      @left -= before - [@room, 0].max
    end

    # Mixes all of a text: the generator is seeded by every word of it, the same in each run.
    def self.sum(text)
      Random.new("1#{text.unpack1('H*')}".to_i(16)).bytes(8).unpack1("H*")
    end

    private

    def spend(text)
      @room -= text.bytesize + 16
      throw :unknown if @room.negative?
      text
    end

    def digest(value)
      kind = Core.type(value)
      return spend("#{kind} #{value.inspect}") if Show::SPOKEN.include?(kind)

      case value
      when String
        throw :unknown if Core::STRING_SIZE.bind_call(value) > @room
        return spend("#{kind} #{value.encoding} #{value.bytesize}:".b << value.b)
      when Module then return spend("#{kind} #{Core.name(value)}")
      end
      entered(value) { |again| again ? "again #{again}" : "#{Core.name(kind)}(#{contents(value, kind)})" }
    end

    def entered(value)
      id = Core.id(value)
      if (at = @open.index(id))
        return yield(@open.size - at)
      end

      throw :unknown if @open.size > DEEPEST
      @open.push(id)
      begin
        yield nil
      ensure
        @open.pop
      end
    end

    def contents(value, kind)
      parts = contained(value, kind)
      Core.ivars(value).each { |x| parts << "#{x}=" << digest(Core.ivar(value, x)) } unless parts.frozen?
      parts.map(&:b).join(",")
    end

    def contained(value, kind)
      case value
      when Array then Array.new(Core::ARRAY_SIZE.bind_call(value)) { |i| digest(Core::ARRAY_AT.bind_call(value, i)) }
      when Hash then pairs(value)
      when Struct then Core::STRUCT_VALUES.bind_call(value).map { |x| digest(x) }
      when Range then [digest(value.begin), digest(value.end), value.exclude_end?.to_s]
      when Exception then [spend(Core.failure(value))]
      when Proc, Method, UnboundMethod then [spend(value.source_location.inspect)]
      else object(value, kind)
      end
    end

    def pairs(value)
      keys, values = Core::HASH_KEYS.bind_call(value), Core::HASH_VALUES.bind_call(value)
      keys.each_with_index.map { |k, i| "#{digest(k)}=>".b << digest(values[i]).b }
    end

    def object(value, kind)
      name = Core.name(kind)
      return [spend(value.inspect)] if Show::LIBRARY.include?(name) && Core.ivars(value).empty?

      if name == "Set" && Hash === Core.ivar(value, :@hash)
        return Core::HASH_KEYS.bind_call(Core.ivar(value, :@hash)).map { |x| digest(x).b }.sort.freeze
      end
      throw :unknown if Show::CORE.include?(name) && name != "Object" # what only C code can look into
      []
    end
  end
end
