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

	mu   sync.Mutex        // guards the fields below
	own  map[string]member // those in this process, by key
	with map[uint64]member // that are connected, by the server's number of the connection
}

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
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.with == nil {
		d.with = map[uint64]member{}
	}
	for id, other := range d.with {
		if other.key == m.key && other.witness == m.witness && d.server.GetClient(id) != nil {
			d.log.Warn("a member of the cluster has connected twice: its key may have been copied, unless its connection was just cut",
				"member", m.name, "from", c.RemoteAddress())
		}
	}
	d.with[c.GetID()] = m
	return true
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
	names := slices.Collect(maps.Values(d.own))
	d.mu.Unlock()
	if ours {
		return own, nil
	}
	role, called, ok := strings.Cut(o.Name, ":")
	called, witness := strings.CutSuffix(called, ":witness")
	if !ok {
		return member{}, fmt.Errorf("it does not say what it is")
	}
	if err := span.CheckName(called); err != nil {
		return member{}, err
	}
	m := member{role: span.Role(role), name: called, key: o.Nkey, witness: witness}
	if m.role != span.Gateway && m.role != span.Machine {
		return m, fmt.Errorf("there is no such role")
	}
	if slices.ContainsFunc(names, func(own member) bool { return own.role == m.role && own.name == m.name }) {
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

// putOut closes the connections of those that are no members any more.
func (d *door) putOut() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	maps.DeleteFunc(d.with, func(id uint64, _ member) bool { return d.server.GetClient(id) == nil })
	ids, err := d.removed()
	for _, id := range ids {
		m := d.with[id]
		delete(d.with, id)
		d.log.Warn("a member has been removed from the cluster, and is put out", "role", m.role, "name", m.name)
		_ = d.server.DisconnectClientByID(id) // it may just have gone
	}
	return err
}

// removed are the connections of those that are no members any more; mu is held. Who cannot be
// looked up stays, and keeps nobody else in.
func (d *door) removed() (ids []uint64, failed error) {
	for id, m := range d.with {
		if _, ours := d.own[m.key]; ours {
			continue
		}
		tenant, known, err := d.members.Has(m.role, m.name, m.key)
		switch {
		case err != nil:
			failed = errors.Join(failed, err)
		case !known || tenant != m.tenant:
			ids = append(ids, id)
		}
	}
	return ids, failed
}

func shorten(text string) string {
	const longest = 100
	return strings.ToValidUTF8(text[:min(len(text), longest)], "?")
}
