//go:build linux && amd64

package observing

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"aidb-mcp/internal/testkit"
	"aidb-mcp/internal/testkit/registry"
)

// server answers over HTTP what an order costs, and counts what it was asked.
type server struct {
	file   string // of testdata/servers, with the marks "known" and "served"
	price  string // the function that is given the number of an order and its discount
	served string // the variable that counts
	// build makes it in a copy of its folder; run are its command and arguments but the port.
	build func(t *testing.T, dir string) (run []string)
	long  string // why it is for the long run
}

// builtBy is how a server is built by one command.
func builtBy(command ...string) func(t *testing.T, dir string) []string {
	return func(t *testing.T, dir string) []string {
		t.Helper()
		if err := registry.Run(dir, command...); err != nil {
			t.Fatal(err)
		}
		return []string{filepath.Join(dir, "serving")}
	}
}

var servers = map[string]server{
	"net/http":       {file: "go/serving.go", price: "main.price", served: "Served", build: builtBy("go", "build", "-o", "serving", "serving.go")},
	"std::net":       {file: "rust/serving.rs", price: "price", served: "SERVED", build: builtBy("rustc", "-g", "-o", "serving", "serving.rs")},
	"axum":           {file: "axum/src/main.rs", price: "price", served: "SERVED", build: buildAxum, long: "axum takes half a minute to build"},
	"JDK HttpServer": {file: "jdk/Serving.java", price: "Serving.price", served: "Serving.served", build: compileJava},
	"Spring Boot":    {file: "spring/src/main/java/serving/Serving.java", price: "serving.Serving.price", served: "serving.Serving.served", build: buildSpring, long: "Spring Boot takes half a minute to fetch and to start"},
}

// cheapJava are arguments of a JVM that does not live long.
var cheapJava = []string{"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xms32m", "-Xmx32m"}

func compileJava(t *testing.T, dir string) []string {
	t.Helper()
	if err := registry.Run(dir, "javac", "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-g", "-d", ".", "Serving.java"); err != nil {
		t.Fatal(err)
	}
	return append(append([]string{"java"}, cheapJava...), "-cp", dir, "Serving")
}

// buildAxum builds the server with its crates, once for all runs.
func buildAxum(t *testing.T, dir string) []string {
	t.Helper()
	home := filepath.Join(testkit.Home(), "real", "axum")
	if err := os.MkdirAll(home, 0o755); err != nil {
		t.Fatal(err)
	}
	defer testkit.Alone(t, home+".lock")()
	if err := registry.Run(dir, "cargo", "build", "--quiet", "--locked", "--target-dir", home); err != nil {
		t.Fatal(err)
	}
	return []string{filepath.Join(home, "debug", "serving")}
}

// buildSpring builds the server, whose libraries Maven fetches.
func buildSpring(t *testing.T, dir string) []string {
	t.Helper()
	if err := registry.Run(dir, "mvn", "-q", "-B", "compile", "dependency:build-classpath", "-Dmdep.outputFile=libraries"); err != nil {
		t.Fatal(err)
	}
	libraries, err := os.ReadFile(filepath.Join(dir, "libraries"))
	if err != nil {
		t.Fatal(err)
	}
	return append(append([]string{"java"}, cheapJava...), "-cp", filepath.Join(dir, "target", "classes")+":"+strings.TrimSpace(string(libraries)), "serving.Serving")
}

// serving is a server that runs.
type serving struct {
	*server
	dir     string // of the file
	process *os.Process
	url     string
}

func (s *server) start(t *testing.T) *serving {
	t.Helper()
	dir := t.TempDir()
	folder, file, _ := strings.Cut(s.file, "/")
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "servers", folder))); err != nil {
		t.Fatal(err)
	}
	run := s.build(t, dir)
	dir = filepath.Join(dir, filepath.Dir(file))
	port := strconv.Itoa(testkit.Port(t))
	cmd := exec.Command(run[0], append(run[1:], port)...)
	cmd.Dir = dir
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	p := &serving{s, dir, cmd.Process, "http://127.0.0.1:" + port}
	for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) { // another's program has to begin
		if _, err := p.get("/count"); err == nil {
			return p
		} else if time.Now().After(end) {
			t.Fatal(err)
		}
	}
}

