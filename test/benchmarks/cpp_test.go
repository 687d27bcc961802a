//go:build linux

package benchmarks

import (
	"fmt"
	"strings"

	"aidb-mcp/internal/testkit/registry"
)

// cpp are headers of Debian.
var cpp = set{
	Name: "cpp", By: []string{"cpp_test.go"}, Language: "C++", Title: "utf8cpp 3.2.3 and picojson 1.3.0, with planted faults",
	Make: func(m *maker) []program { return m.check(inCpp, cppSubjects...) },
}

var (
	utf8cpp  = registry.Pin{From: registry.Debian, Name: "libutfcpp-dev=3.2.3-1", Sum: "4efe072571dfce7855f9aacce168ce4886f5af192a7294ca258b1ebf7ac4e71f"}
	picojson = registry.Pin{From: registry.Debian, Name: "picojson-dev=1.3.0+git20210118.111c9be-2", Sum: "786b1d82e807c79a475582d1a1b830df459635183be0abb4eeaea98e3f2ffc2f"}
)

var cppSubjects = []subject{
	{
		Name: "utf8core", Pin: utf8cpp, Keep: 7,
		Files: []string{"usr/include/utf8cpp/utf8/core.h", "usr/include/utf8cpp/utf8/checked.h", "usr/include/utf8cpp/utf8/unchecked.h", "usr/include/utf8cpp/utf8/cpp11.h", "usr/include/utf8cpp/utf8/cpp17.h", "usr/include/utf8cpp/utf8.h"},
		Calls: []string{`valid("plain")`, `valid("\xc3\xbc\xe2\x82\xac")`, `valid("\xf0\x9f\x99\x82 x")`, `invalid("ab\xff")`, `invalid("\xc3\xbc\xc0\xaf")`, `invalid("\xe2\x82")`, `first("\xe2\x82\xac")`, `first("\xf0\x9f\x99\x82")`, `length("gr\xc3\xbc\xc3\x9f")`},
	},
	{
		Name: "utf8checked", Pin: utf8cpp, Keep: 6,
		Files: []string{"usr/include/utf8cpp/utf8/checked.h", "usr/include/utf8cpp/utf8/core.h", "usr/include/utf8cpp/utf8/unchecked.h", "usr/include/utf8cpp/utf8/cpp11.h", "usr/include/utf8cpp/utf8/cpp17.h", "usr/include/utf8cpp/utf8.h"},
		Calls: []string{`length("gr\xc3\xbc\xc3\x9f")`, `first("\xe2\x82\xac")`, `appended(0x7f)`, `appended(0x20ac)`, `appended(0x1f642)`, `units("a\xc3\xbc\xf0\x9f\x99\x82")`, `after("\xe2\x82\xac\xc3\xbc", 1)`, `mended("a\xff" "b")`},
	},
	{
		Name: "picojson", Pin: picojson, Keep: 8, Files: []string{"usr/include/picojson.h"}, Where: `(?s)class input.*`,
		Calls: []string{`again("[1, 2.5, -3]")`, `again("{\"a\": [true, null], \"b\": \"x\\ty\"}")`, `again(" [ ] ")`, `again("[1,")`, `again("\"\\u00411\"")`, `again("{\"k\" : {\"l\": 1e3}}")`, `again("nul")`},
	},
}

const cppPrelude = `#include <cassert>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <string>
`

var cppCallers = map[string]string{
	"utf8": `#include "utf8cpp/utf8.h"

typedef std::string text;
bool valid(const text& s) { return utf8::is_valid(s.begin(), s.end()); }
long invalid(const text& s) { return utf8::find_invalid(s.begin(), s.end()) - s.begin(); }
long first(const text& s) { text::const_iterator at = s.begin(); return utf8::next(at, s.end()); }
long length(const text& s) { return utf8::distance(s.begin(), s.end()); }
long appended(unsigned point) { text s; utf8::append(point, std::back_inserter(s)); return s.size() * 1000 + (unsigned char)s[0]; }
long units(const text& s) { std::u16string w; utf8::utf8to16(s.begin(), s.end(), std::back_inserter(w)); return w.size(); }
long after(const text& s, int n) { text::const_iterator at = s.begin(); utf8::advance(at, n, s.end()); return at - s.begin(); }
long mended(const text& s) { text w; utf8::replace_invalid(s.begin(), s.end(), std::back_inserter(w)); return w.size(); }
`,
	"picojson": `#include "picojson.h"

std::string again(const std::string& text) {
  picojson::value v;
  std::string problem = picojson::parse(v, text);
  return problem.empty() ? v.serialize() : problem;
}
`,
}

var inCpp = language{
	Probe:  probeCpp,
	Run:    []string{"sh", "-c", "g++ -w -o probe probe.cpp && timeout 10 ./probe"},
	Raised: func(string) (raised, message, place string) { return "", "", "" }, // it does not print where
	Forms: []form{
		{Name: "assert", Check: checkCpp("assert(CALL == WANT);", false), Verdict: "signal", Raised: "SIGABRT"},
		{Name: "thrown", Check: checkCpp("if (got != WANT) throw std::runtime_error(\"wrong answer\");", true), Verdict: "exception", Raised: "runtime_error", Message: "wrong answer"},
		{Name: "abort", Check: checkCpp("if (got != WANT) std::abort();", true), Verdict: "signal", Raised: "SIGABRT"},
	},
}

func layCpp(s subject, sources []string) map[string]string {
	files := map[string]string{}
	for i, file := range s.Files {
		files[strings.TrimPrefix(file, "usr/include/")] = sources[i]
	}
	return files
}

// callers are the functions that call the subject.
func callers(s subject) string {
	for name, text := range cppCallers {
		if strings.HasPrefix(s.Name, name) {
			return cppPrelude + text
		}
	}
	return cppPrelude
}

func probeCpp(s subject, sources []string) map[string]string {
	all := []string{callers(s),
		"void put(long v) { std::cout << \"=> \" << v << std::endl; }", "void put(bool v) { std::cout << \"=> \" << (v ? \"true\" : \"false\") << std::endl; }",
		"void put(const std::string& v) {", "  std::cout << \"=> \\\"\";",
		"  for (size_t i = 0; i < v.size(); i++) { if (v[i] == '\"' || v[i] == '\\\\') std::cout << '\\\\'; std::cout << v[i]; }", "  std::cout << '\"' << std::endl;", "}",
		"int main() {", "  std::cout << \"" + started + "\" << std::endl;"}
	for _, call := range s.Calls {
		all = append(all, "  put("+call+");")
	}
	files := layCpp(s, sources)
	files["probe.cpp"], _ = lines(append(all, "}")...)
	return files
}

func checkCpp(check string, local bool) func(s subject, sources, calls, wants []string) checked {
	return func(s subject, sources, calls, wants []string) checked {
		all := append(strings.Split(callers(s), "\n"), "int main() {")
		left := calls[len(calls)-1]
		for i, call := range calls {
			if local {
				all, left = append(all, "  {", "  auto got = "+call+";"), "got"
			}
			all = append(all, "@  "+filled(check, call, wants[i]))
			if local {
				all = append(all, "  }")
			}
		}
		text, at := lines(append(all, "  return 0;", "}")...)
		files := layCpp(s, sources)
		files["check.cpp"] = text
		return checked{Files: files, Question: map[string]any{"target": "check.cpp"}, Place: fmt.Sprintf("check.cpp:%d", at), Left: left, Right: wants[len(calls)-1]}
	}
}
