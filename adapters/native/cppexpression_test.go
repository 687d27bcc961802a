package native

import (
	"testing"

	"aidb-mcp/adapters/native/build"
)

func TestShortTypes(t *testing.T) {
	json := "nlohmann::basic_json<std::map, std::vector, std::string, bool, long, unsigned long, double, std::allocator, nlohmann::adl_serializer, std::vector<unsigned char>>"
	closure := "main()::<lambda(const std::vector<std::map<std::string, std::pair<int, std::vector<double>>>>&, std::function<void(int, const std::string&)>)>::operator()(int) const"
	for long, want := range map[string]string{
		"std::vector<int>": "std::vector<int>",
		json:               "nlohmann::basic_json<...>",
		closure:            "main()::<lambda(const std::vector<std::map<...>>&, std::function<void(...)>)>::operator()(int) const",
	} {
		if got := shortType(long); got != want {
			t.Errorf("%s\n got %s\nwant %s", long, got, want)
		}
	}
}

func TestReads(t *testing.T) {
	for expr, want := range map[string]bool{
		`m["k"]`: true, "v.size() > 3": true, "sp->id()": true, "*opt": true, `s == "a = b++"`: true, "a <= b": true,
		"f(3)": false, "n = 3": false, "i++": false, "ns::f(v[0])": false, "v[f(1)]": false, "/nat x": false, "a += 1": false,
	} {
		if got := reads(expr); got != want {
			t.Errorf("%s: %v", expr, got)
		}
	}
	c := &common{lang: build.CPP}
	for condition, want := range map[string]bool{
		"i == 5": true, "a.b > 3 && ok": true, "this->n == 2": true, `k == "k7"`: false, "v.size() == 2": false, "a == b": false,
		"p->n == 3": false, "*o == 1": false, "v[0] == 1": false, "i % 7 == 3": true, "!done": true,
	} {
		if got := c.ReadsCondition(condition); got != want {
			t.Errorf("condition %s: %v", condition, got)
		}
	}
}
