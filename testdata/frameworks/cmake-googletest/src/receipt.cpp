#include "receipt.h"

int total(const std::vector<Item> &items) {
  int sum = 0;
  for (const Item &item : items) {
    sum += item.cents;
  }
  int discount = sum >= 2000 ? sum / 10 : 0;
  return sum - discount; // @mark total
}
