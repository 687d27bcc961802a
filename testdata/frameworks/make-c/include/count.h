#ifndef COUNT_H
#define COUNT_H

/* The number of words in a text. */
int count_words(const char *text);

#endif
