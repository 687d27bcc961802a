// Package bench is what the benchmark measures of Java.
package bench

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"aidb-mcp/adapters/install"
	"aidb-mcp/internal/commands/bench/debuggee"
)

//go:embed _program
var programs embed.FS

// Set is what is measured of Java.
func Set() debuggee.Set {
	return debuggee.Set{
		Sessions: []debuggee.Session{{
			Name: "Java (our bridge)", File: "Average.java", First: "int sum = 0", Ratio: debuggee.StepRatio,
			Args:    debuggee.Object{"target": "Average", "language": "java", "adapter_options": debuggee.Object{"classPath": []string{"."}}},
			Build:   compileJava,
			Adapter: javaBridge,
			Launch: func(p *debuggee.Program) debuggee.Object {
				java, _ := exec.LookPath("java") // the bridge was started with it
				return debuggee.Object{
					"java": java, "command": []string{"-cp", p.Dir, "Average"}, "cwd": p.Dir,
					"sourceRoots": []string{p.Dir}, "classRoots": []string{p.Dir},
				}
			},
			Files: programs,
		}},
		Rates: []debuggee.Rate{
			{Session: debuggee.Session{Name: "Java, by an agent", File: "Rate.java", Build: compileJava, Args: debuggee.Object{"target": "Rate", "language": "java", "start": debuggee.Object{"adapter_options": debuggee.Object{"classPath": []string{"."}}}}, Files: programs, First: debuggee.Counted}, Few: 5_000, Many: 205_000, Logged: 6_000, Least: 20_000},
		},
		Wides: []debuggee.Wide{{
			Name: "Java, wide", Module: wideJava, Main: wideJavaMain, Pattern: "M*", Target: "Main", Noted: debuggee.WideNoted + 1,
			Start: debuggee.Object{"language": "java", "adapter_options": debuggee.Object{"classPath": []string{"."}}},
			Build: debuggee.Builds("javac", "-g", "Main.java"),
			Plain: func(ctx context.Context, _ string) *exec.Cmd {
				return exec.CommandContext(ctx, "java", "-cp", ".", "Main")
			},
		}},
		Paces: []debuggee.Pace{{
			Name: "Java, at work", File: "Main.java", Target: "Main", Rounds: 10_000_000, Diagnose: 2,
			Start: debuggee.Object{"language": "java", "adapter_options": debuggee.Object{"classPath": []string{"."}}},
			Build: debuggee.Builds("javac", "-g", "Main.java"), Plain: debuggee.Runs("java", "-cp", ".", "Main"),
			Text: atWork,
		}},
		Armed: []debuggee.Armed{{
			Name: "Java, armed", File: "Armed.java", Text: armed, Value: "number", Build: debuggee.Builds("javac", "-g", "Armed.java"),
			Plain: debuggee.Runs("java", "-cp", ".", "Armed"), Start: debuggee.Object{"adapter_options": debuggee.Object{"observe": true}},
		}},
		Holdings: []debuggee.Holding{{
			Name: "Java, a HashMap of 1,000,000", File: "Main.java", Target: "Main", Count: 1_000_000, Text: heldMap,
			Start: debuggee.Object{"language": "java", "adapter_options": debuggee.Object{"classPath": []string{"."}}},
			Build: debuggee.Builds("javac", "-g", "Main.java"),
		}},
	}
}

func compileJava(ctx context.Context, p *debuggee.Program) error {
	cmd := exec.CommandContext(ctx, "javac", "-g", p.File)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("javac: %w\n%s", err, out)
	}
	return nil
}

