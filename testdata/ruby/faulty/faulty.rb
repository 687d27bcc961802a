# A shop that fails in the way which its first argument names.
require "json"
require "socket"

$stdout.sync = true

Address = Struct.new(:city)
Customer = Struct.new(:name, :address)

class Order
  attr_reader :number, :customer, :prices

  def initialize(number, customer, prices)
    @number = number
    @customer = customer
    @prices = prices
  end
end

def orders
  ann = Customer.new("ann", Address.new("Turin"))
  [Order.new(1, ann, [30, 12]), Order.new(2, nil, [])]
end

def city_of(order, upper)
  unused = (0...5).to_a
  city = order.customer.address.city #@mark member
  upper ? city.upcase : unused
end

def member
  orders.each do |order|
    city_of(order, true) #@mark member-caller
  end
end

def price_at(prices, position)
  shift = position + 1
  prices.fetch(shift) * 2 #@mark index
end

def index
  price_at(orders.first.prices, 4)
end

def rate_of(rates, order)
  kind = order.number == 1 ? "gold" : "plain"
  rates.fetch(kind) + 1 #@mark key
end

def key
  rates = {"gold" => 3, "silver" => 5}
  orders.each { |order| rate_of(rates, order) }
end

def mean(order)
  total = order.prices.sum
  count = order.prices.size
  total / count #@mark zero
end

def zero
  orders.each { |order| mean(order) }
end

def find(number)
  orders.find { |order| order.number == number }
end

def result
  wanted = 7
  puts find(wanted).prices.size #@mark result
end

def exit_code
  puts "settling"
  exit 3 #@mark exit-code
end

def caught
  mean(orders.last)
rescue ZeroDivisionError => error
  warn "cannot settle: #{error.message}"
  exit 1 #@mark caught
end

def chained
  mean(orders.last)
rescue ZeroDivisionError
  raise "order 2 cannot be settled" #@mark chained
end

def busy
  left, step, rounds = 1000, 0, 0
  while left > 0 #@mark busy
    left -= step #@mark busy-step
    rounds += 1 #@mark busy-rounds
  end
end

def blocked
  nap = 600
  sleep(nap) #@mark blocked
end

def network
  server = TCPServer.new("127.0.0.1", 0)
  server.accept #@mark network
end

def deadlock
  stock, till = Mutex.new, Mutex.new
  ready = Queue.new
  go = Queue.new
  seller = Thread.new do
    stock.lock
    ready << true
    go.pop
    till.lock #@mark deadlock-till
  end
  refunder = Thread.new do
    till.lock
    ready << true
    go.pop
    stock.lock #@mark deadlock-stock
  end
  2.times { ready.pop }
  2.times { go << true }
  [seller, refunder].each(&:join) #@mark deadlock-join
end

def channel
  parcels = Queue.new
  puts parcels.pop #@mark channel
end

def depth_of(tree, level) #@mark overflow-in
  1 + depth_of(tree[:child], level + 1) #@mark overflow
end

def overflow
  tree = {}
  tree[:child] = tree
  depth_of(tree, 0)
end

def awaited
  print "who? "
  name = $stdin.gets #@mark input
  puts name
end

def thread
  worker = Thread.new { mean(orders.last) }
  worker.report_on_exception = false
  worker.join
end

def task
  Fiber.new { mean(orders.last) }.resume
end

def memory
  Process.setrlimit(Process::RLIMIT_AS, 1 << 30)
  pages = []
  loop do
    pages << "x" * (64 << 20) #@mark memory
  end
end

def library
  text = '{"number": 1,}'
  JSON.parse(text) #@mark library
end

def fine
  puts mean(orders.first)
end

send(ARGV.fetch(0)) if $PROGRAM_NAME == __FILE__
