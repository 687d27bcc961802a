package engine

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"aidb-mcp/internal/cluster/span"
)

// Members are those who may come in, kept in a folder that only its owner reads: a file
// for each member with its public key, and one for each join token that has not been
// used. So a command beside the server can add a token and remove a member.
type Members struct{ dir string }

// NewMembers are those in a folder, which is made.
func NewMembers(dir string) (*Members, error) {
	for _, sub := range []string{membersDir, tokensDir} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o700); err != nil {
			return nil, fmt.Errorf("making the folder of the cluster's members: %w", err)
		}
	}
	return &Members{dir}, nil
}

const (
	membersDir = "members"
	tokensDir  = "tokens"
)

// Member is one of them.
type Member struct {
	Role   span.Role `json:"role"`
	Name   string    `json:"name"`
	Tenant string    `json:"tenant,omitempty"`
	Key    string    `json:"key"` // public
	Joined time.Time `json:"joined"`
}

// ticket is a join token that has not been used.
type ticket struct {
	Role    span.Role `json:"role"`
	Tenant  string    `json:"tenant,omitempty"`
	Expires time.Time `json:"expires"`
}

// The errors of who may not join.
var (
	ErrToken = errors.New("the join token is unknown, used up, too old or for another role")
	ErrTaken = errors.New("another member has this name: remove it first")
	ErrOurs  = errors.New("the server's own process has this name: give another (--name)")
)

func (m *Members) file(role span.Role, name string) string {
	return filepath.Join(m.dir, membersDir, string(role)+"-"+name+".json")
}

// Has says that a member has a key, and whose it is.
func (m *Members) Has(role span.Role, name, key string) (tenant string, has bool, err error) {
	is, err := read[Member](m.file(role, name))
	if errors.Is(err, fs.ErrNotExist) {
		return "", false, nil
	}
	return is.Tenant, err == nil && is.Key == key, err
}

// Token makes a token with which one member of a tenant may join, of none where that is empty.
func (m *Members) Token(role span.Role, tenant string, valid time.Duration) (string, error) {
	token := rand.Text()
	text, err := json.Marshal(ticket{role, tenant, time.Now().Add(valid)})
	if err == nil {
		err = os.WriteFile(m.ticketFile(token), text, 0o600)
	}
	if err != nil {
		return "", fmt.Errorf("keeping the join token: %w", err)
	}
	return token, nil
}

// ticketFile names a token by its hash: who reads the folder has no token.
func (m *Members) ticketFile(token string) string {
	sum := sha256.Sum256([]byte(token))
	return filepath.Join(m.dir, tokensDir, hex.EncodeToString(sum[:])+".json")
}

// Join makes the owner of a key a member of the token's tenant, and uses the token up.
func (m *Members) Join(role span.Role, name, key, token string) (tenant string, err error) {
	file := m.ticketFile(token)
	t, err := read[ticket](file)
	if err != nil || t.Role != role || time.Now().After(t.Expires) {
		return "", ErrToken
	}
	if _, err := os.Stat(m.file(role, name)); err == nil {
		return "", ErrTaken
	}
	if err := os.Remove(file); err != nil { // of two who come at once, one has removed it
		return "", ErrToken
	}
	return t.Tenant, m.keep(Member{role, name, t.Tenant, key, time.Now().UTC()})
}

func (m *Members) keep(is Member) error {
	text, err := json.Marshal(is)
	if err != nil {
		return fmt.Errorf("writing a member: %w", err)
	}
	f, err := os.OpenFile(m.file(is.Role, is.Name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return ErrTaken
	}
	if err == nil {
		_, err = f.Write(text)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		return fmt.Errorf("keeping a member: %w", err)
	}
	return nil
}

// Remove takes a member out. False: there was none.
func (m *Members) Remove(role span.Role, name string) (bool, error) {
	err := os.Remove(m.file(role, name))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// List is all members.
func (m *Members) List() ([]Member, error) {
	files, err := os.ReadDir(filepath.Join(m.dir, membersDir))
	if err != nil {
		return nil, fmt.Errorf("listing the cluster's members: %w", err)
	}
	var all []Member
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".json") {
			continue
		}
		is, err := read[Member](filepath.Join(m.dir, membersDir, f.Name()))
		if err != nil {
			return nil, err
		}
		all = append(all, is)
	}
	return all, nil
}

// Sweep drops tokens that are too old.
func (m *Members) Sweep() {
	files, _ := os.ReadDir(filepath.Join(m.dir, tokensDir)) // what cannot be read stays
	for _, f := range files {
		file := filepath.Join(m.dir, tokensDir, f.Name())
		if t, err := read[ticket](file); err == nil && time.Now().After(t.Expires) {
			_ = os.Remove(file)
		}
	}
}

func read[T any](file string) (is T, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return is, err
	}
	if err := json.Unmarshal(text, &is); err != nil {
		return is, fmt.Errorf("reading %s: %w", file, err)
	}
	return is, nil
}
