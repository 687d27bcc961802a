#include "roman.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char text[32];
    int largest = atoi(getenv("ROMAN_LARGEST"));
    assert(roman(largest, text, sizeof text) == 9);
    assert(strcmp(text, "MMMCMXCIX") == 0);
    return 0;
}
