// Tour goes through what a debugger is asked for; its first argument names the
// part. The same program stands in testdata for every language.
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

void loop() {
  int items[] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 4};
  int total = 0; //@mark loop-start
  for (int i = 0; i < 10; i++) {
    int item = items[i];
    total += item; //@mark sum
  }
  std::cout << "total " << total << std::endl; //@mark loop-end
}

int twice(int n) {
  int result = n * 2; //@mark twice
  return result;      //@mark twice-return
}

int combine(int a, int b) {
  int both = a + b; //@mark combine
  return both;      //@mark combine-return
}

void calls() {
  int count = 6;                                                   //@mark calls-start
  int first = twice(count);                                        //@mark call
  int second = combine(twice(first), count);                       //@mark nested
  count = count + second;                                          //@mark after
  std::cout << "calls " << count << " " << first << std::endl;     //@mark calls-end
}

struct Address {
  std::string city;
  std::vector<std::string> tags;
};

struct Person {
  std::string name;
  int age;
  Address address;
};

void values() {
  bool yes = true;
  int whole = 42;
  long huge = 9007199254740993;
  double ratio = 1.5;
  std::string name = "grüße 🙂";
  std::string lines = "one\n\"two\"";
  std::vector<int> list = {10, 20, 30};
  std::map<std::string, int> ages = {{"one", 1}, {"two", 2}};
  Person ada = {"Ada", 36, {"Paris", {"x", "y"}}};
  Person *nothing = nullptr;
  std::cout << "values " << yes << whole << huge << ratio << name << lines << list.size() << ages.size() << ada.name << nothing << std::endl; //@mark values-end
}

struct Level {
  int depth;
  Level *next;
};

void big() {
  std::vector<int> million(1000000);
  for (int i = 0; i < 1000000; i++) million[i] = i;
  std::string text;
  for (int i = 0; i < 100000; i++) text += "0123456789";
  Level *deep = nullptr;
  for (int i = 50; i > 0; i--) deep = new Level{i, deep};
  std::cout << "big " << million.size() << " " << text.size() << " " << deep->depth << std::endl; //@mark big-end
}

int counter = 10;

void bump() {
  counter++;                             //@mark write
  std::cout << "bumped" << std::endl;    //@mark written
  std::cout << "for sure" << std::endl;  //@mark written-after
}

void watch() {
  std::cout << "watch " << counter << std::endl; //@mark watch-start
  bump();
  std::cout << "counter " << counter << std::endl; //@mark watch-end
}

void fail(int code) {
  throw std::runtime_error("tour failed: " + std::to_string(code)); //@mark throw
}

void throw_() {
  std::cout << "before" << std::endl;
  fail(7); //@mark throw-call
}

void catch_() {
  try {
    fail(8);
  } catch (const std::exception &caught) {
    std::cout << "caught " << caught.what() << std::endl; //@mark caught
  }
}

void exit3() {
  std::cout << "last words" << std::endl;
  std::cerr << "last complaint" << std::endl;
  std::exit(3); //@mark exit
}

void streams() {
  for (int i = 1; i <= 3; i++) {
    std::cout << "out " << i << std::endl;
    std::cerr << "err " << i << std::endl; //@mark stream
  }
  std::cout << "no newline at the end" << std::flush;
}

void echo() {
  std::string text;
  int n = 0;
  while (std::getline(std::cin, text)) {
    n++;
    std::cout << n << ": " << text << std::endl; //@mark line
  }
  std::cout << "end after " << n << " lines" << std::endl;
}

void spin() {
  std::cout << "spinning" << std::endl;
  volatile int limit = -1;
  volatile int busy = 0;
  for (int n = 0; limit < 0 || n < limit; n++) {
    busy = n & 7; //@mark spin
  }
  std::cout << "spun" << std::endl;
}

void tick(int n) {
  std::cout << "tick " << n << std::endl; //@mark tick
}

void sleep_() {
  for (int n = 0; n < 2400; n++) {
    tick(n);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

struct Gate {
  std::mutex lock;
  std::condition_variable changed;
  int arrived = 0;
  bool open = false;
};

void hold(Gate &gate) {
  std::unique_lock<std::mutex> held(gate.lock);
  gate.arrived++;
  gate.changed.notify_all();
  while (!gate.open) {
    gate.changed.wait(held); //@mark hold
  }
}

void threads() {
  Gate gate;
  std::vector<std::thread> all;
  for (int i = 0; i < 20; i++) all.emplace_back(hold, std::ref(gate));
  {
    std::unique_lock<std::mutex> held(gate.lock);
    while (gate.arrived < 20) gate.changed.wait(held);
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(100)); // until each waits
  std::cout << "gathered" << std::endl;                         //@mark gathered
  {
    std::unique_lock<std::mutex> held(gate.lock);
    gate.open = true;
  }
  gate.changed.notify_all();
  for (auto &one : all) one.join();
}

int dive(int depth) {
  if (depth == 0) {
    return 0; //@mark bottom
  }
  return dive(depth - 1) + 1;
}

void recursion() {
  std::cout << "depth " << dive(500) << std::endl;
}

int main(int argc, char **argv) {
  std::string part = "loop"; //@mark main
  if (argc > 1) {
    part = argv[1];
  }
  std::map<std::string, void (*)()> parts = {
      {"loop", loop}, {"calls", calls}, {"values", values}, {"big", big}, {"watch", watch},
      {"throw", throw_}, {"catch", catch_}, {"exit3", exit3}, {"streams", streams}, {"echo", echo},
      {"spin", spin}, {"sleep", sleep_}, {"threads", threads}, {"recursion", recursion},
  };
  parts.at(part)();
  return 0;
}
