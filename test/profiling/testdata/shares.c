/* Spends a second of processor time, or all that there is, and says by its own clock on what. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static volatile unsigned long sink;

static double used(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static inline unsigned long mix(unsigned long h, unsigned long i) {
    return (h ^ i) * 1099511628211ul; /* mixes */
}

__attribute__((noinline)) static void stir(unsigned long n) {
    unsigned long h = 1;
    for (unsigned long i = 0; i < n; i++)
        h = mix(h, i);
    sink += h;
}

__attribute__((noinline)) static void heavy(void) {
    stir(2000000);
    sink++;
}

__attribute__((noinline)) static void light(void) {
    stir(600000);
    sink++;
}

__attribute__((noinline)) static unsigned long fib(int n) {
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

static void *serve(void *unused) {
    for (;;) {
        heavy();
        light();
    }
    return unused;
}

int main(int argc, char **argv) {
    double h = 0, l = 0, f = 0;
    if (argc > 1) {
        pthread_t other;
        pthread_create(&other, NULL, serve, NULL);
        serve(NULL);
    }
    while (h + l + f < 1.2) {
        double t = used();
        heavy();
        h += used() - t;
        t = used();
        light();
        l += used() - t;
        t = used();
        sink += fib(22);
        f += used() - t;
    }
    printf("heavy=%.2f light=%.2f fib=%.2f\n", 100 * h / (h + l + f), 100 * l / (h + l + f), 100 * f / (h + l + f));
    return 3;
}
