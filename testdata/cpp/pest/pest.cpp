// See testdata/go/pest: surrounds itself with processes, ignores signals, stays.
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <string>
#include <thread>

static int serial = 0; // edited to have it built anew

int main(int argc, char **argv) {
  for (int number : {SIGTERM, SIGINT, SIGHUP}) std::signal(number, SIG_IGN);
  if (argc < 3) return 2;
  std::string mode = argv[1], command = "sh pest.sh";
  for (int i = 2; i < argc; i++) command += std::string(" ") + argv[i];
  if (std::system(command.c_str()) != 0) return 3;
  std::cout << "ready " << serial << std::endl;
  int ticks = 0;
  while (mode != "exit" || ticks < 3) {
    ticks++; //@mark stop
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return 0;
}
