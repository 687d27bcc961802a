// Ledger is a program whose values come from elsewhere, for questions about how.
#include <cstddef>
#include <cstdio>
#include <map>
#include <string>
#include <thread>
#include <vector>

struct Account {
    std::string owner;
    int balance;
};

std::map<std::string, int> rates = {{"low", 1}, {"high", 7}};  //@mark rates
int payments = 0;

int fee(int rate, int amount) {
    int cut = amount * rate / 10;  //@mark cut
    return cut;  //@mark returned
}

struct Book {
    std::map<std::string, Account *> accounts;
    std::vector<int> limits = std::vector<int>(100);
    int fees = 0;

    void pay(const std::string &name, int amount) {
        Account *account = accounts[name];
        int part = fee(rates["high"], amount);  //@mark fee
        account->balance -= amount + part;  //@mark balance
        fees += part;  //@mark fees
        payments += 1;  //@mark payments
    }

    void elsewhere(int gift) {
        std::vector<std::thread> threads;
        for (const char *name : {"ann", "bob", "carol"})
            threads.emplace_back([this, gift, name] {
                Account *account = accounts.at(name);
                account->balance += gift;  //@mark thread
            });
        for (auto &t : threads) t.join();
    }
};

// Goes wrong in one round of many.
void spread(std::vector<int> &limits) {
    for (int i = 0; i < (int)limits.size(); i++) {
        int limit = i * 2;
        if (i == 70) limit = -limit;
        limits[i] = limit;  //@mark element
    }
}

int fib(int n) {
    if (n < 2) return n;
    return fib(n - 1) + fib(n - 2);
}

int main(int argc, char **argv) {
    Book book;
    for (const char *name : {"ann", "bob", "carol"}) book.accounts[name] = new Account{name, 100};
    int counter = 0;
    auto count = [&counter](int n) {
        counter += n;  //@mark captured
    };
    book.elsewhere(5);
    for (int i = 1; i < 4; i++) {
        book.pay("bob", i * 10);  //@mark pay
        count(i);
    }
    spread(book.limits);
    Book &again = book;
    again.fees = fib(argc + 5);  //@mark alias
    Account dan{"dan", 1};
    *reinterpret_cast<int *>(reinterpret_cast<char *>(&dan) + offsetof(Account, balance)) = 9;  //@mark reflected
    Account *bob = book.accounts["bob"];
    int left = bob->balance;  //@mark left
    int seen = left;  //@mark seen
    printf("%d %d %d %d %d %d\n", seen, counter, book.limits[70], book.fees, payments, book.accounts["ann"]->balance);  //@mark check
}
