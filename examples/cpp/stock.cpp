// What is in stock, and what it is worth.
#include <cstdio>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

struct Item {
  std::string name;
  int count;
  double price;
};

struct Stock {
  std::map<std::string, Item> items;
  Item *find(const std::string &name) {
    auto found = items.find(name);
    return found == items.end() ? nullptr : &found->second;
  }
};

double value(Stock &stock, const std::vector<std::string> &names) {
  double sum = 0;
  for (const auto &name : names) {
    Item *item = stock.find(name);
    sum += item->count * item->price;
  }
  return sum;
}

void reserve(Stock &stock, const std::string &name, int count) {
  Item *item = stock.find(name);
  if (item->count < count) throw std::out_of_range("only " + std::to_string(item->count) + " of " + name);
  item->count -= count;
}

int main(int argc, char **) {
  Stock stock{{{"bolt", {"bolt", 12, 0.5}}, {"nut", {"nut", 30, 0.25}}}};
  if (argc > 1) reserve(stock, "bolt", 20);
  const std::vector<std::string> names = {"nut", "bolt", "washer"};
  std::printf("worth %.2f\n", value(stock, names));
}
