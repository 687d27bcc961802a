#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Words that somebody writes, for as long as somebody watches. */

struct node {
  int weight;
  long count;
};

struct table {
  long number;
  short kinds[4];
  char city[24];
};

long ticks;
long born;
unsigned char small;
double share;
struct table table;
struct pair {
  long cleared, beside;
  char after[64]; /* libc reaches as far */
} pair;
volatile size_t half = sizeof(long);
struct node *head, *none;
const char *name = "tea";
__thread long own;

static int calls(void) {
  static int made;
  made += 1; /* made */
  return made;
}

static void *live(void *number) {
  own = (long)number;
  born = own; /* born */
  return NULL;
}

static void tick(void) {
  ticks++; /* ticks */
  table.kinds[2] = (short)(ticks % 1000);
  head->count -= 3; /* count */
  small--;
  share = (double)ticks / 4;
  name = ticks % 2 ? "tea" : "coffee";
}

static void rename_city(void) {
  char with[24];
  memset(with, (int)(ticks % 26) + 'a', sizeof with);
  pair.beside = ticks; /* beside */
  memset(&pair, 0, half);
  memcpy(&table.city, with, (size_t)calls() % 8 + 16); /* city */
}

/* A process that was forked writes to memory of its own. */
static void forked(void) {
  pid_t child = fork();
  if (child == 0) {
    ticks = -1;
    _exit(0);
  }
  if (child > 0) waitpid(child, NULL, 0);
}

int main(int argc, char **argv) {
  useconds_t pause = argc > 1 ? (useconds_t)atoi(argv[1]) : 1000;
  head = calloc(1, sizeof *head);
  for (long n = 1;; n++) {
    pthread_t thread;
    tick();
    rename_city();
    if (n % 16 == 0) forked();
    if (pthread_create(&thread, NULL, live, (void *)n) == 0) pthread_join(thread, NULL);
    if (pause) usleep(pause);
  }
}
