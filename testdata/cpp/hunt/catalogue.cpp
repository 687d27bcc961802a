// Catalogue keeps articles side by side, with an index to find them by number.
// The report shows a wrong price for the lamp.
#include <cstdio>
#include <map>
#include <string>
#include <vector>

struct Article {
    int number;
    std::string name;
    int price;
    int stock;
};

class Catalogue {
public:
    void add(int number, const std::string &name, int price, int stock) {
        int slot = (int)articles.size();
        articles.push_back(Article{number, name, price, stock});
        where[number] = slot;  //@mark placed
    }

    // The last article takes the place of the one that goes.
    void remove(int number) {
        int slot = where[number];
        articles[slot] = articles.back();
        articles.pop_back();
        where.erase(number);
    }

    void reprice(int number, int price) {
        int slot = where[number];  //@mark slot
        articles[slot].price = price;  //@mark reprice
    }

    void sell(int number, int count) {
        Article &a = articles[where[number]];
        if (a.stock < count) count = a.stock;
        a.stock -= count;
        sold += count * a.price;
    }

    const Article *named(const std::string &name) const {
        for (const Article &a : articles)
            if (a.name == name) return &a;
        return nullptr;
    }

    int worth() const {
        int sum = 0;
        for (const Article &a : articles) sum += a.price * a.stock;
        return sum;
    }

    std::vector<Article> articles;
    std::map<int, int> where;
    int sold = 0;
};

static void stock(Catalogue &c) {
    c.articles.reserve(16);
    c.add(11, "table", 120, 4);
    c.add(12, "chair", 45, 20);
    c.add(13, "shelf", 80, 6);
    c.add(14, "bed", 300, 2);
    c.add(15, "sofa", 700, 1);
}

static void spring(Catalogue &c) {
    c.remove(12);
    c.add(16, "lamp", 25, 30);
    c.sell(11, 1);
    c.sell(13, 2);
    c.reprice(14, 280);
}

static void sale(Catalogue &c) {
    for (int number : {11, 13}) c.reprice(number, 99);
    c.reprice(15, 650);
}

int main() {
    Catalogue c;
    stock(c);
    spring(c);
    sale(c);
    const Article *lamp = c.named("lamp");
    printf("lamp %d, sold %d, worth %d\n", lamp->price, c.sold, c.worth());  //@mark report
}
