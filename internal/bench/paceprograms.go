package bench

import (
	"context"
	"os/exec"
)

// The programs whose pace is measured: a loop of two small functions, then a value that
// is not there. Each has a line that is never reached.
var paces = []pace{
	{
		name: "Go, at work", file: "main.go", target: ".", module: "module pace\n\ngo 1.25\n", rounds: 10_000_000, diagnose: 2,
		build: builds("go", "build", "-o", "plain", "."), plain: runs("./plain"),
		text: `package main

import (
	"os"
	"strconv"
)

func mix(a, b int) int { return (a*31 + b) % 1000003 }

func step(sum, i int) int {
	if i%3 == 0 {
		return mix(sum, i)
	}
	return mix(i, sum)
}

func work(rounds int) int {
	sum := 1
	for i := 0; i < rounds; i++ {
		sum = step(sum, i)
		if sum < 0 {
			sum = 0 // never
		}
	}
	return sum
}

func main() {
	rounds, _ := strconv.Atoi(os.Args[1])
	table := []int{1, 2, 3}
	sum := work(rounds)
	println(table[sum+3])
}
`,
	},
	{
		name: "Python, at work", file: "main.py", rounds: 1_000_000, diagnose: 4, plain: runs("python3", "main.py"),
		text: `import sys


def mix(a, b):
    return (a * 31 + b) % 1000003


def step(total, i):
    if i % 3 == 0:
        return mix(total, i)
    return mix(i, total)


def work(rounds):
    total = 1
    for i in range(rounds):
        total = step(total, i)
        if total < 0:
            total = 0  # never
    return total


table = [1, 2, 3]
total = work(int(sys.argv[1]))
print(table[total + 3])
`,
	},
	{
		name: "JavaScript, at work", file: "main.js", rounds: 10_000_000, diagnose: 2, plain: runs("node", "main.js"),
		text: `'use strict';
function mix(a, b) { return (a * 31 + b) % 1000003; }

function step(sum, i) {
  if (i % 3 === 0) return mix(sum, i);
  return mix(i, sum);
}

function work(rounds) {
  let sum = 1;
  for (let i = 0; i < rounds; i++) {
    sum = step(sum, i);
    if (sum < 0) {
      sum = 0; // never
    }
  }
  return sum;
}

const table = [[1], [2], [3]];
const sum = work(Number(process.argv[2]));
console.log(table[sum + 3].length);
`,
	},
	{
		name: "Java, at work", file: "Main.java", target: "Main", rounds: 10_000_000, diagnose: 2,
		start: object{"language": "java", "adapter_options": object{"classPath": []string{"."}}},
		build: builds("javac", "-g", "Main.java"), plain: runs("java", "-cp", ".", "Main"),
		text: `public class Main {
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
`,
	},
	{
		name: "C++, at work", file: "main.cpp", target: "main", rounds: 10_000_000, diagnose: 4,
		start: object{"language": "cpp"}, build: builds("c++", "-g", "-o", "main", "main.cpp"), plain: runs("./main"),
		text: `#include <cstdlib>
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
`,
	},
	{
		name: "Rust, at work", file: "main.rs", target: "main", rounds: 10_000_000, diagnose: 4,
		start: object{"language": "rust"}, build: builds("rustc", "-g", "-o", "main", "main.rs"), plain: runs("./main"),
		text: `fn mix(a: i64, b: i64) -> i64 { (a * 31 + b) % 1000003 }

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
`,
	},
}

func builds(command string, args ...string) func(context.Context, string) error {
	return func(ctx context.Context, dir string) error {
		return quietly(exec.CommandContext(ctx, command, args...), dir)
	}
}

// runs is the program by itself: it is told its rounds last.
func runs(command string, args ...string) func(ctx context.Context, dir, rounds string) *exec.Cmd {
	return func(ctx context.Context, dir, rounds string) *exec.Cmd {
		told := append(append([]string{}, args...), rounds)
		if command[0] == '.' { // exec looks for it where we are, not where it will run
			command = dir + command[1:]
		}
		return exec.CommandContext(ctx, command, told...)
	}
}
