package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"

	"aidb-mcp/adapters/install"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/serving/gateway"
	"aidb-mcp/internal/serving/grants"
	"aidb-mcp/internal/store"
)

// rules are what a gateway reads again while it serves: who may come in, its
// certificate, and what its workers may do.
type rules struct {
	gateway.Rules
	certificate *tls.Certificate // nil: plain HTTP
	grants      grants.File      // nil: all principals may do the same
}

// readRules reads what the flags and the settings file name.
func (a *app) readRules() (*rules, error) {
	s := &a.site
	r := &rules{Rules: gateway.Rules{Hosts: s.hosts, Origins: s.origins}}
	var err error
	if r.certificate, err = s.certificate(); err != nil {
		return nil, err
	}
	if r.Tokens, err = a.tokens(); err != nil {
		return nil, err
	}
	if r.grants, err = a.readGrants(a.site.foreign); err != nil {
		return nil, err
	}
	return r, a.keepApart()
}

func (s *site) certificate() (*tls.Certificate, error) {
	if s.cert == "" && s.key == "" {
		return nil, nil
	}
	pair, err := tls.LoadX509KeyPair(s.cert, s.key)
	if err == nil {
		err = gateway.CheckKey(s.key)
	}
	if err != nil {
		return nil, fmt.Errorf("reading --tls-cert and --tls-key: %w", err)
	}
	return &pair, nil
}

// tokens are those of the file, or of standard input, else that of this user.
func (a *app) tokens() ([]gateway.Token, error) {
	switch a.site.tokenFile {
	case "":
		token, err := localToken()
		return []gateway.Token{{Name: "local", Secret: token}}, err
	case "-":
		if in, ok := a.stdin.(io.Seeker); ok { // a file is read again; of a pipe there is no again
			_, _ = in.Seek(0, io.SeekStart)
		}
		tokens, err := gateway.ParseTokens("standard input", a.stdin)
		if err != nil && a.handed != nil {
			return a.handed, nil
		}
		a.handed = tokens
		return tokens, err
	}
	return gateway.ReadTokens(a.site.tokenFile)
}

// keepApart refuses a layout in which clients could read what is the gateway's own:
// it must not lie where they may open files.
func (a *app) keepApart() error {
	return a.keepOut(a.allowed)
}

// keepOut is keepApart for some folders.
func (a *app) keepOut(folders []string) error {
	allowed, err := a.policy.Within(folders)
	if err != nil || !allowed.Confined() {
		return err
	}
	files := a.ownFiles()
	for _, what := range slices.Sorted(maps.Keys(files)) {
		file := files[what]
		if file == "" {
			continue
		}
		if file, err = filepath.Abs(file); err != nil {
			return err
		}
		if allowed.Allows(file) {
			return fmt.Errorf("%s, %s, lies within --allow-root %s, where every client can read it: move it out, or allow a folder that it is not in", what, file, strings.Join(folders, string(filepath.ListSeparator)))
		}
	}
	return nil
}

// ownFiles are those that are the gateway's own, by what they are called.
func (a *app) ownFiles() map[string]string {
	home := install.Home()
	files := map[string]string{
		"the key of --tls-key":     a.site.key,
		"the settings file":        a.settingsFrom,
		"the log of --log-file":    a.logFile,
		"the log of --audit-log":   a.site.auditFile,
		"the file of --principals": a.site.grantsFile,
	}
	if a.site.tokenFile != "-" {
		files["the file of --token-file"] = a.site.tokenFile
	}
	if home != "" {
		if keys := filepath.Join(home, "cluster"); a.site.member.where != "" || prepare.Exists(keys) {
			files["the keys of the cluster (AIDB_HOME says where they are kept)"] = keys
		}
		files["the token of this user (AIDB_HOME says where it is kept)"] = filepath.Join(home, "token")
	}
	if place, err := a.storePlace(); err == nil && !store.IsShared(place) {
		files["the account of calls (AIDB_HOME or --store says where it is kept)"] = place
	}
	return files
}

// reload reads the rules again at each signal, and has them applied when all is ready for
// them. Where one of them cannot be read, all stay as they are.
func (a *app) reload(ctx context.Context, hangups <-chan os.Signal, ready func(*rules) error, apply func(*rules)) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-hangups:
		}
		fresh, err := a.again()
		var r *rules
		if err == nil {
			if r, err = fresh.readRules(); err == nil && (r.certificate == nil) != (a.site.cert == "") {
				err = errors.New("whether it encrypts is decided when it starts")
			} else if err == nil {
				err = ready(r)
			}
		}
		if err != nil {
			a.log.Error("nothing is changed: what was to be read again cannot be used", "error", err)
			continue
		}
		a.handed = fresh.handed
		apply(r)
		a.log.Info("read again: tokens, certificate, policy", "principals", len(r.Tokens))
	}
}

// again is what the command line and the settings file say now.
func (a *app) again() (*app, error) {
	fresh := &app{site: site{foreign: a.site.foreign}, stdin: a.stdin, stdout: a.stdout, stderr: a.stderr, log: a.log, args: a.args, handed: a.handed}
	root := &cobra.Command{Use: "aidb-mcp"}
	fresh.bindFlags(root.PersistentFlags())
	root.AddCommand(newServeCommand(fresh))
	cmd, rest, err := root.Find(a.args)
	if err != nil {
		return nil, err
	}
	if err := cmd.ParseFlags(rest); err != nil {
		return nil, err
	}
	return fresh, fresh.readSettings(cmd.Flags())
}

// certificate is the one that is shown to those who come from now on.
type certificate struct {
	current atomic.Pointer[tls.Certificate]
}

func (c *certificate) config(first *tls.Certificate) *tls.Config {
	c.current.Store(first)
	return &tls.Config{
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return c.current.Load(), nil },
		MinVersion:     tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"},
	}
}
