#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

// Orders come in one by one, for as long as somebody watches.

namespace shop {

enum class State { open, paid, sent };

struct Item {
  std::string name;
  int price;
  unsigned count;
};

class Order {
 public:
  Order(long number, Item item) : number_(number), item_(std::move(item)) {}

  long total(int discount) const {
    long sum = static_cast<long>(item_.price) * item_.count;
    return sum - discount;
  }

  State serve(std::vector<long> &served) {
    long due = total(static_cast<int>(number_ % 3));
    served.push_back(due);
    state_ = due > 100 ? State::sent : State::paid;
    return state_;
  }

 private:
  long number_;
  Item item_;
  State state_ = State::open;
  bool gift_ = false;
};

}  // namespace shop

int main(int argc, char **argv) {
  auto pause = std::chrono::microseconds(argc > 1 ? std::atoi(argv[1]) : 1000);
  const char *names[] = {"tea", "coffee", "a very long name that has no room in the string itself"};
  for (long n = 1;; n++) {
    std::vector<long> served;
    shop::Order order(n, shop::Item{names[n % 3], static_cast<int>(n * 10), static_cast<unsigned>(n % 7)});
    order.serve(served);
    std::this_thread::sleep_for(pause);
  }
}
