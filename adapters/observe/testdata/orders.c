#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Orders come in one by one, for as long as somebody watches. */

struct item {
  const char *name;
  int price;
  unsigned char count;
};

struct order {
  long number;
  struct item item;
  struct order *before;
  double weight;
  char city[16];
};

enum state { OPEN, PAID, SENT };

long served;

static int total(const struct order *o, int discount) {
  int sum = o->item.price * o->item.count;
  sum -= discount;
  return sum;
}

static enum state serve(struct order *o) {
  int due = total(o, (int)(o->number % 3));
  served += due;
  enum state s = due > 100 ? SENT : PAID;
  return s; /* served */
}

/* Its body begins with what its loop jumps back to. */
static __attribute__((noinline)) long count(long n) {
  static long counted;
  do {
    counted++;
  } while (--n > 0);
  return counted;
}

int main(int argc, char **argv) {
  static const char *names[] = {"tea", "coffee", NULL};
  useconds_t pause = argc > 1 ? (useconds_t)atoi(argv[1]) : 1000;
  struct order last = {0};
  for (long n = 1;; n++) {
    struct order o = {.number = n, .item = {names[n % 3], (int)(n * 10), (unsigned char)(n % 7)}, .before = n > 1 ? &last : NULL, .weight = n / 4.0};
    strcpy(o.city, n % 2 ? "Bern" : "Rome");
    serve(&o);
    count(n % 5 + 1);
    last = o;
    last.before = NULL;
    if (pause) usleep(pause);
  }
}
