// Orders in JSON: sums them up, or, with "crash", takes a text for a number.
#include <nlohmann/json.hpp>

#include <cstring>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <vector>

using nlohmann::json;

struct Line {
	std::string item;
	double price = 0;
	int count = 0;
};

struct Order {
	std::string customer;
	std::vector<Line> lines;
	std::optional<std::string> note;
};

static const char *text = R"({"orders": [
	{"customer": "Ada", "lines": [{"item": "tea", "price": 4.5, "count": 2}, {"item": "milk", "price": 1.25, "count": 4}], "note": "fast"},
	{"customer": "Bob", "lines": [{"item": "tea", "price": 4.5, "count": 1}]},
	{"customer": "Eve", "lines": [{"item": "rice", "price": "2.5", "count": 3}]}
]})";

static Order read(const json &from)
{
	Order order;
	order.customer = from.at("customer").get<std::string>();
	for (const json &line : from.at("lines"))
		order.lines.push_back({line.at("item").get<std::string>(), line.at("price").get<double>(), line.at("count").get<int>()});
	if (from.contains("note"))
		order.note = from.at("note").get<std::string>();
	return order;
}

int main(int argc, char **argv)
{
	bool crash = argc > 1 && std::strcmp(argv[1], "crash") == 0;
	json document = json::parse(text);
	std::vector<Order> orders;
	std::map<std::string, double> sums;
	size_t wanted = crash ? 3 : 2;
	for (size_t i = 0; i < wanted; i++) {
		orders.push_back(read(document.at("orders").at(i)));
		for (const Line &line : orders.back().lines)
			sums[line.item] += line.price * line.count;
	}
	for (const auto &[item, sum] : sums)
		std::cout << item << " " << sum << "\n";
	std::cout << orders.size() << " orders, first for " << orders[0].customer << ", note " << orders[0].note.value_or("none") << "\n";
	return 0;
}
