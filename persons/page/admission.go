package page

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"slices"
	"sync"
	"time"

	"aidb-mcp/internal/hub"
)

// Bounds of those who may watch.
const (
	linkLasts    = 10 * time.Minute
	visitorLasts = 12 * time.Hour
	mostLinks    = 16
	mostVisitors = 64
)

// admission knows which links are open, and who has come by one. A link works once.
type admission struct {
	now func() time.Time

	mu       sync.Mutex // guards all below
	links    []link
	visitors []*visitor
}

type link struct {
	token [sha256.Size]byte // only the hash is kept
	until time.Time
}

// visitor is who has come by a link: a browser, for as long as its cookie lasts.
type visitor struct {
	cookie [sha256.Size]byte
	key    string // tells persons apart in a hub
	until  time.Time
	name   string
}

// invite makes a link's token.
func (a *admission) invite() string {
	token := rand.Text()
	a.mu.Lock()
	defer a.mu.Unlock()
	a.expire()
	if len(a.links) == mostLinks {
		a.links = slices.Delete(a.links, 0, 1)
	}
	a.links = append(a.links, link{sha256.Sum256([]byte(token)), a.now().Add(linkLasts)})
	return token
}

// enter uses up a link, and gives the value of the cookie that stands for it.
func (a *admission) enter(token string) (cookie string, ok bool) {
	sum := sha256.Sum256([]byte(token))
	a.mu.Lock()
	defer a.mu.Unlock()
	a.expire()
	at := slices.IndexFunc(a.links, func(l link) bool { return subtle.ConstantTimeCompare(l.token[:], sum[:]) == 1 })
	if at < 0 {
		return "", false
	}
	a.links = slices.Delete(a.links, at, at+1)
	if len(a.visitors) == mostVisitors {
		a.visitors = slices.Delete(a.visitors, 0, 1)
	}
	cookie = rand.Text()
	a.visitors = append(a.visitors, &visitor{cookie: sha256.Sum256([]byte(cookie)), key: "page:" + rand.Text(), until: a.now().Add(visitorLasts)})
	return cookie, true
}

// expire forgets what has had its time. The lock is held.
func (a *admission) expire() {
	now := a.now()
	a.links = slices.DeleteFunc(a.links, func(l link) bool { return now.After(l.until) })
	a.visitors = slices.DeleteFunc(a.visitors, func(v *visitor) bool { return now.After(v.until) })
}

// person is whose cookie has this value.
func (a *admission) person(cookie string) (p hub.Person, isIn bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	v := a.visitor(cookie)
	if v == nil {
		return hub.Person{}, false
	}
	return hub.Person{Name: v.name, Key: v.key}, true
}

// rename gives a visitor the name that is shown to others.
func (a *admission) rename(cookie, name string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if v := a.visitor(cookie); v != nil {
		v.name = name
	}
}

// visitor is who has the cookie, nil for none. The lock is held.
func (a *admission) visitor(cookie string) *visitor {
	a.expire()
	sum := sha256.Sum256([]byte(cookie))
	for _, v := range a.visitors {
		if subtle.ConstantTimeCompare(v.cookie[:], sum[:]) == 1 {
			return v
		}
	}
	return nil
}
