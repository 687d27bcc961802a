// A program for each way to fail: the argument says which.
#include <array>
#include <cassert>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <unordered_map>
#include <variant>
#include <vector>
#include <sys/socket.h>
#include <unistd.h>

struct Address { std::string city; int number; };
struct Customer { std::string name; Address* address; };
struct Order { int id; Customer* customer; std::vector<int> prices; };
struct Node { int value; std::unique_ptr<Node> next; };

class Shop {
public:
  std::map<std::string, int> stock{{"tea", 3}, {"milk", 1}};
  std::unordered_map<std::string, Order*> orders;
  int price(const std::string& item) const {
    return stock.at(item) * 2; //@mark key
  }
  Order* find(const std::string& id) const {
    auto it = orders.find(id);
    return it == orders.end() ? nullptr : it->second;
  }
};

static std::string cityOf(const Order* order) {
  int noise = 17;
  std::string label = "to ";
  return label + order->customer->address->city + std::to_string(order->id); //@mark null
}

static int numberOf(const Shop& shop, const std::string& id) {
  return shop.find(id)->customer->address->number; //@mark called
}

static int nth(const std::vector<int>& values, size_t from, size_t n) {
  int unrelated = 1;
  int twice = values.at(from + n) * 2; //@mark index
  return twice + unrelated;
}

static int cell(const std::array<int, 4>& row, int column) {
  return static_cast<int>(row.at(column)); //@mark array
}

static int share(int total, int people) {
  int rest = total % 7;
  return rest + total / people; //@mark zero
}

static void check(int age) {
  if (age < 0)
    throw std::runtime_error("an age of " + std::to_string(age) + " cannot be"); //@mark thrown
}

static int asserted(int low, int high) {
  assert(low <= high && "low is above high"); //@mark assert
  return high - low;
}

[[noreturn]] static void gaveUp(const char* why) {
  std::fprintf(stderr, "gave up: %s\n", why);
  std::abort(); //@mark abort
}

static long depth(long n, long sum) {
  if (n < 0) return sum;
  return depth(n + 1, sum + n) + 1; //@mark deep
}

static int collatz(int n) {
  int steps = 0;
  while (n != 1) { //@mark busy
    n = n % 2 == 0 ? n / 2 : n + 2;
    steps++;
    if (n > 60) n = 3;
  }
  return steps;
}

static std::mutex first, second;

static void both(std::mutex& a, std::mutex& b) {
  std::lock_guard<std::mutex> one(a);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  std::lock_guard<std::mutex> two(b); //@mark lock
}

static void deadlock() {
  std::thread t(both, std::ref(first), std::ref(second));
  both(second, first);
  t.join();
}

static void blocked() {
  int pipes[2];
  if (pipe(pipes) != 0) return;
  char byte;
  ssize_t n = read(pipes[0], &byte, 1); //@mark blocked
  std::printf("%zd\n", n);
}

static int asked() {
  int n = 0;
  std::cout << "how many? " << std::flush;
  std::cin >> n; //@mark input
  return n;
}

static std::vector<std::string> hoard() {
  std::vector<std::string> kept;
  for (size_t n = 0;; n++)
    kept.push_back(std::string(100000000000000ul, 'x')); //@mark memory
}

static int optional(const std::map<std::string, std::optional<int>>& ages, const std::string& who) {
  return ages.at(who).value() + 1; //@mark optional
}

static int freed(size_t n) {
  int* values = new int[n];
  for (size_t i = 0; i < n; i++) values[i] = static_cast<int>(i);
  int last = values[n - 1];
  delete[] values;
  return last + values[0]; //@mark freed
}

static int shifted(int by) {
  int one = 1 << 30;
  return one * by; //@mark overflow
}

static long sum(const Node* list) {
  long total = 0;
  for (int i = 0; i < 5; i++) {
    total += list->value; //@mark list
    list = list->next.get();
  }
  return total;
}

static long counted = 0;
static void race() {
  auto count = [] { for (int i = 0; i < 1000; i++) counted++; }; //@mark race
  std::thread a(count), b(count);
  a.join();
  b.join();
}

static void inThread() {
  Order order{7, nullptr, {}};
  std::thread t([&order] {
    std::string who = order.customer->name; //@mark thread
    std::puts(who.c_str());
  });
  t.join();
}

static int caught() {
  try {
    check(-4);
  } catch (const std::exception& e) {
    std::cerr << "cannot settle: " << e.what() << "\n";
    return 4;
  }
  return 0;
}

static int library(const std::string& text) {
  return std::stoi(text) + 1; //@mark library
}

static void network() {
  int s = socket(AF_INET, SOCK_STREAM, 0);
  if (s < 0 || listen(s, 1) != 0) return;
  accept(s, nullptr, nullptr); //@mark network
}

static void channel() {
  std::mutex m;
  std::condition_variable ready;
  std::unique_lock<std::mutex> lock(m);
  ready.wait(lock); //@mark channel
}

static int sometimes() {
  std::FILE* f = std::fopen("runs.txt", "r");
  int n = 0;
  if (f) { if (std::fscanf(f, "%d", &n) != 1) n = 0; std::fclose(f); }
  f = std::fopen("runs.txt", "w");
  std::fprintf(f, "%d", n + 1);
  std::fclose(f);
  if (n == 2) throw std::logic_error("the third run"); //@mark flaky
  return 0;
}

int main(int argc, char** argv) {
  std::string how = argc > 1 ? argv[1] : "ok";
  std::cout << "begin " << how << std::endl;
  Shop shop;
  Customer nobody{"Nobody", nullptr};
  Order order{7, &nobody, {10, 20, 30}};
  if (how == "null") std::cout << cityOf(&order) << "\n";
  if (how == "called") return numberOf(shop, "o1");
  if (how == "index") return nth(order.prices, 2, 3);
  if (how == "array") return cell({1, 2, 3, 4}, 4);
  if (how == "key") return shop.price("honey");
  if (how == "zero") return share(100, argc - 2);
  if (how == "throw") check(-4);
  if (how == "assert") return asserted(5, 3);
  if (how == "abort") gaveUp("nothing left");
  if (how == "deep") return static_cast<int>(depth(0, 0));
  if (how == "busy") return collatz(27);
  if (how == "deadlock") deadlock();
  if (how == "blocked") blocked();
  if (how == "input") return asked();
  if (how == "memory") return static_cast<int>(hoard().size());
  if (how == "optional") return optional({{"ann", 5}, {"bob", std::nullopt}}, "bob");
  if (how == "freed") return freed(3);
  if (how == "overflow") return shifted(4) == 0 ? 1 : 0;
  if (how == "list") return static_cast<int>(sum(new Node{1, std::make_unique<Node>(Node{2, nullptr})}));
  if (how == "race") race();
  if (how == "thread") inThread();
  if (how == "caught") return caught();
  if (how == "library") return library("twelve");
  if (how == "network") network();
  if (how == "channel") channel();
  if (how == "sometimes") return sometimes();
  if (how == "exit") { std::cerr << "no such file: shop.txt\n"; return 3; }
  std::cout << "end" << std::endl;
}
