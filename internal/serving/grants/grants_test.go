package grants

import (
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	f, err := Parse([]byte(`{"ada":{"tools":["step"],"calls-per-minute":7},"*":{"read-only":true}}`))
	if err != nil {
		t.Fatal(err)
	}
	if g := f.Of("ada"); !g.Allows("step") || g.Allows("diagnose") || g.Calls != 7 || g.ReadOnly {
		t.Errorf("ada: %+v", g)
	}
	if g := f.Of("bob"); !g.Allows("diagnose") || !g.ReadOnly {
		t.Errorf("bob: %+v", g)
	}
	var none *Current
	if g := none.Of("ada"); !g.Allows("step") || g.ReadOnly {
		t.Errorf("nobody's: %+v", g)
	}
	c := &Current{}
	c.Renew(f)
	if c.Of("ada").Calls != 7 || !c.Of("eve").ReadOnly {
		t.Error("what counts is not what was read")
	}
}

func TestWhatIsRefused(t *testing.T) {
	for text, says := range map[string]string{
		``:                                 "want an object",
		`null`:                             "principals",
		`[]`:                               "want an object",
		`{"ada":{"read_only":true}}`:       "read_only",
		`{"ada":{"read-only":"yes"}}`:      "read-only",
		`{"ada":{"allow-root":[]}}`:        `"ada": allow-root`,
		`{"ada":{"tools":[""]}}`:           `"ada": tools`,
		`{"ada":{"tools":[]}}`:             `"ada": tools`,
		`{"ada":{"workers":-1}}`:           "workers",
		`{"ada":{"calls-per-minute":1e9}}`: "calls-per-minute",
		`{"ada":{}} {"eve":{}}`:            "more behind",
	} {
		if f, err := Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, %v", text, f, err)
		}
	}
}
