package responses

import (
	"strings"
	"testing"
)

// What a stack leaves out is counted where it is, and again where the budget cuts the rest.
func TestFramesThatAreLeftOutAreCounted(t *testing.T) {
	d := &Diagnosis{Frames: []UserFrame{{At: "a.go:1"}, {At: "a.go:2", LeftOut: 7}, {At: "a.go:3", More: true}}}
	var p page
	for _, f := range d.Frames {
		f.write(&p)
	}
	if text := string(p.b); !strings.Contains(text, "a.go:2\n… 7 more\na.go:3\n… more") {
		t.Errorf("it says %q", text)
	}
	d.trimFrames(1)(1000)
	if o := d.omissions(); len(o) != 1 || o[0].Shown != 1 || o[0].Total != 10 {
		t.Errorf("omitted are %+v", o)
	}
}
