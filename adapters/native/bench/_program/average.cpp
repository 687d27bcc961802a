// The program that the benchmark debugs: a loop to step through, then an exception.
#include <iostream>
#include <vector>

int average(const std::vector<int> &marks, int rounds) {
  int sum = 0;
  for (int i = 0; i < rounds; i++) {
    int mark = marks[i % marks.size()];
    sum += mark;
  }
  return sum / marks.at(marks.size());
}

int main() {
  std::cout << "average: " << average({3, 1, 4, 1, 5}, 200) << std::endl;
}
