package engine

import (
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"

	"aidb-mcp/internal/cluster/span"
)

// door says who may come in: a member that proves to have its key, and who has a join
// token and thereby becomes one.
type door struct {
	members *Members
	log     *slog.Logger
	server  *server.Server

	mu    sync.Mutex        // guards the fields below
	own   map[string]member // those in this process, by key
	names map[called]bool   // what they are called
	with  map[uint64]member // that are connected, by the server's number of the connection
	by    map[owner][]uint64
}

// called is what a member is called, and owner whose a connection is: a storm of thousands that
// come back at once must not have each of them compared with all others.
type (
	called struct {
		role span.Role
		name string
	}
	owner struct {
		key     string
		witness bool
	}
)

type member struct {
	role    span.Role
	name    string
	tenant  string
	key     string
	witness bool
}

func (d *door) allow(m member) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.own[m.key] = m
	if d.names == nil {
		d.names = map[called]bool{}
	}
	d.names[called{m.role, m.name}] = true
}

// Check lets a connection in, or does not.
func (d *door) Check(c server.ClientAuthentication) bool {
	o := c.GetOpts()
	if !proves(o.Nkey, o.Sig, c.GetNonce()) {
		return false
	}
	m, err := d.admit(o)
	if err != nil {
		d.log.Warn("a connection to the cluster was refused", "from", c.RemoteAddress(), "calls itself", shorten(o.Name), "why", err)
		return false
	}
	account, err := d.account(m.tenant)
	if err != nil {
		d.log.Error("a connection to the cluster was refused", "member", m.name, "why", err)
		return false
	}
	c.RegisterUser(&server.User{Username: m.name, Permissions: permissions(m.role, m.name), Account: account})
	if d.note(c.GetID(), m) {
		d.log.Warn("a member of the cluster has connected twice: its key may have been copied, unless its connection was just cut",
			"member", m.name, "from", c.RemoteAddress())
	}
	return true
}

// note remembers whose a connection is, and says whether another of his stands.
func (d *door) note(id uint64, m member) (isSecond bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.with == nil {
		d.with, d.by = map[uint64]member{}, map[owner][]uint64{}
	}
	who := owner{m.key, m.witness}
	stand := slices.DeleteFunc(d.by[who], func(other uint64) bool {
		gone := d.server.GetClient(other) == nil
		if gone {
			delete(d.with, other)
		}
		return gone
	})
	d.by[who], d.with[id] = append(stand, id), m
	return len(stand) > 0
}

// account is that of a tenant: what is said in one is heard in no other. Members of no tenant
// share the server's own.
func (d *door) account(tenant string) (*server.Account, error) {
	if tenant == "" {
		return nil, nil
	}
	account, _ := d.server.LookupOrRegisterAccount("tenant-" + tenant)
	if account == nil {
		return nil, fmt.Errorf("there is no account for the tenant %s", tenant)
	}
	return account, nil
}

// proves says that who shows a public key has signed the server's own words with it.
func proves(public, signature string, nonce []byte) bool {
	if public == "" || signature == "" || len(nonce) == 0 || !nkeys.IsValidPublicUserKey(public) {
		return false
	}
	signed, err := base64.RawURLEncoding.DecodeString(signature)
	if err != nil {
		if signed, err = base64.StdEncoding.DecodeString(signature); err != nil {
			return false
		}
	}
	key, err := nkeys.FromPublicKey(public)
	return err == nil && key.Verify(nonce, signed) == nil
}

// admit says who the owner of a key is.
func (d *door) admit(o *server.ClientOpts) (member, error) {
	d.mu.Lock()
	own, ours := d.own[o.Nkey]
	d.mu.Unlock()
	if ours {
		return own, nil
	}
	role, name, ok := strings.Cut(o.Name, ":")
	name, witness := strings.CutSuffix(name, ":witness")
	if !ok {
		return member{}, fmt.Errorf("it does not say what it is")
	}
	if err := span.CheckName(name); err != nil {
		return member{}, err
	}
	m := member{role: span.Role(role), name: name, key: o.Nkey, witness: witness}
	if m.role != span.Gateway && m.role != span.Machine {
		return m, fmt.Errorf("there is no such role")
	}
	if d.isOurs(m) {
		return m, ErrOurs // it would hear what is said to this process
	}
	tenant, known, err := d.members.Has(m.role, m.name, m.key)
	if m.tenant = tenant; err != nil || known {
		return m, err
	}
	if o.Token == "" || witness {
		return m, fmt.Errorf("it is no member")
	}
	if m.tenant, err = d.members.Join(m.role, m.name, m.key, o.Token); err != nil {
		return m, err
	}
	d.log.Info("a member has joined the cluster", "role", m.role, "name", m.name, "tenant", m.tenant, "key", m.key)
	return m, nil
}

// isOurs says that somebody in this process has the name already.
func (d *door) isOurs(m member) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.names[called{m.role, m.name}]
}

// putOut closes the connections of those that are no members any more.
func (d *door) putOut() error {
	gone, err := d.removed(d.outsiders())
	for id, m := range gone {
		d.log.Warn("a member has been removed from the cluster, and is put out", "role", m.role, "name", m.name)
		_ = d.server.DisconnectClientByID(id) // it may just have gone
	}
	return err
}

// outsiders are the connections that stand, but those of this process.
func (d *door) outsiders() map[uint64]member {
	d.mu.Lock()
	defer d.mu.Unlock()
	isGone := func(id uint64) bool { return d.server.GetClient(id) == nil }
	maps.DeleteFunc(d.with, func(id uint64, _ member) bool { return isGone(id) })
	for who, ids := range d.by {
		if d.by[who] = slices.DeleteFunc(ids, isGone); len(d.by[who]) == 0 {
			delete(d.by, who)
		}
	}
	others := maps.Clone(d.with)
	maps.DeleteFunc(others, func(_ uint64, m member) bool { return d.own[m.key].key != "" })
	return others
}

// removed are those of the connections whose members are none any more. Who cannot be looked
// up stays, and keeps nobody else in.
func (d *door) removed(connected map[uint64]member) (gone map[uint64]member, failed error) {
	gone = map[uint64]member{}
	for id, m := range connected {
		tenant, known, err := d.members.Has(m.role, m.name, m.key)
		switch {
		case err != nil:
			failed = errors.Join(failed, err)
		case !known || tenant != m.tenant:
			gone[id] = m
		}
	}
	return gone, failed
}

func shorten(text string) string {
	const longest = 100
	return strings.ToValidUTF8(text[:min(len(text), longest)], "?")
}
