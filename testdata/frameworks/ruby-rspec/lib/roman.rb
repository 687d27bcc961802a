# Numbers as the Romans wrote them.
module Roman
  VALUES = { "M" => 1000, "CM" => 900, "XC" => 90, "X" => 10, "IV" => 4, "I" => 1 }.freeze

  def self.write(number)
    VALUES.reduce("") do |text, (letter, value)|
      count, number = number.divmod(value)
      text + letter * count # @mark letter
    end
  end
end
