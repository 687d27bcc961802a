// Somebody's production: two threads do some work 500 times a second each, and a
// server answers each line with how far they are.
#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

volatile long counter;
static volatile long counts[2];

__attribute__((noinline)) long work(long n) {
  counter = n + 1; //@mark hot-c
  return n + 1;
}

static void *count(void *which) {
  volatile long *mine = which;
  struct timespec pause = {0, 2000000};
  for (long n = 0;;) {
    n = work(n);
    *mine = n;
    nanosleep(&pause, NULL);
  }
  return NULL;
}

static void *answer(void *arg) {
  int fd = (int)(long)arg;
  FILE *in = fdopen(fd, "r");
  char line[64], reply[160];
  while (fgets(line, sizeof line, in)) {
    line[strcspn(line, "\n")] = 0;
    int n = snprintf(reply, sizeof reply, "%s %ld %ld\n", line, counts[0], counts[1]);
    if (write(fd, reply, n) != n)
      break;
  }
  fclose(in);
  return NULL;
}

int main(void) {
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
  socklen_t size = sizeof at;
  int server = socket(AF_INET, SOCK_STREAM, 0);
  if (bind(server, (struct sockaddr *)&at, size) || listen(server, 8) || getsockname(server, (struct sockaddr *)&at, &size)) {
    perror("listen");
    return 1;
  }
  pthread_t thread;
  for (int i = 0; i < 2; i++)
    pthread_create(&thread, NULL, count, (void *)&counts[i]);
  printf("port %d\n", ntohs(at.sin_port));
  fflush(stdout);
  for (;;) {
    int fd = accept(server, NULL, NULL);
    if (fd >= 0)
      pthread_create(&thread, NULL, answer, (void *)(long)fd);
  }
}
