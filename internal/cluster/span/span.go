// Package span is what gateways and machines of a cluster agree on: the subjects that
// they speak at, what they tell of themselves, and what messages between a client's two
// seats are called. It opens the connections, too, so that both keep to the same rules.
package span

import (
	"encoding/json"
	"errors"
	"regexp"
	"strings"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/serving/grants"
)

// The subjects. A name of a member is one step of a subject.
const (
	Who = "aidb.who" // gateways ask which machines there are

	here = "aidb.here." // a machine tells that it lives
	gone = "aidb.gone." // its witness tells that it does not
	down = "aidb.m."    // to a machine
	up   = "aidb.up."   // to a gateway, by its name and that of its process
)

// EachHere and EachGone are what gateways listen to.
const (
	EachHere = here + "*"
	EachGone = gone + "*"
)

// Here is where a machine tells that it lives.
func Here(machine string) string { return here + machine }

// Gone is where its end is told.
func Gone(machine string) string { return gone + machine }

// Down is where a machine listens.
func Down(machine string) string { return down + machine }

// Up is where one process of a gateway listens.
func Up(gateway, process string) string { return up + gateway + "." + process }

// GatewayOf is the gateway, one process of which listens at a subject.
func GatewayOf(subject string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(subject, up), ".")
	return name
}

// MachineOf is the machine that has spoken at a subject of EachHere or EachGone.
func MachineOf(subject string) string {
	for _, prefix := range []string{here, gone} {
		if len(subject) > len(prefix) && subject[:len(prefix)] == prefix {
			return subject[len(prefix):]
		}
	}
	return ""
}

// Role is what a member is.
type Role string

// The roles.
const (
	Gateway Role = "gateway"
	Machine Role = "machine"
)

// Permissions are the subjects that a member may speak and listen at. A machine may
// also answer where it was asked to.
func Permissions(role Role, name string) (publish, subscribe []string) {
	if role == Gateway {
		return []string{Who, down + "*"}, []string{EachHere, EachGone, up + name + ".*"}
	}
	return []string{Here(name), Gone(name)}, []string{Who, Down(name)}
}

