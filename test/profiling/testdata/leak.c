#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct order { char text[1000]; struct order *next; };
static struct order *kept;
static void remember(int n) {
    struct order *o = malloc(sizeof *o);
    o->text[0] = n;
    o->next = kept;
    kept = o;
}
static void forget(void) { char *t = malloc(5000); t[0] = 1; free(t); }
int main(void) {
    for (int i = 0; i < 2000; i++) {
        remember(i);
        forget();
    }
    char *one = strdup("hello");
    printf("kept=%zu %s\n", 2000 * sizeof(struct order), one);
    return 3;
}
