#include <mutex>
#include <thread>
#include <chrono>
#include <atomic>
std::mutex a, b;
std::atomic<int> both{0};
void take(std::mutex &first, std::mutex &second) {
  std::lock_guard<std::mutex> one(first);
  both++;
  while (both < 2) std::this_thread::yield();
  std::lock_guard<std::mutex> two(second);
}
int main() {
  std::thread one(take, std::ref(a), std::ref(b)), two(take, std::ref(b), std::ref(a));
  std::this_thread::sleep_for(std::chrono::hours(1));
}
