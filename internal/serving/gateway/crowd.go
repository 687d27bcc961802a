package gateway

import "sync"

// crowd counts the requests that are being answered, streams that listen among
// them, of each principal.
type crowd struct {
	most, share int // of all, of one principal

	mu  sync.Mutex // guards the fields below
	all int
	of  map[string]int
}

// always is how many requests a principal may have when others have taken all.
const always = 8

func newCrowd(most, share int) *crowd { return &crowd{most: most, share: share, of: map[string]int{}} }

// enter counts a request. False: the principal has too many.
func (c *crowd) enter(principal string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	has := c.of[principal]
	if has >= c.share || c.all >= c.most && has >= always {
		return false
	}
	c.all++
	c.of[principal]++
	return true
}

func (c *crowd) leave(principal string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all--
	if c.of[principal]--; c.of[principal] == 0 {
		delete(c.of, principal)
	}
}
