// Kernels of threads: such that race, and such that do not.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static int counter;
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;

static void *count(void *unused) {
  counter++; //@mark count
  return unused;
}

static void *countLocked(void *unused) {
  pthread_mutex_lock(&first);
  counter++;
  pthread_mutex_unlock(&first);
  return unused;
}

static void *fill(void *cells) {
  ((int *)cells)[1] = 2; //@mark fill
  return NULL;
}

static void *forth(void *unused) {
  pthread_mutex_lock(&first);
  pthread_mutex_lock(&second); //@mark forth
  pthread_mutex_unlock(&second);
  pthread_mutex_unlock(&first);
  return unused;
}

static void *back(void *unused) {
  pthread_mutex_lock(&second);
  pthread_mutex_lock(&first); //@mark back
  pthread_mutex_unlock(&first);
  pthread_mutex_unlock(&second);
  return unused;
}

static void both(void *(*a)(void *), void *(*b)(void *), void *with) {
  pthread_t one, two;
  pthread_create(&one, NULL, a, with); //@mark one
  pthread_create(&two, NULL, b, with); //@mark two
  pthread_join(one, NULL);
  pthread_join(two, NULL);
}

// order takes the locks in both orders, one after the other: it does not hang.
static void order(void) {
  pthread_t one;
  pthread_create(&one, NULL, forth, NULL);
  pthread_join(one, NULL);
  back(NULL);
}

int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "clean";
  int *cells = calloc(4, sizeof *cells); //@mark cells
  if (!strcmp(how, "race")) both(count, count, NULL);
  if (!strcmp(how, "heap")) both(fill, fill, cells);
  if (!strcmp(how, "order")) order();
  if (!strcmp(how, "clean")) both(countLocked, countLocked, NULL);
  free(cells);
  return 0;
}
