package span

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/url"
	"os"
	"strings"
)

// TLS is how a connection to a server is encrypted: as its address says, nil for not at
// all. The file has a certificate that is trusted beside those that the system trusts.
func TLS(address, ca string) (*tls.Config, error) {
	if !strings.HasPrefix(address, "tls://") {
		return nil, nil
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if ca == "" {
		return config, nil
	}
	text, err := os.ReadFile(ca)
	if err != nil {
		return nil, fmt.Errorf("reading --tls-ca: %w", err)
	}
	if config.RootCAs, err = x509.SystemCertPool(); err != nil {
		config.RootCAs = x509.NewCertPool()
	}
	if !config.RootCAs.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("--tls-ca %s holds no certificate", ca)
	}
	return config, nil
}

// CheckAddress says what is wrong with the address of a server, or with those of several
// that replace each other, with commas between them.
func CheckAddress(addresses string, insecure bool) error {
	all := strings.Split(addresses, ",")
	for _, address := range all {
		if err := checkOne(address, insecure); err != nil {
			return err
		}
		if strings.HasPrefix(address, "tls://") != strings.HasPrefix(all[0], "tls://") {
			return fmt.Errorf("%q: the servers of a cluster are all reached by tls://, or none is", addresses)
		}
	}
	return nil
}

func checkOne(address string, insecure bool) error {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "nats" && u.Scheme != "tls" {
		return fmt.Errorf("%q is no address of a cluster: want nats://HOST:PORT or tls://HOST:PORT", address)
	}
	if u.User != nil {
		return fmt.Errorf("the address of a cluster holds no secret, which other users of this machine could read: give a join token by --join-token-file")
	}
	host := u.Hostname()
	if ip := net.ParseIP(host); u.Scheme == "nats" && !insecure && host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return fmt.Errorf("%s is on another machine, and not encrypted: give tls://…, or --insecure if the network encrypts", address)
	}
	return nil
}
