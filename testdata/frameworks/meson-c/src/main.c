#include "roman.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    char text[32];
    roman(argc > 1 ? atoi(argv[1]) : 2026, text, sizeof text);
    puts(text);
    return 0;
}
