// Package bench is what the benchmark measures of C++ and Rust.
package bench

import (
	"embed"
	"path/filepath"

	"aidb-mcp/internal/commands/bench/debuggee"
)

//go:embed _program
var programs embed.FS

// CPP is what is measured of C++.
func CPP() debuggee.Set {
	return debuggee.Set{
		Sessions: []debuggee.Session{{
			Name: "C++ (CodeLLDB)", File: "average.cpp", First: "int sum = 0", Ratio: debuggee.StepRatio,
			Args:    debuggee.Object{"mode": "exec", "adapter_options": debuggee.Object{"debugger": "codelldb"}},
			Build:   debuggee.Compile("g++", "-g", "-O0"),
			Adapter: codeLLDB,
			Launch:  func(p *debuggee.Program) debuggee.Object { return codeLLDBLaunch(p, "cpp") },
			Files:   programs,
		}},
		Rates: []debuggee.Rate{
			{Session: debuggee.Session{Name: "C++, gdb", File: "rate.cpp", Args: gdbOptions, Build: debuggee.Compile("g++", "-g", "-O0"), Files: programs, First: debuggee.Counted}, Few: 1_000, Many: 9_000, Logged: 400, Least: 2_000},
			{Session: debuggee.Session{Name: "C++, LLDB", File: "rate.cpp", Args: lldbOptions, Build: debuggee.Compile("g++", "-g", "-O0"), Files: programs, First: debuggee.Counted}, Few: 500, Many: 3_500, Logged: 400, Least: 900},
		},
		Paces: []debuggee.Pace{{
			Name: "C++, at work", File: "main.cpp", Target: "main", Rounds: 10_000_000, Diagnose: 4,
			Start: debuggee.Object{"language": "cpp"}, Build: debuggee.Builds("c++", "-g", "-o", "main", "main.cpp"), Plain: debuggee.Runs("./main"),
			Text: cppAtWork,
		}},
		Armed: []debuggee.Armed{{
			Name: "C++, armed", File: "armed.cpp", Text: armed, Value: "number", Build: debuggee.Builds("c++", "-g", "-o", "armed", "armed.cpp"),
			Plain: debuggee.Runs("./armed"), Start: debuggee.Object{"adapter_options": debuggee.Object{"observe": true}},
		}},
		Holdings: []debuggee.Holding{{
			Name: "C++, a map of 1,000,000", File: "main.cpp", Target: "main", Count: 1_000_000, Text: heldMap,
			Start: debuggee.Object{"language": "cpp"}, Build: debuggee.Builds("c++", "-g", "-o", "main", "main.cpp"),
		}},
	}
}

// Rust is what is measured of Rust.
func Rust() debuggee.Set {
	return debuggee.Set{
		Sessions: []debuggee.Session{{
			Name: "Rust (CodeLLDB)", File: "average.rs", First: "let mut sum = 0", Ratio: debuggee.StepRatio,
			Args:    debuggee.Object{"mode": "exec", "adapter_options": debuggee.Object{"debugger": "codelldb"}},
			Build:   debuggee.Compile("rustc", "-g"),
			Adapter: codeLLDB,
			Launch:  func(p *debuggee.Program) debuggee.Object { return codeLLDBLaunch(p, "rust") },
			Files:   programs,
		}},
		Rates: []debuggee.Rate{
			{Session: debuggee.Session{Name: "Rust, gdb", File: "rate.rs", Args: gdbOptions, Build: debuggee.Compile("rustc", "-g"), Files: programs, First: debuggee.Counted}, Few: 1_000, Many: 9_000, Logged: 400, Least: 2_000},
			{Session: debuggee.Session{Name: "Rust, LLDB", File: "rate.rs", Args: lldbOptions, Build: debuggee.Compile("rustc", "-g"), Files: programs, First: debuggee.Counted}, Few: 500, Many: 3_500, Logged: 400, Least: 900},
		},
		Paces: []debuggee.Pace{{
			Name: "Rust, at work", File: "main.rs", Target: "main", Rounds: 10_000_000, Diagnose: 4,
			Start: debuggee.Object{"language": "rust"}, Build: debuggee.Builds("rustc", "-g", "-o", "main", "main.rs"), Plain: debuggee.Runs("./main"),
			Text: rustAtWork,
		}},
	}
}

