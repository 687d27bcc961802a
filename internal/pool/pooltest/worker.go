// Package pooltest is a worker for tests, which crashes, hangs and grows when it is told to.
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
		work(name)
		os.Exit(0)
	}
}

type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

func work(name string) {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 64<<20)
	var late string
	for lines.Scan() {
		var m message
		_ = json.Unmarshal(lines.Bytes(), &m)
		if m.Method == "tools/call" {
			var call struct{ Name string }
			_ = json.Unmarshal(m.Params, &call)
			m.Method = call.Name
		}
		switch m.Method {
		case "initialize":
			var hello struct{ ProtocolVersion string }
			_ = json.Unmarshal(m.Params, &hello)
			say(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":%q,"capabilities":{"x-unknown":18446744073709551615},"worker":%q}}`, m.ID, hello.ProtocolVersion, name)
		case "tools/list":
			say(`{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"echo","inputSchema":{"type":"object","properties":{"where":{"type":"string","x-mcp-header":"Where"}}}}]}}`, m.ID)
		case "progress": // twice, then the answer
			var p struct {
				Meta struct {
					Token json.RawMessage `json:"progressToken"`
				} `json:"_meta"`
			}
			_ = json.Unmarshal(m.Params, &p)
			for i := range 2 {
				say(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":%d,"x":1.10}}`, p.Meta.Token, i+1)
			}
			fallthrough
		case "echo":
			say(`{"jsonrpc":"2.0","id":%s,"result":{"worker":%q,"pid":%d,"principal":%q,"line":%q}}`, m.ID, name, os.Getpid(), os.Getenv("AIDB_PRINCIPAL"), lines.Text())
		case "die":
			fmt.Fprintln(os.Stderr, "about to die")
			os.Exit(3)
		case "hang": // and everything after it
			for {
				time.Sleep(time.Hour)
			}
		case "notifications/cancelled":
			fmt.Fprintln(os.Stderr, "cancelled", string(m.Params))
			say(`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"cancelled":%s}}`, m.Params)
		case "unknown":
			say(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no such method","data":{"n":18446744073709551615},"x-err":1},"x-top":1.0e400}`, m.ID)
		case "late": // answers when the next ping comes, which it answers too
			late = string(m.ID)
		case "ping":
			say(`{"jsonrpc":"2.0","id":%s,"result":{"late":%q}}`, m.ID, late)
		case "garbage":
			say("}{ nonsense\n\n%s\n[1,2]", strings.Repeat("x", 2<<20))
			say(`{"jsonrpc":"2.0","id":%s,"result":{}}`, m.ID)
		case "half":
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,`, m.ID)
			time.Sleep(20 * time.Millisecond)
			say(`"result":{"big":18446744073709551615}}`)
		case "sessions":
			say(`{"jsonrpc":"2.0","method":"notifications/aidb/sessions","params":{"sessions":%s}}`, m.Params)
			say(`{"jsonrpc":"2.0","id":%s,"result":{}}`, m.ID)
		case "ask": // and answers when it is answered
			late = string(m.ID)
			say(`{"jsonrpc":"2.0","id":"question","method":"sampling/createMessage","params":{"maxTokens":18446744073709551615,"x-unknown":null}}`)
		case "grow":
			held := make([]byte, 300<<20)
			for i := range held {
				held[i] = byte(i)
			}
			say(`{"jsonrpc":"2.0","method":"grown","params":{"held":%d}}`, len(held))
		case "fork":
			child := exec.Command("sleep", "1000")
			_ = child.Start()
			say(`{"jsonrpc":"2.0","id":%s,"result":{"child":%d}}`, m.ID, child.Process.Pid)
		case "flood":
			for i := range 20_000 {
				say(`{"jsonrpc":"2.0","method":"flood","params":{"n":%d}}`, i)
			}
			say(`{"jsonrpc":"2.0","id":%s,"result":{}}`, m.ID)
		case "close":
			os.Stdout.Close()
			time.Sleep(time.Hour)
		default:
			if m.Method == "" {
				say(`{"jsonrpc":"2.0","id":%s,"result":{"line":%q}}`, late, lines.Text())
			}
		}
	}
}

func say(format string, args ...any) { fmt.Printf(format+"\n", args...) }
