package secret

import (
	"fmt"
	"sync"
	"testing"
)

// A server learns secrets of one session while it masks what another shows.
func TestLearningWhileMasking(t *testing.T) {
	m := New([]string{"A_TOKEN=first-secret-1"})
	var all sync.WaitGroup
	all.Go(func() {
		for i := range 200 {
			m.Learn(map[string]string{"B_TOKEN": fmt.Sprintf("secret-of-session-%d-%0*d", i, i%40, i)}, nil)
		}
	})
	all.Go(func() {
		for range 200 {
			if got := m.Text("it is first-secret-1"); got != "it is "+Mask {
				t.Errorf("got %q", got)
			}
		}
	})
	all.Wait()
}
