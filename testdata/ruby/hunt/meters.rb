# Meters adds up what meters have read. One of the sums is too low.
class Reading
  attr_reader :meter, :text
  attr_accessor :value

  def initialize(meter, text)
    @meter, @text = meter, text
    @value = 0
  end
end

class Meter
  attr_reader :name, :readings, :sum

  def initialize(name)
    @name = name
    @readings = []
    @sum = 0
  end

  def add(reading)
    @readings << reading
    @sum += reading.value
  end
end

# Reads lines such as "a 12", "a 12 kWh" and "a (12)", which is given back.
class Parser
  def initialize
    @factor = 1
    @sign = 1
    @lines = 0
    @bad = []
  end

  def words(line)
    words = line.split
    return words if [2, 3].include?(words.size)

    @bad << line
    nil
  end

  def unit(words)
    @factor = 1
    @factor = { "kWh" => 1000, "Wh" => 1 }.fetch(words[2]) if words.size == 3
  end

  def parse(line)
    @lines += 1
    words = self.words(line)
    return nil if words.nil?

    unit(words)
    reading = Reading.new(words[0], words[1])
    digits = words[1]
    if digits.start_with?("(")
      @sign = -1 #@mark negative
      digits = digits[1..-2]
    elsif digits.start_with?("+")
      @sign = 1 #@mark positive
      digits = digits[1..]
    end
    size = Integer(digits) * @factor
    reading.value = size * @sign #@mark value
    reading
  end
end

class Store
  def initialize
    @meters = {}
  end

  def put(reading)
    meter = (@meters[reading.meter] ||= Meter.new(reading.meter))
    meter.add(reading)
  end

  def lowest
    @meters.values.min_by(&:sum)
  end
end

def line(n)
  name = "abcdefgh"[n % 8]
  return "#{name} (#{n})" if n == 97
  return "too" if n == 40
  return "#{name} +#{n} Wh" if (n % 9).zero? && n < 97

  "#{name} #{n}"
end

def main
  parser, store = Parser.new, Store.new
  Integer(ARGV[0] || 120).times do |n|
    reading = parser.parse(line(n))
    store.put(reading) unless reading.nil?
  end
  low = store.lowest
  last = low.readings.last
  puts "#{low.name} #{low.sum} #{last.text} #{last.value}" #@mark meters
end

main
