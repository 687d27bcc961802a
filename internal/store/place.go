package store

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Default is the place of the store in the folder where aidb-mcp keeps its data;
// empty without one.
func Default(home string) string {
	if home == "" {
		return ""
	}
	return filepath.Join(home, "store", "aidb.db")
}

// Place reads what a user says: a file, or the address of a PostgreSQL database.
func Place(text string) (string, error) {
	switch {
	case text == "":
		return "", errors.New("want a file, or postgres://USER@HOST/DATABASE")
	case IsShared(text):
		if _, err := pgx.ParseConfig(text); err != nil {
			return "", withoutPassword(text, err)
		}
		return text, nil
	case strings.Contains(text, "://"):
		return "", errors.New("want a file, or postgres://USER@HOST/DATABASE: there is no other kind of store")
	}
	return filepath.Abs(text)
}

// IsShared says that a place is a database that other machines may use, too.
func IsShared(place string) bool {
	return strings.HasPrefix(place, "postgres://") || strings.HasPrefix(place, "postgresql://")
}

// Shown is a place as it may be shown: without the password.
func Shown(place string) string {
	if !IsShared(place) {
		return place
	}
	u, err := url.Parse(place)
	if err != nil {
		return "postgres://…"
	}
	if u.User != nil {
		u.User = url.User(u.User.Username())
	}
	u.RawQuery = "" // may hold one, too
	return u.String()
}

// secure refuses a file that another user could have made or could change.
func secure(path string) error {
	dir, err := os.Stat(filepath.Dir(path))
	if errors.Is(err, fs.ErrNotExist) {
		return nil // it will be made, for this user
	}
	if err != nil {
		return err
	}
	if why := othersAccess(dir, true); why != "" {
		return fmt.Errorf("its folder %s: use one of your own that nobody else may write (chmod 700)", why)
	}
	file, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	switch {
	case file.Mode()&fs.ModeSymlink != 0:
		return errors.New("it is a symbolic link: name the file itself")
	case !file.Mode().IsRegular():
		return errors.New("it is no regular file")
	}
	if why := othersAccess(file, false); why != "" {
		return fmt.Errorf("it %s: nobody else may write to the store (chmod 600)", why)
	}
	return nil
}
