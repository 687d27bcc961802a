// Kernels whose behaviour C does not define.
#include <limits.h>
#include <stddef.h>
#include <string.h>

struct order {
  int id, price;
};

static int add(int a, int b) {
  return a + b; //@mark overflow
}

static int shift(int by) {
  return 1 << by; //@mark shift
}

static int price(struct order *o) {
  return o->price; //@mark null-member
}

static int odd(char *at) {
  return *(int *)at; //@mark misaligned
}

static int at(int n) {
  static int cells[4];
  return cells[n]; //@mark index
}

int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "clean";
  char bytes[16] = {0};
  if (!strcmp(how, "overflow")) return add(INT_MAX, 1) == 0;
  if (!strcmp(how, "shift")) return shift(31 + argc) == 5;
  if (!strcmp(how, "null")) return price(NULL);
  if (!strcmp(how, "misaligned")) return odd(bytes + 1);
  if (!strcmp(how, "index")) return at(argc + 2);
  return add(1, -1);
}
