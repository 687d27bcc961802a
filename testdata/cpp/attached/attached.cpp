// Somebody's production: two threads do some work 500 times a second each, and a
// server answers each line with how far they are.
#include <arpa/inet.h>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

volatile long counter;
static std::atomic<long> counts[2];

__attribute__((noinline)) long work(long n) {
  counter = n + 1; //@mark hot
  return n + 1;
}

__attribute__((noinline)) void risk(long n) {
  if (n % 50 == 0)
    throw std::runtime_error("thrown at " + std::to_string(n));
}

static void count(int i) {
  for (long n = 0;;) {
    n = work(n);
    try {
      risk(n);
    } catch (const std::runtime_error &) {
    }
    counts[i] = n;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

static void answer(int fd) {
  std::string line;
  for (char c; read(fd, &c, 1) == 1;) {
    if (c != '\n') {
      line += c;
      continue;
    }
    line += ' ' + std::to_string(counts[0]) + ' ' + std::to_string(counts[1]) + '\n';
    if (write(fd, line.data(), line.size()) < 0)
      break;
    line.clear();
  }
  close(fd);
}

int main() {
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof at;
  int server = socket(AF_INET, SOCK_STREAM, 0);
  auto address = reinterpret_cast<sockaddr *>(&at);
  if (bind(server, address, size) || listen(server, 8) || getsockname(server, address, &size)) {
    perror("listen");
    return 1;
  }
  for (int i = 0; i < 2; i++)
    std::thread(count, i).detach();
  printf("port %d\n", ntohs(at.sin_port));
  fflush(stdout);
  for (;;) {
    int fd = accept(server, nullptr, nullptr);
    if (fd >= 0)
      std::thread(answer, fd).detach();
  }
}
