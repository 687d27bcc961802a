// Tariffs are copied for each customer, and changed for some. The invoice of a customer
// without a discount is too low.
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

struct Steps {
    int limits[4];
    int rates[4];
};

struct Tariff {
    std::string name;
    std::shared_ptr<Steps> steps;
    int base;

    int cost(int used) const {
        int cost = base, from = 0;
        for (int i = 0; i < 4; i++) {
            int to = steps->limits[i] < used ? steps->limits[i] : used;
            if (to > from) cost += (to - from) * steps->rates[i];
            from = to;
        }
        return cost;
    }
};

struct Customer {
    std::string name;
    Tariff tariff;
    int used;
    bool loyal;
};

static Tariff standard() {
    auto steps = std::make_shared<Steps>();
    for (int i = 0; i < 4; i++) {
        steps->limits[i] = 100 * (i + 1);
        steps->rates[i] = 9 - i;
    }
    return Tariff{"standard", steps, 50};
}

static void discount(Customer &c, int step, int percent) {
    int &rate = c.tariff.steps->rates[step];
    rate -= rate * percent / 100;  //@mark discount
}

static void reward(std::vector<Customer> &all) {
    for (Customer &c : all)
        if (c.loyal) discount(c, 1, 50);
}

static Customer *find(std::vector<Customer> &all, const std::string &name) {
    for (Customer &c : all)
        if (c.name == name) return &c;
    return nullptr;
}

int main() {
    Tariff usual = standard();
    std::vector<Customer> all;
    int used = 120;
    for (const char *name : {"ann", "bob", "carol", "dave"}) {
        all.push_back(Customer{name, usual, used, std::string(name) == "carol"});
        used += 45;
    }
    reward(all);
    Customer *bob = find(all, "bob");
    int rate = bob->tariff.steps->rates[1];
    int due = bob->tariff.cost(bob->used);
    printf("%s pays %d at %d\n", bob->name.c_str(), due, rate);  //@mark invoice
}
