#include "roman.h"

#include <stdio.h>

static const struct {
    int value;
    const char *letters;
} numerals[] = {
    {1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"},
    {40, "XL"},  {10, "X"},   {9, "IX"},  {5, "V"},    {4, "IV"},  {1, "I"},
};

int roman(int number, char *text, int size) {
    int length = 0;
    for (unsigned i = 0; i < sizeof numerals / sizeof *numerals; i++) {
        for (; number >= numerals[i].value; number -= numerals[i].value) {
            length += snprintf(text + length, size - length, "%s", numerals[i].letters);
        }
    }
    return length; // @mark roman
}