func (p *serving) get(path string) (string, error) {
	r, err := http.Get(p.url + path)
	if err != nil {
		return "", err
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	return strings.TrimSpace(string(text)), err
}

// count is what the server has counted.
func (p *serving) count(t *testing.T) (served, sum int) {
	t.Helper()
	text, err := p.get("/count")
	if err == nil {
		_, err = fmt.Sscan(text, &served, &sum)
	}
	if err != nil {
		t.Fatal(err)
	}
	return served, sum
}

func cost(number int) int { return number*20 - number%3 }

// ask sends orders, a hundred a second, and sees that they are answered.
func (p *serving) ask(t *testing.T, from, to int) {
	t.Helper()
	pace := time.NewTicker(10 * time.Millisecond) // the load is what is tested
	defer pace.Stop()
	for number := from; number < to; number++ {
		<-pace.C
		if text, err := p.get(fmt.Sprintf("/price?number=%d", number)); err != nil || text != strconv.Itoa(cost(number)) {
			t.Fatalf("order %d costs %q, %v", number, text, err)
		}
	}
}

// quickest is how long the quickest of many requests takes, which a busy machine disturbs least.
func (p *serving) quickest(t *testing.T) time.Duration {
	t.Helper()
	least := time.Hour
	for range 200 {
		began := time.Now()
		p.count(t)
		least = min(least, time.Since(began))
	}
	return least
}

// resident is how much memory the server has, in kB.
func (p *serving) resident(t *testing.T) (size int) {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	if _, err := fmt.Sscan(rest, &size); err != nil {
		t.Fatal(err)
	}
	return size
}

// isNative says that the server is machine code, whose text can be compared with its file.
func (p *serving) isNative() bool { return !strings.HasSuffix(p.file, ".java") }

// What servers do under load is recorded as they count and answer it themselves, and nothing of
// ours stays in them.
func TestServers(t *testing.T) {
	t.Parallel()
	for name, s := range servers {
		t.Run(name, func(t *testing.T) {
			if s.long != "" {
				testkit.Long(t, s.long)
			}
			t.Parallel()
			recordServer(t, s.start(t))
		})
	}
}

func recordServer(t *testing.T, p *serving) {
	t.Helper()
	const orders, dear = 150, 2000 // what costs more has its total noted
	p.ask(t, 1, 20)
	quickest, resident := p.quickest(t), p.resident(t)
	s := testkit.Start(t, testkit.Options{Dir: p.dir})
	observe(t, s, p.process)
	if p.isNative() && !mayObserve(t, s, program{total: p.price}) {
		return
	}
	arm := func(more A) string {
		more["action"], more["timeout_ms"] = "arm", 60_000
		return s.OK("trace", more).At("data", "id")
	}
	file := filepath.Base(p.file)
	calls := arm(A{"what": "calls", "functions": []string{p.price}})
	values := arm(A{"what": "values", "location": p.at(t, "known"), "expressions": []string{"total"}, "condition": fmt.Sprintf("total > %d", dear)})
	writes := arm(A{"what": "writes", "expression": p.served})
	was, sum := p.count(t)
	p.ask(t, 1, orders+1)
	served, all := p.count(t)
	if want := sumOf(orders); served-was != orders || all-sum != want {
		t.Fatalf("the server counts %d orders of %d, asked were %d of %d", served-was, all-sum, orders, want)
	}
	whole := &store{}
	rows, _ := await(t, s, calls, orders)
	checkPrices(t, rows, file)
	whole.isAll(t, s, calls, len(rows), orders)

	var held []int
	for number := 1; number <= orders; number++ {
		if cost(number) > dear {
			held = append(held, cost(number))
		}
	}
	rows, _ = await(t, s, values, len(held))
	for i, row := range rows {
		if row[3] != strconv.Itoa(held[i]) {
			t.Fatalf("a value is %q, and is to be %d", row, held[i])
		}
	}
	whole.isAll(t, s, values, len(rows), len(held))

	rows, _ = await(t, s, writes, orders)
	for i, row := range rows {
		before, after := row[len(row)-2], row[len(row)-1]
		at := p.at(t, "served")
		if strings.HasSuffix(p.file, ".rs") { // the line that writes is one of the standard library's
			at = row[0]
		}
		if row[0] != at || before != strconv.Itoa(was+i) || after != strconv.Itoa(was+i+1) {
			t.Fatalf("write %d is %q; the server had counted %d before", i, row, was)
		}
	}
	whole.isAll(t, s, writes, len(rows), orders)
	s.OK("session", A{"action": "stop"}).Contains([]string{"summary"}, "left running")
	p.isAsBefore(t, quickest, resident)
	p.killedUnder(t)
}

// at is where a mark stands in the source.
func (p *serving) at(t *testing.T, mark string) string {
	t.Helper()
	s := &store{dir: p.dir, file: filepath.Base(p.file)}
	return fmt.Sprintf("%s:%d", s.file, s.line(t, "// "+mark))
}

func sumOf(orders int) (sum int) {
	for number := 1; number <= orders; number++ {
		sum += cost(number)
	}
	return sum
}

var ordered = regexp.MustCompile(`number=(\d+), discount=(\d+)`)

// checkPrices sees that there is a call for each order, in their order, with its result.
func checkPrices(t *testing.T, rows [][]string, file string) {
	t.Helper()
	for i, row := range rows {
		number := i + 1
		m := ordered.FindStringSubmatch(row[4])
		if m == nil || !strings.HasPrefix(row[0], file+":") || m[1] != strconv.Itoa(number) || m[2] != strconv.Itoa(number%3) || row[5] != strconv.Itoa(cost(number)) {
			t.Fatalf("call %d is %q", number, row)
		}
	}
}

// isAsBefore sees that the server's text, memory and answers are what they were.
func (p *serving) isAsBefore(t *testing.T, quickest time.Duration, resident int) {
	t.Helper()
	if p.isNative() {
		isWhole(t, p.process)
	}
	after, most := p.quickest(t), 2*quickest+200*time.Microsecond
	for end := time.Now().Add(patience); after > most && time.Now().Before(end); after = p.quickest(t) {
		continue // the machine is busier than before
	}
	if after > most {
		t.Errorf("a request takes %s, and took %s before", after, quickest)
	}
	if after := p.resident(t); after > resident+32<<10 {
		t.Errorf("the server has %d kB, and had %d before", after, resident)
	}
}

// killedUnder kills servers of ours while they record and requests come as fast as they are answered.
func (p *serving) killedUnder(t *testing.T) {
	t.Helper()
	rounds := testkit.Rounds(0, 20)
	if rounds == 0 {
		return // others are killed as often, in TestStore and TestKilled
	}
	var asked atomic.Int64
	stop, done := make(chan struct{}), make(chan struct{})
	go func() { // ends when it is told to
		defer close(done)
		for {
			select {
			case <-stop:
				return
			default:
			}
			if _, err := p.get("/price?number=7"); err == nil {
				asked.Add(1)
			}
		}
	}()
	for range rounds {
		s := testkit.Start(t, testkit.Options{Dir: p.dir})
		observe(t, s, p.process)
		id := s.OK("trace", A{"action": "arm", "what": "calls", "functions": []string{p.price}, "timeout_ms": 60_000}).At("data", "id")
		await(t, s, id, 20)
		s.Kill()
		before := asked.Load()
		for end := time.Now().Add(patience); asked.Load() < before+50; time.Sleep(time.Millisecond) { // it is asked of a program of another's
			if time.Now().After(end) {
				t.Fatal("the server answers no more")
			}
		}
	}
	close(stop)
	<-done
	if p.isNative() {
		isWhole(t, p.process)
	}
}
