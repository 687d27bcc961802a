package native

import (
	"testing"

	godap "github.com/google/go-dap"
)

func TestPlainType(t *testing.T) {
	t.Parallel()
	for from, want := range map[string]string{
		"int": "int",
		"std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >": "std::string",
		"std::vector<int, std::allocator<int> >":                                          "std::vector<int>",
		"std::vector<std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char>>, std::allocator<std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char>>>> const&": "std::vector<std::string> const&",
		"std::map<std::string, int, std::less<std::string >, std::allocator<std::pair<std::string const, int> > >":                                                                                           "std::map<std::string, int>",
		"value(Stock&, std::unique_ptr<A, std::default_delete<A> >, std::unordered_map<int, A, std::hash<int>, std::equal_to<int>, std::allocator<std::pair<int const, A>>>)":                                "value(Stock&, std::unique_ptr<A>, std::unordered_map<int, A>)",
		"std::vector<int, std::allocator<int": "std::vector<int, std::allocator<int", // cut short somewhere
		"std::string_view":                    "std::string_view",
	} {
		if got := plainType(from); got != want {
			t.Errorf("plainType(%q) = %q, want %q", from, got, want)
		}
	}
}

func TestIsForeign(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"counter": false, "::counter": false, "shop::limit": false, "stdlib::x": false, "tour::counter": false, "__mine": false,
		"std::__ioinit": true, "__pstl::execution::v1::par": true, "core::fmt::X": true,
		"<std::io::error::Error as core::fmt::Debug>::{vtable}": true,
	} {
		if isForeign("Globals", name) != want {
			t.Errorf("isForeign(%q) is not %v", name, want)
		}
	}
	if isForeign("Locals", "std::x") {
		t.Error("a local variable is foreign")
	}
}

// TestFullLength: a text's length is that of the text, not of how it is written.
func TestFullLength(t *testing.T) {
	c := &common{}
	for value, want := range map[string]int{
		`"abc"...+7 more`: 10, `"a\n\"b"...+6 more`: 10, `"abc"`: 0, `12`: 0,
	} {
		if got := c.FullLength(godap.Variable{Value: value}); got != want {
			t.Errorf("%s: %d, want %d", value, got, want)
		}
	}
	if got := rustType("core::option::Option<char>"); got != "Option<char>" {
		t.Error(got)
	}
}
