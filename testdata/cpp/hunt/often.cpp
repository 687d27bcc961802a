#include <cassert>
#include <memory>
#include <vector>

// What is wrong was written once, after very many writes that were right.
struct Account {
    long fee = 0;
    long total = 0;
};

static long rate;
static std::vector<std::unique_ptr<Account>> accounts;

static void load() {
    rate = 3;  //@mark oftenload
}

static void pay(Account &account, long cents) {
    account.fee = cents;
    account.total = account.fee;  //@mark oftenpay
}

static void settle(Account &account) {
    account.fee = rate;           //@mark oftenfee
    account.total = account.fee;  //@mark oftensettle
}

int main() {
    for (int i = 0; i < 3; i++) accounts.push_back(std::make_unique<Account>());
    load();
    Account *second = accounts[1].get();
    for (long i = 0; i < 300000; i++) pay(*accounts[i % 3], i);
    settle(*second);
    for (long i = 0; i < 300; i++) pay(*accounts[i % 2 * 2], i);
    assert(second->total == 299998);  //@mark oftenwrong
    return 0;
}
