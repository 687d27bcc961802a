#pragma once

#include <string>
#include <vector>

struct Item {
  std::string name;
  int cents;
};

// The sum of all items, with a tenth off from 20 euros on.
int total(const std::vector<Item> &items);
