# Ledger is a program whose values come from elsewhere, for questions about how.
class Account
  attr_accessor :owner, :balance

  def initialize(owner, balance)
    @owner = owner
    @balance = balance #@mark opened
  end
end

class Book
  attr_accessor :accounts, :limits, :fees

  def initialize
    @accounts = {}
    @limits = [0] * 100
    @fees = 0
  end

  def pay(name, amount)
    account = @accounts[name]
    part = fee(RATES["high"], amount) #@mark fee
    account.balance -= amount + part #@mark balance
    @fees += part #@mark fees
    $payments += 1 #@mark payments
  end

  def elsewhere(gift)
    threads = %w[ann bob carol].map do |name|
      Thread.new do
        @accounts[name].balance += gift #@mark thread
      end
    end
    threads.each(&:join)
  end
end

RATES = { "low" => 1, "high" => 7 } #@mark rates
$payments = 0

def fee(rate, amount)
  cut = amount * rate / 10 #@mark cut
  cut #@mark returned
end

# Goes wrong in one round of many.
def spread(limits)
  limits.each_index do |i|
    limit = i * 2
    limit = -limit if i == 70
    limits[i] = limit #@mark element
  end
end

def fib(n)
  return n if n < 2

  fib(n - 1) + fib(n - 2)
end

def main
  book = Book.new
  %w[ann bob carol].each { |name| book.accounts[name] = Account.new(name, 100) }
  counter = 0
  count = lambda do |n|
    counter += n #@mark captured
  end
  book.elsewhere(5)
  (1..3).each do |i|
    book.pay("bob", i * 10) #@mark pay
    count.call(i)
  end
  spread(book.limits)
  again = book
  again.fees = fib(ARGV.size + 6) #@mark alias
  dan = Account.new("dan", 1)
  dan.instance_variable_set(:@balance, 9) #@mark reflected
  bob = book.accounts["bob"]
  left = bob.balance #@mark left
  seen = left #@mark seen
  puts [seen, counter, book.limits[70], book.fees, $payments, book.accounts["ann"].balance, dan.balance].inspect #@mark check
end

main
