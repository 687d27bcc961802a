#include "shelf.h"
#include <iostream>

int main() {
  Shelf shelf;
  shelf.put("jam", 3); //@mark main
  shelf.put("tea", 4);
  std::cout << "total " << shelf.total() << std::endl;
}