var nameForm = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,31}$`)

// CheckName says what is wrong with the name of a member or a workspace.
func CheckName(name string) error {
	if !nameForm.MatchString(name) {
		return errors.New("a name has 1 to 32 of a-z, 0-9, - and _, and begins with a letter or a digit")
	}
	return nil
}

// Presence is what a machine tells of itself.
type Presence struct {
	Epoch      string            `json:"epoch"`      // names this run of it
	Clock      int64             `json:"clock"`      // milliseconds since it began
	Handles    string            `json:"handles"`    // what handles call it
	Connection uint64            `json:"connection"` // how often it has connected again
	Workspaces []string          `json:"workspaces"`
	Labels     map[string]string `json:"labels,omitempty"`
	Version    string            `json:"version"`
	Workers    int               `json:"workers"` // at most
	Running    int               `json:"running"`
	Waiting    int               `json:"waiting"`
	Calls      int               `json:"calls"`
	GivenUp    int               `json:"given_up"`
	Sessions   map[string]int    `json:"sessions,omitempty"` // by language
	Uses       map[string]Use    `json:"uses,omitempty"`     // by principals that are limited
	Working    int               `json:"working,omitempty"`  // of the calls, those of tools
	Parts      bool              `json:"parts,omitempty"`    // its workers do parts of the calls of others
	Parked     []string          `json:"parked,omitempty"`   // principals with workers whose clients have gone
	Queue      []Waiter          `json:"queue,omitempty"`    // who waits for a worker; of many the first
}

// Waiter is who waits for a worker, and for how long.
type Waiter struct {
	Principal string `json:"principal"`
	Millis    int64  `json:"ms"`
}

// Use is the workers that a principal has on a machine, and the calls that it has made there. By it
// each gateway counts what the principal does through others, too.
type Use struct {
	Workers int               `json:"workers,omitempty"`
	Calls   map[string]uint64 `json:"calls,omitempty"` // by where their gateway listens, since the machine began
}

// Operations on a line, from a gateway.
const (
	OpOpen   = "open"   // Opening: always first
	OpGreet  = "greet"  // a list of frames
	OpAsk    = "ask"    // a frame
	OpTell   = "tell"   // a frame
	OpCancel = "cancel" // a frame that names its request
	OpClose  = "close"
	OpLeave  = "leave" // the client goes; its debug sessions stay for a while
	OpVisit  = "visit" // a Visit
	OpGrant  = "grant" // Granted, in place of what was said before
	OpPage   = "page"  // PageOpening: first on a line of its own
	OpYield  = "yield" // an idle worker of the principal is to end
)

// Operations on a line, from a machine.
const (
	OpOpened   = "opened"   // Opened
	OpFrame    = "frame"    // a frame
	OpRefused  = "refused"  // Refusal
	OpSessions = "sessions" // a list of pool.Session
	OpClosed   = "closed"
	OpLive     = "live" // a list of handle.Entry: what lives of the principal here
)

// Opening begins a line to a seat, which is made where it is not there yet.
type Opening struct {
	Epoch     string            `json:"epoch"`
	Seat      string            `json:"seat"` // nobody can guess it
	Principal string            `json:"principal"`
	Workspace string            `json:"workspace"`
	Hello     []json.RawMessage `json:"hello,omitempty"`
	Visits    bool              `json:"visits,omitempty"` // it has no worker, and asks those that hold debug sessions of its principal
	Granted   Granted           `json:"granted,omitzero"`
	Pages     string            `json:"pages,omitempty"` // below which persons reach the gateway's pages
	Peers     bool              `json:"peers,omitempty"` // the gateway has other machines do parts of calls
	Parts     bool              `json:"parts,omitempty"` // the seat's calls are such parts
}

// PageOpening begins a line to the page of a worker, for persons.
type PageOpening struct {
	Page string `json:"page"`
}

// PageOpened answers it.
type PageOpened struct {
	Principal string `json:"principal"` // whose worker it is
}

// PageID is the id of a page in addresses: its machine, as handles call it, and a text that nobody
// can guess.
func PageID(machine, secret string) string { return machine + "." + secret }

// MachineOfPage is the machine that the id of a page names, empty if it names none.
func MachineOfPage(id string) string {
	machine, _, ok := strings.Cut(id, ".")
	if !ok {
		return ""
	}
	return machine
}

// Granted is what a principal may do, as its gateway knows it.
type Granted struct {
	Grant     grants.Grant `json:"grant,omitzero"`
	Elsewhere int          `json:"elsewhere,omitempty"` // workers that it has on other machines
}

// Visit is a request about a debug session that another client of the principal has started.
type Visit struct {
	Handle string          `json:"handle"`
	Frame  json.RawMessage `json:"frame"`
}

// Opened answers it.
type Opened struct {
	Fresh bool `json:"fresh"` // the seat was not there
}

// Refusal is why a request was not made.
type Refusal struct {
	ID      json.RawMessage `json:"id"`
	Code    fault.Code      `json:"code"`
	Message string          `json:"message"`
	Hint    string          `json:"hint,omitempty"`
	Field   string          `json:"field,omitempty"`
}

// Refuse writes a refusal.
func Refuse(id json.RawMessage, err *fault.Error) Refusal {
	return Refusal{ID: id, Code: err.Code, Message: err.Message, Hint: err.Hint, Field: err.Field}
}

// Fault is the error that was refused with.
func (r Refusal) Fault() *fault.Error {
	return &fault.Error{Code: r.Code, Message: r.Message, Hint: r.Hint, Field: r.Field}
}

// Marshal writes a message of our own types.
func Marshal(message any) []byte {
	text, err := json.Marshal(message)
	if err != nil {
		panic(err) // a bug: they hold plain values only
	}
	return text
}
