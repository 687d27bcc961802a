// Programs that hang, one for each argument. A marked line is where the kernel waits or takes a lock.
#include <pthread.h>
#include <semaphore.h>

#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <shared_mutex>
#include <thread>

struct Account {
    std::mutex mu;
    int balance = 10;
};

static pthread_barrier_t both;

static void transfer(Account *from, Account *to) {
    std::lock_guard<std::mutex> mine(from->mu); // @mark taken
    pthread_barrier_wait(&both);
    std::lock_guard<std::mutex> theirs(to->mu); // @mark wanted
    to->balance += from->balance;
}

// Each of two transfers holds one account and waits for the other.
static void crossed() {
    Account a, b;
    pthread_barrier_init(&both, nullptr, 2);
    std::thread there(transfer, &a, &b);
    std::thread back(transfer, &b, &a);
    there.join(); // @mark joins
    back.join();
}

static pthread_mutex_t ledger = PTHREAD_MUTEX_INITIALIZER;

// A function that holds a mutex takes it again.
static void twice() {
    pthread_mutex_lock(&ledger); // @mark first-time
    pthread_mutex_lock(&ledger); // @mark second-time
}

// The notification came before the wait.
static void notified() {
    std::mutex mu;
    std::condition_variable changed;
    changed.notify_one();
    std::unique_lock<std::mutex> lock(mu);
    changed.wait(lock); // @mark waits-for-notify
}

// A reader waits for a writer that waits for the reader's end.
static void writer() {
    std::shared_mutex table;
    std::unique_lock<std::shared_mutex> writing(table); // @mark writes
    std::thread reader([&] {
        std::shared_lock<std::shared_mutex> reading(table); // @mark reads
    });
    reader.join(); // @mark joins-reader
}

// The places of a semaphore are taken and never given back.
static void places() {
    sem_t slots;
    sem_init(&slots, 0, 2);
    for (int n = 0; n < 3; n++) {
        sem_wait(&slots); // @mark takes-a-place
    }
}

int main(int, char **args) {
    struct {
        const char *name;
        void (*run)();
    } kernels[] = {{"crossed", crossed}, {"twice", twice}, {"notified", notified}, {"writer", writer}, {"places", places}};
    for (auto &k : kernels) {
        if (strcmp(k.name, args[1]) == 0) {
            k.run();
        }
    }
    puts("came to an end");
}
