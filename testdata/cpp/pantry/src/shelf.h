#pragma once
#include <map>
#include <string>

class Shelf {
public:
  void put(const std::string &what, int count);
  int take(const std::string &what, int count);
  int total() const;

private:
  std::map<std::string, int> jars_;
};
