// Meters reads amounts from text and adds them up. The last one has the wrong sign.
#include <cctype>
#include <cstdio>
#include <string>
#include <vector>

struct Reading {
    std::string text;
    int value;
};

class Scanner {
public:
    std::vector<Reading> read(const std::string &line) {
        std::vector<Reading> found;
        std::string word;
        found.reserve(32);
        for (char c : line + " ") {
            if (c != ' ') {
                word += c;
                continue;
            }
            if (!word.empty()) found.push_back(Reading{word, number(word)});  //@mark put
            word.clear();
        }
        return found;
    }

private:
    int sign = 1;
    int errors = 0;

    int number(const std::string &word) {
        int value = 0;
        for (char c : word) {
            if (c == '-')
                sign = -1;  //@mark negative
            else if (c == '+')
                sign = 1;
            else if (isdigit(c))
                value = value * 10 + (c - '0');
            else
                errors++;
        }
        int signed_value = sign * value;  //@mark signed
        return signed_value;
    }
};

static int total(const std::vector<Reading> &all) {
    int sum = 0;
    for (const Reading &r : all) sum += r.value;
    return sum;
}

int main() {
    Scanner scanner;
    std::vector<Reading> all = scanner.read("12 7 +30 44 -9 113");
    const Reading &last = all.back();
    int sum = total(all);
    printf("%s is %d of %d\n", last.text.c_str(), last.value, sum);  //@mark meters
}