var (
	gdbOptions  = debuggee.Object{"start": debuggee.Object{"adapter_options": debuggee.Object{"debugger": "gdb"}}}
	lldbOptions = debuggee.Object{"start": debuggee.Object{"adapter_options": debuggee.Object{"debugger": "codelldb"}}}
)

func codeLLDB(*debuggee.Program) (debuggee.Command, error) {
	dir, err := debuggee.Component("codelldb", "adapter", "codelldb")
	if err != nil {
		return debuggee.Command{}, err
	}
	return debuggee.Command{ID: "lldb", Path: filepath.Join(dir, "adapter", "codelldb"), Args: []string{
		"--liblldb", filepath.Join(dir, "lldb", "lib", "liblldb.so"), "--settings", `{"evaluateForHovers":true}`,
	}}, nil
}

func codeLLDBLaunch(p *debuggee.Program, language string) debuggee.Object {
	return debuggee.Object{
		"name": "bench", "type": "lldb", "request": "launch", "program": p.Binary, "cwd": p.Dir,
		"expressions": "native", "terminal": "console", "sourceLanguages": []string{language},
		"initCommands": []string{"settings set target.preload-symbols false", "settings set symbols.enable-external-lookup false"},
	}
}

const cppAtWork = `#include <cstdlib>
#include <iostream>
#include <vector>

static long mix(long a, long b) { return (a * 31 + b) % 1000003; }

static long step(long sum, long i) {
    if (i % 3 == 0)
        return mix(sum, i);
    return mix(i, sum);
}

static long work(long rounds) {
    long sum = 1;
    for (long i = 0; i < rounds; i++) {
        sum = step(sum, i);
        if (sum < 0) {
            sum = 0; // never
        }
    }
    return sum;
}

int main(int, char **argv) {
    std::vector<int> table = {1, 2, 3};
    long sum = work(std::atol(argv[1]));
    std::cout << table.at(sum + 3) << "\n";
}
`

const heldMap = `#include <cstdlib>
#include <iostream>
#include <map>

int main(int, char **argv) {
    std::map<long, long> numbers;
    for (long i = 0; i < std::atol(argv[1]); i++) {
        numbers[i] = i;
    }
    long x = numbers.size(); // held
    x += 1;
    x += 2;
    x += 3;
    x += 4;
    x += 5;
    x += 6;
    std::cout << x << numbers.size() << "\n";
}
`

const rustAtWork = `fn mix(a: i64, b: i64) -> i64 { (a * 31 + b) % 1000003 }

fn step(sum: i64, i: i64) -> i64 {
    if i % 3 == 0 { mix(sum, i) } else { mix(i, sum) }
}

fn work(rounds: i64) -> i64 {
    let (mut sum, mut i) = (1, 0);
    while i < rounds {
        sum = step(sum, i);
        if sum < 0 {
            sum = 0; // never
        }
        i += 1;
    }
    sum
}

fn main() {
    let table = vec![1, 2, 3];
    let sum = work(std::env::args().nth(1).unwrap().parse().unwrap());
    println!("{}", table[sum as usize + 3]);
}
`

const armed = `#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

static int total = 1;

static int step(int number) {
  total = (total * 31LL + number) % 1000003; // armed
  return total;
}

int main(int, char **argv) {
  using clock = std::chrono::steady_clock;
  double rate = atof(argv[1]) / 1000, gap = 0, behind = 0;
  int calls = 0;
  auto began = clock::now();
  auto now = [&] { return std::chrono::duration<double, std::milli>(clock::now() - began).count(); };
  double since = now(), told = since;
  for (;;) {
    double at = now();
    gap = std::max(gap, at - since);
    double due = std::min(at * rate - calls - behind, 50.0);
    behind = std::max(at * rate - calls - 50, behind);
    for (int i = 0; i < (int)due; i++) step(calls++);
    since = now();
    if (since - told > 500) {
      printf("calls %d gap %.1f\n", calls, gap);
      fflush(stdout);
      told = since;
      gap = 0;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}
`
