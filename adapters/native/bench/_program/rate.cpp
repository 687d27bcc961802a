#include <cstdio>
#include <cstdlib>

long run(long n) {
  long total = 0;
  for (long i = 0; i < n; i++) {
    total += i;
  }
  return total;
}

int main(int, char **argv) {
  printf("%ld\n", run(atol(argv[1])));
}
