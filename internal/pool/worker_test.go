package pool

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// The test binary is its own worker, which does what its methods are called.
func TestMain(m *testing.M) {
	if name := os.Getenv("AIDB_WORKER"); name != "" {
		work(name)
		return
	}
	os.Exit(m.Run())
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
		switch m.Method {
		case "echo", "initialize":
			say(`{"jsonrpc":"2.0","id":%s,"result":{"worker":%q,"pid":%d,"principal":%q,"line":%q}}`, m.ID, name, os.Getpid(), os.Getenv("AIDB_PRINCIPAL"), lines.Text())
		case "die":
			fmt.Fprintln(os.Stderr, "about to die")
			os.Exit(3)
		case "hang": // and everything after it
			for {
				time.Sleep(time.Hour)
			}
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
		case "ask":
			say(`{"jsonrpc":"2.0","id":"question","method":"sampling/createMessage","params":{}}`)
			say(`{"jsonrpc":"2.0","id":%s,"result":{}}`, m.ID)
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
				say(`{"jsonrpc":"2.0","method":"heard","params":{"line":%q}}`, lines.Text())
			}
		}
	}
}

func say(format string, args ...any) { fmt.Printf(format+"\n", args...) }
