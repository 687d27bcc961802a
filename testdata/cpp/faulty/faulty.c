/* A program in C for ways to fail: the argument says which. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct address { const char *city; } address;
typedef struct customer { const char *name; address *address; } customer;
typedef struct order { int id; customer *customer; } order;

static size_t length(const order *o) {
  return strlen(o->customer->address->city); //@mark c-null
}

static int ratio(int a, int b) {
  return (a + b) % b; //@mark c-zero
}

static char first(char **names, int n) {
  char *name = names[n];
  return name[0]; //@mark c-name
}

static void fill(char *into, const char *what) {
  strcpy(into, what); //@mark c-smash
}

int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "ok";
  customer ann = {"Ann", NULL};
  order o = {7, &ann};
  char *names[] = {"a", "b", NULL};
  if (!strcmp(how, "null")) return (int)length(&o);
  if (!strcmp(how, "zero")) return ratio(4, argc - 2);
  if (!strcmp(how, "name")) return first(names, 2);
  if (!strcmp(how, "literal")) fill((char *)"short", "a longer text");
  if (!strcmp(how, "assert")) assert(o.id == 8); //@mark c-assert
  if (!strcmp(how, "exit")) exit(2);
  puts("end");
  return 0;
}
