// Breakpoints on instructions of many kinds, while signals come: each instruction is to do
// what it does without one, once.
#include <csignal>
#include <cstdio>
#include <sys/time.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

static long kept = 0, both = 0;
static volatile sig_atomic_t alarms = 0;
static const char *volatile letters = "abc";

static void every(int microseconds) {
	itimerval t = {{0, microseconds}, {0, microseconds}};
	setitimer(ITIMER_REAL, &t, nullptr);
}

static void alarmed(int) {
	alarms = alarms + 1;
	if (alarms == 200)
		every(0);
}

static void nothing() {}

static int deep(int n) {
	if (n == 0)
		return 0;
	return deep(n - 1) + n; //@mark deep
}

static long looped(int n) {
	long sum = 0;
	int i = 0;
	for (;;) {
		if (i == n)
			break;
		kept += i; //@mark kept
		sum += letters[i % 3] + kept;
		nothing(); //@mark call
		i++;
	}
	return sum;
}

static void side(int n) {
	for (int i = 0; i < n; i++) {
		long mine = i * 3; //@mark mine
		__atomic_add_fetch(&both, mine, __ATOMIC_SEQ_CST);
	}
}

int main(int argc, char **) {
	if (argc > 1)
		return 3;
	signal(SIGALRM, alarmed);
	every(2000);
	int d = deep(20);
	long l = looped(50);
	while (alarms < 5) {
	}
	every(0);
	std::thread one(side, 40), two(side, 40);
	one.join();
	two.join();
	int status = 0;
	if (fork() == 0)
		_exit(deep(3));
	wait(&status);
	printf("%d %ld %ld %ld %d\n", d, l, kept, both, WEXITSTATUS(status)); //@mark told
	fflush(stdout);
	execl("/proc/self/exe", "places", "again", nullptr);
}
