#include "count.h"

#include <ctype.h>

int count_words(const char *text) {
    int words = 0;
    int inside = 0;
    for (; *text; text++) {
        int letter = !isspace((unsigned char)*text);
        words += letter && !inside;
        inside = letter;
    }
    return words; // @mark count
}
