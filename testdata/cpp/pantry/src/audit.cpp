#include "shelf.h"
#include <iostream>

int main(int argc, char **argv) {
  Shelf shelf;
  std::cout << "audit " << argc << " " << (argc > 1 ? argv[1] : "") << " " << shelf.total() << std::endl; //@mark audit
}
