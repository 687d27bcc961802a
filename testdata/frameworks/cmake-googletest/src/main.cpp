#include <iostream>

#include "receipt.h"

int main() {
  std::cout << total({{"bread", 349}, {"cheese", 899}}) << " cents\n";
}
