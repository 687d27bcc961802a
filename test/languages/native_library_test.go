//go:build linux

package languages

import (
	"path/filepath"
	"testing"

	"aidb-mcp/internal/testkit"
)

// library holds a value of each kind that GNU's C++ library has, none of whose
// operators the program itself uses more than it must.
const library = `#include <array>
#include <atomic>
#include <bitset>
#include <chrono>
#include <deque>
#include <forward_list>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <variant>
#include <vector>
struct Inner { int a = 1; std::string s = "in"; };
struct Thing {
  int id_ = 7;
  std::string name = "thing";
  std::optional<Inner> in = Inner{};
  int id() const { return id_ * 10; }
  virtual ~Thing() {}
  virtual int kind() const { return 1; }
};
struct Sub : Thing { int extra = 99; int kind() const override { return 2; } };
enum class Color { Red, Green = 5 };
struct Flex { int n; int data[]; };
struct Wide {
  std::vector<std::string> first;
  std::map<std::string, std::string> second;
  int state;
  bool done;
};
int twice(int n) { return 2 * n; }
int main() {
  std::string s = "hello", longs(5000, 'x');
  for (int i = 0; i < 5000; i++) longs[i] = 'a' + i % 26;
  std::wstring ws = L"wide";
  wchar_t wbuf[8] = L"wide";
  std::vector<int> v{10, 20, 30, 40};
  std::vector<bool> vb{true, false, true};
  std::array<int, 3> arr{1, 2, 3};
  std::deque<int> dq;
  for (int i = 0; i < 300; i++) dq.push_back(i);
  std::list<std::string> li{"x", "y"};
  std::forward_list<int> fl{1, 2, 3};
  std::map<std::string, int> m{{"k", 1}, {"z", 26}};
  std::map<int, std::string> mi{{3, "three"}, {1, "one"}};
  std::unordered_map<int, std::string> um{{3, "drei"}, {7, "sieben"}, {9, "neun"}, {11, "elf"}, {1, "eins"}};
  std::map<int, int> big;
  for (int i = 0; i < 12000; i++) big[i] = i * 2;
  std::set<int> st{5, 3, 1};
  std::optional<std::string> os = "some", on;
  std::variant<int, std::string> va = "var";
  std::tuple<int, std::string, double> t{1, "two", 3.5};
  std::pair<int, std::string> pr{4, "four"};
  auto sp = std::make_shared<Thing>();
  std::shared_ptr<Thing> sub = std::make_shared<Sub>();
  std::unique_ptr<int> nul;
  Thing *base = sub.get();
  std::span<int> spn(v);
  std::bitset<10> bs(0x2a5);
  std::chrono::milliseconds d{1500};
  std::atomic<int> at{42};
  std::function<int(int)> fn = twice;
  int mat[2][3] = {{1, 2, 3}, {4, 5, 6}};
  unsigned char uc = 200;
  Flex *fx = (Flex *)malloc(sizeof(Flex) + 16);
  for (int i = 0; i < 4; i++) fx->data[i] = i * 7;
  const char *cs = "text", *bad = (const char *)0x1234;
  __int128 i128 = ((__int128)1 << 100) + 7;
  float f = 0.1f;
  unsigned u = 4000000000u;
  int neg = -7;
  Color col = Color::Green;
  auto it = m.find("k");
  Wide wide;
  for (int i = 0; i < 40; i++) wide.first.push_back("a long string"), wide.second["key " + std::to_string(i)] = "value";
  wide.state = 3;
  wide.done = true;
  std::string k = "";
  int last = 0;
  for (int i = 0; i < 20; i++) {
    k = "k" + std::to_string(i);
    last = i; // the condition
  }
  return sp->id() + base->kind() + fn(2) + last - 95;
}
`

