#include "shelf.h"
#include <stdexcept>

void Shelf::put(const std::string &what, int count) {
  jars_[what] += count; //@mark put
}

int Shelf::take(const std::string &what, int count) {
  auto it = jars_.find(what);
  if (it == jars_.end()) {
    throw std::out_of_range("no " + what); //@mark throw
  }
  it->second -= count;
  return it->second;
}

int Shelf::total() const {
  int sum = 0;
  for (const auto &[what, count] : jars_) {
    sum += count; //@mark sum
  }
  return sum;
}
