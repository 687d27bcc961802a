#include "count.h"

#include <stdio.h>

int main(int argc, char **argv) {
    const char *name = argc > 1 ? argv[1] : "README";
    char text[4096] = "";
    FILE *file = fopen(name, "r");
    if (!file) {
        perror(name);
        return 1;
    }
    size_t read = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    printf("%s: %zu bytes, %d words\n", name, read, count_words(text));
    return 0;
}
