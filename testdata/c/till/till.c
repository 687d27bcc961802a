// A till that takes a cent too many off.
#include <assert.h>
#include <stdlib.h>

int total(const int *prices, int count) {
    int sum = 0;
    for (int i = 0; i < count; i++) {
        sum += prices[i];
    }
    sum -= 1; //@mark off
    return sum;
}

int main(void) {
    int prices[] = {3, 4, 5};
    int got = total(prices, 3);
    assert(got == 12);
}
