// Kernels that misuse memory, each by its name.
#include <stdlib.h>
#include <string.h>

static int total(const int *values, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += values[i]; //@mark sum
  return sum;
}

static int heap(void) {
  int *values = calloc(4, sizeof *values); //@mark heap-made
  int sum = total(values, 5);
  free(values);
  return sum;
}

static int freed(void) {
  int *values = calloc(4, sizeof *values); //@mark freed-made
  free(values); //@mark freed-free
  return values[1]; //@mark freed-read
}

static void release(char *text) {
  free(text); //@mark twice
}

static int twice(void) {
  char *text = malloc(16); //@mark twice-made
  release(text);
  release(text);
  return 0;
}

static int stack(int n) {
  int cells[4] = {0};
  cells[n] = 7; //@mark stack
  return cells[0];
}

static int table[4];

static int global(int n) {
  return table[n]; //@mark global
}

static int *kept;

static void keep(void) {
  int local = 3;
  kept = &local;
}

static int returned(void) {
  keep();
  return *kept; //@mark returned
}

static int copied(void) {
  char *to = malloc(8); //@mark copied-made
  strcpy(to, "eight ch"); //@mark copied
  free(to);
  return 0;
}

static int stray(void) {
  int local = 1;
  free(&local); //@mark stray
  return 0;
}

static int null(int *at) {
  return *at; //@mark null
}

static char *volatile lost;

static int leaked(void) {
  lost = malloc(100); //@mark leaked
  lost = NULL;
  return 0;
}

static int clean(void) {
  int *values = calloc(4, sizeof *values);
  int sum = total(values, 4);
  free(values);
  return sum;
}

int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "clean";
  if (!strcmp(how, "heap")) return heap();
  if (!strcmp(how, "freed")) return freed();
  if (!strcmp(how, "twice")) return twice();
  if (!strcmp(how, "stack")) return stack(argc + 2);
  if (!strcmp(how, "global")) return global(argc + 2);
  if (!strcmp(how, "returned")) return returned();
  if (!strcmp(how, "copied")) return copied();
  if (!strcmp(how, "stray")) return stray();
  if (!strcmp(how, "null")) return null(NULL);
  if (!strcmp(how, "leaked")) return leaked();
  if (!strcmp(how, "exit")) return 3;
  return clean();
}