// shown are lines of variables; read are expressions and their values. Both are
// the same whatever the debugger.
var (
	shown = map[string]string{
		"vb": "size=3 {true, false, true}", "dq": "size=300 {0, 1, 2,", "fl": "size=3 {1, 2, 3}", "um": "size=5 {", "st": "size=3 {1, 3, 5}",
		"va": `std::string: "var"`, "t": `{1, "two", 3.5}`, "spn": "size=4 {10, 20, 30, 40}", "bs": "1010100101", "d": "1500ms", "at": "42",
		"mat": "{{1, 2, 3}, {4, 5, 6}}", "uc": "200", "wbuf": `L"wide"`, "bad": "0x1234 <unreadable>", "wide": "{state:3, done:true, ",
		"sub": `name:"thing"`, "on": "nullopt", "nul": "nullptr", "arr": "size=3 {1, 2, 3}",
	}
	read = map[string]string{
		`m["k"]`: "1", `m.at("z")`: "26", "v.size()": "4", "v.empty()": "false", "v.back()": "40", "*os": `"some"`, "on.has_value()": "false",
		"sp->name": `"thing"`, "sp->id()": "70", "sub->kind()": "2", "base->kind()": "2", "base->extra": "99", `s == "hello"`: "true",
		"s.substr(1, 3)": `"ell"`, "std::get<1>(t)": `"two"`, "std::get<std::string>(va)": `"var"`, "um[3]": `"drei"`, "mi[3]": `"three"`,
		"pr.first": "4", `v.size() > 3 && s == "hello"`: "true", "!os": "false", `os == "some"`: "true", "v[0] + v[1] * 2": "50",
		"v.size() - 5": "18446744073709551615", "neg / 2": "-3", "u + 1": "4000000001", "col == Color::Green": "true", "big[11999]": "23998",
		`strcmp(cs, "text") == 0`: "true", "sp.get() == nullptr": "false", "nul == nullptr": "true", "mat[1][2]": "6", "fx->data[3]": "21",
		"it->second": "1", "sp->in->s": `"in"`, "on.has_value() && on->size() > 3": "false", "f == 0.1": "false", "at + 1": "43", "d.count()": "1500",
		"i128 + 1": "1267650600228229401496703205384", "twice(4)": "8", "ws.size()": "4", "bs.count()": "5", "longs.substr(4990)": `"yzabcdefgh"`,
		`m.contains("nope")`: "false", "li.front()": `"x"`, "st.count(5)": "1", "spn[1]": "20", `wide.second["key 5"]`: `"value"`, "fl.size()": "3",
	}
	unread = map[string]string{
		"*on": "nullopt", "um[99]": "there is no key 99", "v[10]": "out of bounds", `cs == "text"`: "strcmp", "nosuch.size()": "nosuch",
	}
)

// TestNativeLibrary: values of the library are shown alike by all debuggers, and
// what they hold is read by expressions that the program has not instantiated.
func TestNativeLibrary(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "library.cpp"), library, 0o644)
	run(t, dir, "g++", "-g", "-O0", "-std=c++20", "-o", "library", "library.cpp")
	for _, debugger := range viewers() {
		t.Run(debugger, func(t *testing.T) {
			t.Parallel()
			s := testkit.Start(t, testkit.Options{Dir: dir, Env: withGDB()})
			s.OK("session_start", A{
				"target": "library", "adapter_options": A{"debugger": debugger}, "timeout_ms": startLimit,
				"breakpoints": []A{{"file": "library.cpp", "line": 88, "condition": `k == "k7"`}},
			}).Stopped("stopped_at_breakpoint", "library.cpp:88")
			s.OK("inspect", A{"expression": "i"}).Want("7", "data", "result", "v")
			locals := s.OK("inspect", A{"target": "locals", "count": 100})
			for name, want := range shown {
				locals.Contains([]string{"data", "locals", name, "v"}, want)
			}
			for expression, want := range read {
				s.OK("inspect", A{"expression": expression}).Want(want, "data", "result", "v")
			}
			for expression, why := range unread {
				s.Fail("EVALUATION_FAILED", "inspect", A{"expression": expression}).Contains([]string{"error", "message"}, why)
			}
			s.OK("inspect", A{"expression": "mat"}).Want("2", "data", "result", "n")
			s.OK("inspect", A{"expression": "big", "start": 11998, "count": 5}).Want("23998", "data", "result", "children", "[11999]", "v")
			s.OK("inspect", A{"expression": "longs", "start": 4990, "count": 10}).Contains([]string{"data", "result", "v"}, "yzabcdefgh")
		})
	}
}
