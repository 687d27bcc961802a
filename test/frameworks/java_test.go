//go:build linux

package frameworks

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"aidb-mcp/internal/testkit"
)

var javaFamily = family{Language: "Java", Samples: []sample{
	{
		Long: "test/languages starts a test by Maven",
		Name: "JUnit 5, by Maven", Dir: "java-maven", Prepare: mavenFetches,
		File: "src/main/java/com/example/shop/Cart.java", Mark: "total", Ask: "sum", Want: "1230",
	},
	{
		Name: "JUnit 5, by Gradle: one row of a test", Dir: "java-gradle", With: A{"test": "TaxTest.dueByCountry[2]"},
		Note: "`init` suggests the whole test; `[2]` selects its second row.",
		File: "src/main/java/com/example/money/Tax.java", Mark: "due", Ask: "due", Want: "83",
	},
	{
		Name: "Spring Boot", Dir: "java-spring", Prepare: mavenFetches,
		File: "src/main/java/com/example/greeter/GreetingController.java", Mark: "reply", Ask: "text", Want: "Hello, Ada",
		Request: "/greeting?name=Ada", Answer: `"number":1`,
	},
	{
		Name: "A main class in a build of several modules", Dir: "java-modules", Prepare: mavenFetches,
		File: "core/src/main/java/com/example/weather/core/Series.java", Mark: "mean", Ask: "sum", Want: "56",
	},
}}

// mavenFetches has Maven fetch what a project needs, once for each state of its
// pom.xml and one project at a time: its repository stands no two that write to it.
func mavenFetches(t *testing.T, dir string) {
	t.Helper()
	pom, err := os.ReadFile(filepath.Join(dir, "pom.xml"))
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(pom)
	fetched := shared(t, "maven-"+hex.EncodeToString(sum[:4]))
	defer testkit.Alone(t, shared(t, "maven.lock"))()
	if _, err := os.Stat(fetched); err == nil {
		return
	}
	cmd := exec.Command("mvn", "-q", "-B", "test-compile", "dependency:build-classpath")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "MAVEN_OPTS=-XX:TieredStopAtLevel=1") // it does not live long
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("mvn: %v\n%s", err, out)
	}
	if err := os.WriteFile(fetched, nil, 0o644); err != nil {
		t.Fatal(err)
	}
}