// javaBridge is the bridge as it was compiled last for the JDK in PATH.
func javaBridge(*debuggee.Program) (debuggee.Command, error) {
	java, err := exec.LookPath("java")
	if err != nil {
		return debuggee.Command{}, err
	}
	said, err := exec.Command(java, "--version").Output() // "openjdk 17.0.2 2022-01-18"
	words := strings.Fields(string(said))
	if err != nil || len(words) < 2 {
		return debuggee.Command{}, fmt.Errorf("java --version said %q: %w", said, err)
	}
	major, _, _ := strings.Cut(words[1], ".")
	dirs, _ := filepath.Glob(filepath.Join(install.Store{Home: install.Home()}.Dir("java-debug"), "classes-*-"+major)) // well formed
	newest, when := "", time.Time{}
	for _, dir := range dirs {
		if info, err := os.Stat(dir); err == nil && info.ModTime().After(when) {
			newest, when = dir, info.ModTime()
		}
	}
	if newest == "" {
		return debuggee.Command{}, errors.New("the Java bridge is not compiled (aidb-mcp adapters install java)")
	}
	return debuggee.Command{ID: "java", Path: java, Args: []string{
		"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-XX:-UsePerfData", "-Xmx256m", "-Xss4m", "-cp", newest, "aidb.bridge.Main",
	}}, nil
}

func wideJava(n int) (file, text string) {
	return fmt.Sprintf("M%d.java", n), fmt.Sprintf("final class M%d {\n", n) + debuggee.EachFunction(`
    /** Counts the letters of a name. */
    static int f#(int sum, String name) {
        for (int i = 0; i < name.length(); i++) {
            if (name.charAt(i) == 'e' && i > #) {
                sum += name.charAt(i) * i;
            }
        }
        if (sum < 0) {
            return 0;
        }
        return sum + name.length() - #;
    }
`) + "\n    static int run(int sum) {\n" + debuggee.EachCalled("        sum = f#(sum, \"measured\");\n") + "        return sum;\n    }\n}\n"
}

func wideJavaMain() (file, text string) {
	return "Main.java", "class Main {\n    public static void main(String[] args) {\n        int sum = 0;\n" +
		debuggee.EachModule("        sum = M#.run(sum);\n") + "        System.out.println(sum);\n    }\n}\n"
}

const heldMap = `import java.util.HashMap;

public class Main {
    public static void main(String[] args) {
        HashMap<Integer, Integer> numbers = new HashMap<>();
        for (int i = 0; i < Integer.parseInt(args[0]); i++) {
            numbers.put(i, i);
        }
        int x = numbers.size(); // held
        x += 1;
        x += 2;
        x += 3;
        x += 4;
        x += 5;
        x += 6;
        System.out.println(x + numbers.size());
    }
}
`

const atWork = `public class Main {
    static int mix(int a, int b) {
        return (a * 31 + b) % 1000003;
    }

    static int step(int sum, int i) {
        if (i % 3 == 0) {
            return mix(sum, i);
        }
        return mix(i % 1000, sum);
    }

    static int work(int rounds) {
        int sum = 1;
        for (int i = 0; i < rounds; i++) {
            sum = step(sum, i);
            if (sum == 1000003) {
                sum = 0; // never
            }
        }
        return sum;
    }

    public static void main(String[] args) {
        int[] table = {1, 2, 3};
        int sum = work(Integer.parseInt(args[0]));
        System.out.println(table[Math.abs(sum) + 3]);
    }
}
`

const armed = `public class Armed {
    static int total = 1;

    static int step(int number) {
        total = (total * 31 + number) % 1000003; // armed
        return total;
    }

    public static void main(String[] args) throws Exception {
        double rate = Double.parseDouble(args[0]) / 1000, gap = 0, behind = 0;
        int calls = 0;
        long began = System.nanoTime();
        double since = 0, told = 0;
        for (;;) {
            double at = (System.nanoTime() - began) / 1e6;
            gap = Math.max(gap, at - since);
            double due = Math.min(at * rate - calls - behind, 50);
            behind = Math.max(at * rate - calls - 50, behind);
            for (int i = 0; i < (int) due; i++) step(calls++);
            since = (System.nanoTime() - began) / 1e6;
            if (since - told > 500) {
                System.out.println("calls " + calls + " gap " + (float) gap);
                told = since;
                gap = 0;
            }
            Thread.sleep(1);
        }
    }
}
`
