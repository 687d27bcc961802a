package span

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/nats-io/nkeys"
)

// Key is the key of a member, made where it is used and kept in a file that only its
// owner can read. It never leaves the machine. Fresh says that it has just been made.
func Key(file string) (key nkeys.KeyPair, fresh bool, err error) {
	seed, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		key, err = makeKey(file)
		return key, true, err
	}
	if err != nil {
		return nil, false, fmt.Errorf("reading the key: %w", err)
	}
	if info, err := os.Stat(file); err == nil && isOpen(info.Mode()) {
		return nil, false, fmt.Errorf("%s may be read by others: it holds a key, give it the mode 600", file)
	}
	if key, err = nkeys.FromSeed(bytes.TrimSpace(seed)); err != nil {
		return nil, false, fmt.Errorf("reading the key in %s: %w", file, err)
	}
	return key, false, nil
}

func makeKey(file string) (nkeys.KeyPair, error) {
	key, err := nkeys.CreateUser()
	if err != nil {
		return nil, fmt.Errorf("making a key: %w", err)
	}
	seed, err := key.Seed()
	if err == nil {
		err = os.MkdirAll(filepath.Dir(file), 0o700)
	}
	if err == nil {
		err = os.WriteFile(file, append(seed, '\n'), 0o600)
	}
	if err != nil {
		return nil, fmt.Errorf("keeping the key: %w", err)
	}
	return key, nil
}
