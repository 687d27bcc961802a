#include <stdlib.h>
#include <unistd.h>

extern int hits; /* as a header has it: where it lies its name does not stand, then */
int hits;

__attribute__((noinline)) int leaf(int n) {
    hits += n;
    return n * 3;
}

__attribute__((noinline)) int middle(int n) {
    int made = leaf(n + 1);
    return made + 1;
}

__attribute__((noinline)) int down(int n) {
    if (n == 0)
        return middle(n) + 1;
    return down(n - 1) + 1;
}

static int compare(const void *a, const void *b) {
    return leaf(*(const int *)a) - *(const int *)b;
}

int main(void) {
    for (;;) {
        int list[] = {2, 1};
        middle(1);
        down(40);
        qsort(list, 2, sizeof list[0], compare);
        usleep(1000);
    }
}
