package attempt

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"aidb-mcp/investigate/attempt/box"
)

// basis is what a verdict depends on besides the sources of the workspace and the check: it
// is offered again only where all of it is the same. What is in the workspace is told by the
// digest of its sources, what the check is by the problem.
type basis struct {
	Environment string        `json:"environment,omitempty"` // digest of the server's variables
	Outside     *outsideFiles `json:"outside,omitempty"`     // nil: see Blind
	// Blind says that nobody could see what the run read outside of the workspace.
	Blind  bool             `json:"blind,omitempty"`
	Before *baselineOutcome `json:"before,omitempty"` // nil: how the check fares without the change is not known
	Runs   int              `json:"runs,omitempty"`   // in which it has passed, where it was more than one
	// Unsteady says how the check was seen to pass and to fail alike; empty: it was not.
	Unsteady string `json:"unsteady,omitempty"`
}

// baselineOutcome is how the check fared without the change.
type baselineOutcome struct {
	Verdict   string `json:"verdict"`
	Signature string `json:"signature,omitempty"` // digest of the failure's
	Details   string `json:"details,omitempty"`   // digest of all that it tells; empty where that is not enough
}

// beforeOf is a failure as a basis has it; nil for one that was not seen to its end.
func beforeOf(f *Failure) *baselineOutcome {
	if f == nil || f.isCut() {
		return nil
	}
	o := &baselineOutcome{Verdict: f.Verdict, Signature: digest(f.Signature())}
	if f.hasDetails() {
		o.Details = digest(f.details())
	}
	return o
}

// hasPassed says whether the check passed without the change, which then has mended
// nothing.
func (b *baselineOutcome) hasPassed() bool {
	return b != nil && (&Failure{Verdict: b.Verdict}).Passed()
}

// unproven is why a pass on this basis proves nothing; empty: it may prove something.
func (b *basis) unproven() string {
	if b.Before.hasPassed() {
		return passedAnyway
	}
	return b.Unsteady
}

// isEqual says that the check fared alike, as far as what differs from run to run by itself shows.
func (b *baselineOutcome) isEqual(other *baselineOutcome) bool {
	return b != nil && other != nil && b.Verdict == other.Verdict && b.Signature == other.Signature
}

// isSame says that it is known to have failed in the same way.
func (b *baselineOutcome) isSame(other *baselineOutcome) bool {
	return b.isEqual(other) && b.Details != "" && b.Details == other.Details
}

// outsideFiles are the files that a run has read outside of the workspace: the toolchain, the
// libraries, what else the program was made of.
type outsideFiles struct {
	Files []byte `json:"files,omitempty"` // their paths, one a line, compressed
	Sum   string `json:"sum"`             // of their contents
}

// How much is kept of paths, and is read of files; of the rest size and time count.
const (
	mostOutside     = 40 << 10
	largestOutside  = 8 << 20
	mostOfAllInside = 256 << 20
)

// outsideOf are the files of a box as they are now; nil where they cannot be told.
func outsideOf(r *box.Reads, s *fileDigests) *outsideFiles {
	if r == nil || r.Unsettled {
		return nil
	}
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestCompression)
	if err != nil {
		return nil
	}
	if _, err := io.WriteString(w, strings.Join(r.Files, "\n")); err != nil || w.Close() != nil || packed.Len() > mostOutside {
		return nil
	}
	return &outsideFiles{Files: packed.Bytes(), Sum: s.digestOf(r.Files)}
}

// isUnchanged says whether the files are what they were.
func (o *outsideFiles) isUnchanged(s *fileDigests) bool {
	text, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(o.Files)), largestOutside))
	if err != nil {
		return false
	}
	var files []string
	if len(text) > 0 {
		files = strings.Split(string(text), "\n")
	}
	return s.digestOf(files) == o.Sum
}

// fileDigests are digests of files, each read once. The methods may be called from any goroutine.
type fileDigests struct {
	mu    sync.Mutex // guards what follows
	known map[string]string
	left  int64
}

func newSums() *fileDigests { return &fileDigests{known: map[string]string{}, left: mostOfAllInside} }

// digestOf is a digest of the files and their names.
func (s *fileDigests) digestOf(files []string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	sum := sha256.New()
	for _, path := range files {
		fmt.Fprintf(sum, "%q %s\n", path, s.fileDigest(path))
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// fileDigest is the digest of one; mu is held.
func (s *fileDigests) fileDigest(path string) string {
	if known, ok := s.known[path]; ok {
		return known
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		s.known[path] = "none"
	case !info.Mode().IsRegular() || info.Size() > min(largestOutside, s.left):
		s.known[path] = fmt.Sprintf("%d %d", info.Size(), info.ModTime().UnixNano())
	default:
		s.left -= info.Size()
		text, err := os.ReadFile(path)
		if err != nil {
			text = []byte(err.Error())
		}
		s.known[path] = digest(string(text))
	}
	return s.known[path]
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// notOurs are variables that say where and by whom a server was started, and not how a
// program runs: those of terminals and logins, and our own.
var notOurs = []string{
	"AIDB_", "CLAUDE", "COLORTERM=", "COLUMNS=", "DBUS_SESSION_", "INVOCATION_ID=", "JOURNAL_STREAM=", "LINES=", "MCP_", "OLDPWD=", "PWD=",
	"SHLVL=", "SSH_", "STY=", "TERM", "TMPDIR=", "TMUX", "VSCODE_", "WINDOWID=", "XDG_RUNTIME_DIR=", "XDG_SESSION_", "_=",
}

// environmentDigest is a digest of the variables on which a run may depend.
func environmentDigest(variables []string) string {
	own := slices.DeleteFunc(slices.Clone(variables), func(v string) bool {
		return slices.ContainsFunc(notOurs, func(prefix string) bool { return strings.HasPrefix(v, prefix) })
	})
	slices.Sort(own)
	return digest(strings.Join(own, "\x00"))
}
