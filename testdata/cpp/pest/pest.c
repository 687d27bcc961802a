// See testdata/go/pest: surrounds itself with processes, ignores signals, stays.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/wait.h>

static int serial = 0; // edited to have it built anew

int main(int argc, char **argv) {
  signal(SIGTERM, SIG_IGN);
  signal(SIGINT, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
  if (argc < 3) return 2;
  pid_t pests = fork();
  if (pests == 0) {
    argv[0] = "sh";
    argv[1] = "pest.sh";
    execvp("sh", argv);
    _exit(127);
  }
  waitpid(pests, NULL, 0);
  printf("ready %d\n", serial);
  fflush(stdout);
  int ticks = 0;
  while (strcmp(argv[1], "exit") != 0 || ticks < 3) {
    ticks++; //@mark stop-c
    usleep(10000);
  }
  return 0;
}
