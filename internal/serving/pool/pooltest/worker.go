// Package pooltest is a worker for tests, which crashes, hangs and grows when it
// is told to. It knows nothing of who starts it.
package pooltest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// Work does what a worker does when this process has been started as one, and
// does not return then. Called first in TestMain, it makes a test binary its own
// worker, which does what its methods are called.
func Work() {
	if name := os.Getenv("AIDB_WORKER"); name != "" {
		(&worker{name: name}).serve()
		os.Exit(0)
	}
}

// worker is a server of MCP with a name.
type worker struct {
	name string
	line string // the message as it came
	asks string // what outlives a call
	late string // id of the request that waits for another message
}

type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

// methods is what a worker does by the name of a method, or of a tool.
var methods = map[string]func(*worker, message){
	"initialize":              (*worker).initialize,
	"tools/list":              (*worker).list,
	"ping":                    (*worker).ping,
	"notifications/cancelled": (*worker).cancelled,

	"echo":                  (*worker).echo,
	"progress":              (*worker).progress,
	"respell":               (*worker).respell,
	"unknown":               (*worker).unknown,
	"wishes":                (*worker).wishes, // which of these it has been told
	"logging/setLevel":      (*worker).wish,
	"resources/subscribe":   (*worker).wish,
	"resources/unsubscribe": (*worker).wish,
	"sessions":              (*worker).sessions,
	"late":                  (*worker).answerLater, // with the next ping, which it answers too
	"ask":                   (*worker).ask,

	"note":      (*worker).note, // in the file AIDB_NOTES, when it begins
	"workplace": (*worker).workplace,

	"die":     (*worker).die,
	"hang":    (*worker).hang,
	"close":   (*worker).closeOutput,
	"garbage": (*worker).garbage,
	"half":    (*worker).half,
	"grow":    (*worker).grow,
	"fork":    (*worker).fork,
	"flood":   (*worker).flood,
	"pester":  (*worker).pester,
}

func (w *worker) serve() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		w.line = lines.Text()
		var m message
		_ = json.Unmarshal(lines.Bytes(), &m)
		if m.Method == "tools/call" {
			var call struct{ Name string }
			_ = json.Unmarshal(m.Params, &call)
			m.Method = call.Name
		}
		if do, known := methods[m.Method]; known {
			do(w, m)
		} else if m.Method == "" { // the answer to what it has asked
			say(`{"jsonrpc":"2.0","id":%s,"result":{"line":%q}}`, w.late, w.line)
		}
	}
}

