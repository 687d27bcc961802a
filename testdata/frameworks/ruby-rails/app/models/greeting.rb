# A greeting of somebody by a word.
class Greeting
  def initialize(name, word)
    @name = name
    @word = word
  end

  def to_s
    "#{@word}, #{@name.capitalize}"
  end
end
