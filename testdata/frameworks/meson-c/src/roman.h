#ifndef ROMAN_H
#define ROMAN_H

/* Writes a number in Roman numerals, and says how long that is. */
int roman(int number, char *text, int size);

#endif
