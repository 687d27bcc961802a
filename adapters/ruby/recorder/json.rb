# frozen_string_literal: true

module AidbRecorder
  # Just enough of JSON to read a wish and to write events. The library of that name is not
  # loaded: a program that never did so would find it there.
  module Json
    TOKEN = /\G\s*(?:([{}\[\]:,])|"((?:[^"\\]|\\.)*)"|(-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)|(true|false|null))/m
    WORDS = { "true" => true, "false" => false, "null" => nil }.freeze
    ESCAPES = { "n" => "\n", "t" => "\t", "r" => "\r", "b" => "\b", "f" => "\f" }.freeze
    SPECIAL = /["\\\u0000-\u001f\u2028\u2029]/.freeze

    module_function

    def parse(text)
      tokens = []
      at = 0
      while (found = TOKEN.match(text, at))
        at = found.end(0)
        tokens << token(found)
      end
      value(tokens)
    end

    def token(found)
      sign, string, number, word = found.captures
      return [:sign, sign] if sign
      return [:value, unescape(string)] if string
      return [:value, number.match?(/[.eE]/) ? number.to_f : number.to_i] if number

      [:value, WORDS[word]]
    end

    def value(tokens)
      kind, found = tokens.shift
      return found if kind == :value
      return list(tokens) if found == "["

      object(tokens)
    end

    def list(tokens)
      found = []
      until tokens.first == [:sign, "]"]
        found << value(tokens)
        tokens.shift if tokens.first == [:sign, ","]
      end
      tokens.shift
      found
    end

    def object(tokens)
      found = {}
      until tokens.first == [:sign, "}"]
        key = tokens.shift.last
        tokens.shift # the colon
        found[key] = value(tokens)
        tokens.shift if tokens.first == [:sign, ","]
      end
      tokens.shift
      found
    end

    def unescape(text)
      text.gsub(/\\(?:u(d[89ab]\h\h)\\u(d[c-f]\h\h)|u(\h{4})|(.))/i) do
        high, low, plain, sign = $1, $2, $3, $4
        if high
          [0x10000 + ((high.hex & 0x3ff) << 10) + (low.hex & 0x3ff)].pack("U")
        elsif plain
          [plain.hex].pack("U")
        else
          ESCAPES.fetch(sign, sign)
        end
      end
    end

    # A text as JSON. What is no valid text in its encoding is shown with its bytes.
    def quote(text)
      text = utf8(text)
      return "\"#{text}\"" unless text.match?(SPECIAL)

      "\"#{text.gsub(SPECIAL) { |c| c == '"' ? '\\"' : c == '\\' ? '\\\\' : format('\\u%04x', c.ord) }}\""
    end

    def utf8(text)
      return text if (text.encoding == Encoding::UTF_8 || text.ascii_only?) && text.valid_encoding?

      text.encode(Encoding::UTF_8, invalid: :replace, undef: :replace, replace: "?")
    rescue EncodingError
      text.b.inspect[1..-2].force_encoding(Encoding::UTF_8)
    end

    # An event or a part of one.
    def dump(value)
      case value
      when Hash then "{#{value.map { |k, v| "#{quote(k.to_s)}:#{dump(v)}" }.join(',')}}"
      when Array then "[#{value.map { |v| dump(v) }.join(',')}]"
      when String then quote(value)
      when Symbol then quote(value.to_s)
      when nil then "null"
      else value.to_s
      end
    end
  end
end