func (w *worker) initialize(m message) {
	var hello struct{ ProtocolVersion string }
	_ = json.Unmarshal(m.Params, &hello)
	say(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":%q,"capabilities":{"x-unknown":18446744073709551615},"worker":%q}}`, m.ID, hello.ProtocolVersion, w.name)
}

func (w *worker) list(m message) {
	say(`{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"echo","inputSchema":{"type":"object","properties":{"any":true,"where":{"type":"string","x-mcp-header":"Where"}}}}]}}`, m.ID)
}

func (w *worker) ping(m message) {
	say(`{"jsonrpc":"2.0","id":%s,"result":{"late":%q}}`, m.ID, w.late)
}

func (w *worker) cancelled(m message) {
	fmt.Fprintln(os.Stderr, "cancelled", string(m.Params))
	say(`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"cancelled":%s}}`, m.Params)
}

func (w *worker) echo(m message) {
	say(`{"jsonrpc":"2.0","id":%s,"result":{"worker":%q,"pid":%d,"principal":%q,"line":%q}}`, m.ID, w.name, os.Getpid(), os.Getenv("AIDB_PRINCIPAL"), w.line)
}

// progress is told twice, then comes the answer.
func (w *worker) progress(m message) {
	var p struct {
		Meta struct {
			Token json.RawMessage `json:"progressToken"`
		} `json:"_meta"`
	}
	_ = json.Unmarshal(m.Params, &p)
	for i := range 2 {
		say(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":%d,"x":1.10}}`, p.Meta.Token, i+1)
	}
	w.echo(m)
}

// respell writes the id and the token as a server does that has read and not kept them.
func (w *worker) respell(m message) {
	var id any
	_ = json.Unmarshal(m.ID, &id)
	m.ID, _ = json.Marshal(id)
	var p struct {
		Meta struct{ ProgressToken any } `json:"_meta"`
	}
	_ = json.Unmarshal(m.Params, &p)
	token, _ := json.Marshal(p.Meta.ProgressToken)
	say(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":1}}`, token)
	w.echo(m)
}

func (w *worker) unknown(m message) {
	say(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no such method","data":{"n":18446744073709551615},"x-err":1},"x-top":1.0e400}`, m.ID)
}

// wish takes what is to outlive the call, but for one.
func (w *worker) wish(m message) {
	if strings.Contains(string(m.Params), "refused") {
		w.unknown(m)
		return
	}
	w.asks += m.Method + " " + string(m.Params) + " "
	say(`{"jsonrpc":"2.0","id":%s,"result":{}}`, m.ID)
}

func (w *worker) wishes(m message) {
	say(`{"jsonrpc":"2.0","id":%s,"result":{"wishes":%q}}`, m.ID, w.asks)
}

func (w *worker) sessions(m message) {
	say(`{"jsonrpc":"2.0","method":"notifications/aidb/sessions","params":{"sessions":%s}}`, m.Params)
	say(`{"jsonrpc":"2.0","id":%s,"result":{}}`, m.ID)
}

func (w *worker) answerLater(m message) { w.late = string(m.ID) }

// ask asks the client, and answers when it is answered.
func (w *worker) ask(m message) {
	w.late = string(m.ID)
	say(`{"jsonrpc":"2.0","id":"question","method":"sampling/createMessage","params":{"maxTokens":18446744073709551615,"x-unknown":null}}`)
}

func (w *worker) note(m message) {
	f, err := os.OpenFile(os.Getenv("AIDB_NOTES"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	defer f.Close()
	fmt.Fprintf(f, "%s %d\n", m.ID, time.Now().UnixNano())
	say(`{"jsonrpc":"2.0","id":%s,"result":{"noted":%s}}`, m.ID, m.ID)
}

func (w *worker) workplace(m message) {
	dir, _ := os.Getwd()
	say(`{"jsonrpc":"2.0","id":%s,"result":{"dir":%q}}`, m.ID, dir)
}

func (w *worker) die(message) {
	fmt.Fprintln(os.Stderr, "about to die")
	os.Exit(3)
}

// hang answers nothing any more.
func (w *worker) hang(message) {
	for {
		<-time.After(time.Hour)
	}
}

func (w *worker) closeOutput(m message) {
	os.Stdout.Close()
	w.hang(m)
}

func (w *worker) garbage(m message) {
	say("}{ nonsense\n\n%s\n[1,2]", strings.Repeat("x", 2<<20))
	say(`{"jsonrpc":"2.0","id":%s,"result":{}}`, m.ID)
}

func (w *worker) half(m message) {
	fmt.Fprintf(os.Stdout, `{"jsonrpc":"2.0","id":%s,`, m.ID)
	<-time.After(20 * time.Millisecond)
	say(`"result":{"big":18446744073709551615}}`)
}

func (w *worker) grow(message) {
	held := make([]byte, 300<<20)
	for i := range held {
		held[i] = byte(i)
	}
	say(`{"jsonrpc":"2.0","method":"grown","params":{"held":%d}}`, len(held))
}

func (w *worker) fork(m message) {
	child := exec.Command("sleep", "1000")
	_ = child.Start()
	say(`{"jsonrpc":"2.0","id":%s,"result":{"child":%d}}`, m.ID, child.Process.Pid)
}

func (w *worker) flood(m message) {
	for i := range 20_000 {
		say(`{"jsonrpc":"2.0","method":"flood","params":{"n":%d}}`, i)
	}
	say(`{"jsonrpc":"2.0","id":%s,"result":{}}`, m.ID)
}

// pester asks more than anybody answers.
func (w *worker) pester(m message) {
	for i := range 5000 {
		say(`{"jsonrpc":"2.0","id":"q%d","method":"sampling/createMessage","params":{}}`, i)
	}
	say(`{"jsonrpc":"2.0","id":%s,"result":{}}`, m.ID)
}

func say(format string, args ...any) { fmt.Fprintf(os.Stdout, format+"\n", args...) }
