// A till that takes a cent too many off.
#include <stdexcept>
#include <string>
#include <vector>

int total(const std::vector<int>& prices) {
    int sum = 0;
    for (int price : prices) {
        sum += price;
    }
    sum -= 1; //@mark off
    return sum;
}

int main() {
    int got = total({3, 4, 5});
    if (got != 12) {
        throw std::runtime_error("the total is " + std::to_string(got) + ", want 12");
    }
}
