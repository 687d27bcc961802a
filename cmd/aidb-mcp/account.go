package main

import (
	"context"
	"errors"
	"os"
	"os/user"
	"time"

	"aidb-mcp/adapters/install"
	"aidb-mcp/handlers"
	"aidb-mcp/internal/changes/attempts"
	"aidb-mcp/internal/store"
)

// How long the last rows of the account may take to be written, beside the end of
// the sessions; and at least, when that took all the time.
const (
	lastRowsAfterSignal = closeAfterSignal
	lastRowsAfterEOF    = 2 * time.Second
	lastRowsAtLeast     = 50 * time.Millisecond
)

// storePlace is where the account is kept; the error says why it is nowhere.
func (a *app) storePlace() (string, error) {
	if a.noStore {
		return "", errors.New("no account is kept: --no-store")
	}
	if a.store != "" {
		return a.store, nil
	}
	if place := store.Default(install.Home()); place != "" {
		return place, nil
	}
	return "", errors.New("there is no home directory to keep the account in: set AIDB_HOME, or give --store")
}

// account writes each call down, with what all calls of this server have in common.
type account struct {
	*store.Store
	server, principal string
}

// newAccount keeps an account where there is a place for it; nothing is made or
// opened before the first call.
func (a *app) newAccount() *account {
	kept := &account{server: readVersion().Version, principal: a.principal}
	if place, err := a.storePlace(); err == nil {
		kept.Store = store.New(store.Options{Place: place, Log: a.log})
	}
	if kept.principal == "" {
		kept.principal = userName()
	}
	return kept
}

// newAttempts remembers what was tried, in the account's place; where there is none,
// as long as this server lives. A server has one.
func (a *app) newAttempts() attempts.Memory {
	place, err := a.storePlace()
	if err != nil {
		return new(attempts.InMemory)
	}
	return store.NewAttempts(store.Options{Place: place, Log: a.log})
}

// userName is who has started us, where no gateway says for whom.
func userName() string {
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return os.Getenv("USER")
}

// handler is what the calls are told to; nil when no account is kept.
func (k *account) handler() handlers.Account {
	if k.Store == nil {
		return nil
	}
	return k
}

// Record writes a call down.
func (k *account) Record(s handlers.Spent) {
	k.Store.Record(store.Call{
		At: s.At, Took: s.Took, Server: k.server, Client: s.Client, Principal: k.principal, Session: s.Session, Language: s.Language,
		Tool: s.Tool, Code: s.Code, BytesIn: s.BytesIn, BytesOut: s.BytesOut, TokensIn: s.TokensIn, TokensOut: s.TokensOut,
	})
}

// usageLimit bounds how long an agent waits for the account.
const usageLimit = 5 * time.Second

// used is what an agent is told: the calls of each tool, of all servers.
type used struct {
	Tools []store.Usage `json:"tools"`
}

// reader reads the account for an agent; nil when none is kept.
func (k *account) reader() func(context.Context) (any, error) {
	if k.Store == nil {
		return nil
	}
	return func(ctx context.Context) (any, error) {
		ctx, cancel := context.WithTimeout(ctx, usageLimit)
		defer cancel()
		list, err := k.Usage(ctx, time.Time{}, "tool")
		return used{append([]store.Usage{}, list...)}, err
	}
}

// close writes the last rows, while meanwhile does its own and a little longer.
func (k *account) close(ctx context.Context, limit time.Duration, meanwhile func()) {
	begun := time.Now()
	writing, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
	defer cancel()
	go func() { _ = k.Flush(writing) }() // what is not written by then, Close tells
	meanwhile()
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), max(limit-time.Since(begun), lastRowsAtLeast))
	defer cancel()
	k.Close(last)
}
