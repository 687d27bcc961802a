package cluster

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"log/slog"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aidb-mcp/internal/cluster/engine"
	"aidb-mcp/internal/cluster/span"
)

// certified is a certificate of this machine, and the file that trusts it.
func certified(t *testing.T) (pair tls.Certificate, file string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	is := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, is, is, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(t.TempDir(), "server.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, file
}

// With a certificate the server speaks to nobody in the clear, and its members trust no
// other; the gateway in its own process needs none of that.
func TestEncryption(t *testing.T) {
	t.Parallel()
	pair, file := certified(t)
	members, err := engine.NewMembers(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	e, err := engine.Start(engine.Options{
		Address: "127.0.0.1:0", Members: members, Log: log,
		TLS: &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{pair}},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Shutdown)
	key, _, err := span.Key(filepath.Join(t.TempDir(), "key"))
	if err != nil {
		t.Fatal(err)
	}
	dial := func(url, ca string) error {
		token, err := members.Token(span.Machine, "", time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		config, err := span.TLS(url, ca)
		if err != nil {
			t.Fatal(err)
		}
		nc, err := span.Connect(span.Dial{URL: url, Role: span.Machine, Name: "m1", Key: key, Token: token, TLS: config, Log: log})
		if err == nil {
			if _, err := nc.TLSConnectionState(); err != nil {
				t.Errorf("it is not encrypted: %v", err)
			}
			nc.Close()
		}
		return err
	}
	if err := dial(e.Where(), ""); err == nil || !strings.Contains(err.Error(), "--tls-ca") {
		t.Errorf("an unknown certificate is trusted: %v", err)
	}
	if err := dial("nats://"+e.Addr().String(), ""); err == nil {
		t.Error("it speaks in the clear")
	}
	if err := dial(e.Where(), file); err != nil {
		t.Error(err)
	}
	if err := e.Own(key, span.Gateway, "g1", ""); err != nil {
		t.Fatal(err)
	}
	nc, err := span.Connect(span.Dial{URL: "nats://embedded", Role: span.Gateway, Name: "g1", Key: key, Server: e, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	nc.Close()
}

// What an address may not be is said before anything is sent there.
func TestAddresses(t *testing.T) {
	t.Parallel()
	for address, wrong := range map[string]string{
		"http://x:1": "no address", "nats://ada:secret@x:1": "no secret", "nats://10.0.0.1:4222": "not encrypted", "x": "no address",
		"tls://10.0.0.1:4222": "", "nats://localhost:4222": "", "nats://[::1]:4222": "",
	} {
		err := span.CheckAddress(address, false)
		if wrong == "" && err != nil || wrong != "" && (err == nil || !strings.Contains(err.Error(), wrong)) {
			t.Errorf("%s: %v", address, err)
		}
	}
}
