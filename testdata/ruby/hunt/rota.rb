# Rota plans who works when. Somebody works on a day that nobody has put her on.
DAYS = %w[mon tue wed thu fri sat sun].freeze

class Person
  attr_reader :name
  attr_accessor :planned

  def initialize(name, hours, away = [])
    @name, @hours, @away = name, hours, away
    @planned = 0
  end

  def can?(day, hours)
    !@away.include?(day) && @planned + hours <= @hours
  end
end

class Shift
  attr_reader :hours
  attr_accessor :people

  def initialize(day, hours, needs)
    @day, @hours, @needs = day, hours, needs
    @people = []
  end

  def missing
    [0, @needs - @people.size].max
  end

  def put(person)
    @people << person.name #@mark put
    person.planned += @hours
  end

  # The same for another day, with nobody on it yet.
  def copy(day)
    other = Shift.new(day, @hours, @needs)
    other.people = @people if @needs > 1 #@mark shared
    other
  end
end

class Rota
  attr_reader :shifts

  def initialize
    @shifts = {}
    @open = []
  end

  def lay(weekday, weekend)
    DAYS.each do |day|
      model = %w[sat sun].include?(day) ? weekend : weekday
      @shifts[day] = model.copy(day)
    end
  end

  def plan(staff)
    @shifts.each do |day, shift|
      staff.sort_by(&:planned).each do |person|
        break if shift.missing.zero?

        shift.put(person) if person.can?(day, shift.hours) #@mark plan
      end
      @open << day unless shift.missing.zero?
    end
  end

  def days_of(name)
    @shifts.select { |_, shift| shift.people.include?(name) }.keys
  end
end

def staff
  [
    Person.new("ann", 40, %w[sat sun]),
    Person.new("bob", 20),
    Person.new("cy", 30, %w[mon]),
    Person.new("di", 10, %w[mon tue wed thu fri])
  ]
end

def main
  rota = Rota.new
  rota.lay(Shift.new("", 8, 1), Shift.new("", 5, 2))
  people = staff
  rota.plan(people)
  sunday = rota.shifts["sun"]
  puts "#{rota.days_of("bob")} #{sunday.people} #{people.map(&:planned)}" #@mark rota
end

main
