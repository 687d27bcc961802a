#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>

// Words that somebody writes, for as long as somebody watches.

namespace shop {

struct Counter {
  static long ticks;
  int count = 0;
  std::string name = "tea";
  bool odd = false;
  void tick();
};

long Counter::ticks = 0;
Counter counter;

namespace {
Counter *head = &counter;
int born;
}  // namespace

void Counter::tick() {
  ticks++;     // ticks
  count += 2;  // count
  odd = !odd;  // odd
}

void live(int number) {
  born = number;  // born
}

}  // namespace shop

int main(int argc, char **argv) {
  auto pause = std::chrono::microseconds(argc > 1 ? std::atoi(argv[1]) : 1000);
  for (int n = 1;; n++) {
    shop::head->tick();
    std::thread(shop::live, n).join();
    std::this_thread::sleep_for(pause);
  }
}
