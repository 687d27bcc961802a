package money

import "testing"

func TestParse(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       int
	}{
		{"whole", "12", 1200},
		{"one part", "12.5", 1250},
		{"cents", "12.75", 1275},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, err := Parse(c.text); err != nil || got != c.want { // @mark case
				t.Errorf("%s is %d, %v", c.text, got, err)
			}
		})
	}
}

func BenchmarkParse(b *testing.B) {
	for range b.N {
		cents, err := Parse("1234.56")
		if cents != 123456 || err != nil { // @mark bench
			b.Fatal(cents, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("0")
	f.Add("7.25")
	f.Fuzz(func(t *testing.T, text string) {
		cents, err := Parse(text)
		if err == nil && cents < 0 { // @mark fuzz
			t.Skip("a debt")
		}
	})
}
