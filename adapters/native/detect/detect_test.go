package detect

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"aidb-mcp/adapters"
)

const heapAfterFree = `=================================================================
==7==ERROR: AddressSanitizer: heap-use-after-free on address 0x602000000018 at pc 0x55bf47f4a200 bp 0x7fff47e1f580 sp 0x7fff47e1f578
READ of size 4 at 0x602000000018 thread T2 (worker)
    #0 0x55bf47f4a1ff in shop::use(int*) /w/a b.cpp:3:9
    #1 0x55bf47f4a27b in main /w/a b.cpp:4
    #2 0x7faba8245249 in __libc_start_call_main ../sysdeps/nptl/libc_start_call_main.h:58
    #3 0x55bf47f4a0f0 in _start (/w/uaf+0x10f0) (BuildId: 716954109ac0)

0x602000000018 is located 8 bytes inside of 16-byte region [0x602000000010,0x602000000020)
freed by thread T0 here:
    #0 0x7faba84b76a8 in __interceptor_free ../../../../src/libsanitizer/asan/asan_malloc_linux.cpp:52
    #1 0x55bf47f4a26f in main /w/a b.cpp:4

previously allocated by thread T0 here:
    #0 0x7faba84b89cf in operator new(unsigned long) ../../../../src/libsanitizer/asan/asan_new_delete.cpp:95
    #1 0x55bf47f4a21a in main /w/a b.cpp:4

Thread T2 (worker) created by T0 here:
    #0 0x7f in pthread_create ../../../../src/libsanitizer/asan/asan_interceptors.cpp:207
    #1 0x55 in main /w/a b.cpp:2

SUMMARY: AddressSanitizer: heap-use-after-free /w/a b.cpp:3 in use
Shadow bytes around the buggy address:
  0x0c047fff7fb0: 00
==7==ABORTING
`

const stackOverflow = `==9==ERROR: AddressSanitizer: stack-buffer-overflow on address 0x7faaf2b00030 at pc 0x556a960b646c bp 0x7ffc0e24b040 sp 0x7ffc0e24b038
WRITE of size 4 at 0x7faaf2b00030 thread T0
    #0 0x556a960b646b in stack /w/m.c:37

Address 0x7faaf2b00030 is located in stack of thread T0 at offset 48 in frame
    #0 0x556a960b63d1 in stack /w/m.c:35

  This frame has 1 object(s):
    [32, 48) 'cells' (line 36) <== Memory access at offset 48 overflows this variable
HINT: this may be a false positive if your program uses some custom stack unwind mechanism
`

const deadly = `==9==ERROR: AddressSanitizer: SEGV on unknown address 0x000000000000 (pc 0x56223bc97817 bp 0x7ffd99ee2880 sp 0x7ffd99ee2870 T0)
==9==The signal is caused by a READ memory access.
==9==Hint: address points to the zero page.
    #0 0x56223bc97817 in null /w/m.c:73
`

const leak = `==1==ERROR: LeakSanitizer: detected memory leaks

Direct leak of 100 byte(s) in 1 object(s) allocated from:
    #0 0x7f07192b89cf in __interceptor_malloc ../../../../src/libsanitizer/asan/asan_malloc_linux.cpp:69
    #1 0x55afd10af186 in main /w/leak.c:2

SUMMARY: AddressSanitizer: 100 byte(s) leaked in 1 allocation(s).
`

// told writes a detection in short lines.
func told(d adapters.Detection) (lines []string) {
	for _, f := range d.Faults {
		lines = append(lines, string(f.Kind)+": "+f.Message)
		for _, a := range f.Accesses {
			line := fmt.Sprintf("%s|%s|%s", a.Kind, a.Thread, a.Value)
			for _, fr := range a.Frames {
				line += fmt.Sprintf(" %s@%s:%d", fr.Function, fr.File, fr.Line)
			}
			for _, fr := range a.Made {
				line += fmt.Sprintf(" made %s@%s:%d", fr.Function, fr.File, fr.Line)
			}
			lines = append(lines, line)
		}
		if f.Text == "" || strings.Contains(f.Text, "Shadow bytes") {
			lines = append(lines, "text: "+f.Text)
		}
	}
	return append(lines, d.Notes...)
}

func TestASan(t *testing.T) {
	for _, test := range []struct {
		log  string
		want []string
	}{
		{heapAfterFree, []string{
			"memory_fault: heap-use-after-free, 8 bytes inside of 16-byte region",
			"read|thread T2| shop::use(int*)@/w/a b.cpp:3 main@/w/a b.cpp:4 __libc_start_call_main@:0 _start@:0 made pthread_create@:0 made main@/w/a b.cpp:2",
			"freed|main thread| free@:0 main@/w/a b.cpp:4",
			"allocated|main thread| operator new(unsigned long)@:0 main@/w/a b.cpp:4",
		}},
		{stackOverflow, []string{
			"memory_fault: stack-buffer-overflow, which overflows 'cells'",
			"write|main thread| stack@/w/m.c:37",
			"declared|main thread| stack@/w/m.c:35",
		}},
		{deadly, []string{"memory_fault: SEGV, of an address near null", "read|main thread| null@/w/m.c:73"}},
		{leak, []string{"never freed: 100 bytes in 1 object(s), allocated at /w/leak.c:2 in main"}},
		{"", nil},
		{"the program says ERROR: AddressSanitizer\n", nil},
	} {
		if diff := cmp.Diff(test.want, told(Dirs(nil).ASan(test.log))); diff != "" {
			t.Error(diff)
		}
	}
}

const raced = `==================
WARNING: ThreadSanitizer: data race (pid=10591)
  Read of size 4 at 0x564eb052005c by thread T2 (mutexes: write M0):
    #0 count(void*) /w/race.cpp:4 (race+0x11e9)

  Previous atomic write of size 4 at 0x564eb052005c by main thread:
    [failed to restore the stack]

  Location is global 'counter' of size 4 at 0x564eb052005c (race+0x405c)

  Mutex M0 (0x55) created at:
    #0 pthread_mutex_init ../../../../src/libsanitizer/tsan/x.cpp:1 (libtsan.so.2+0x1)
    #1 main /w/race.cpp:9 (race+0x1)

  Thread T2 (tid=10598, running) created by main thread at:
    #0 pthread_create ../../../../src/libsanitizer/tsan/x.cpp:1001 (libtsan.so.2+0x5e686)
    #1 main /w/race.cpp:5 (race+0x1276)

SUMMARY: ThreadSanitizer: data race /w/race.cpp:4 in count
==================
`

const lockOrder = `==================
WARNING: ThreadSanitizer: lock-order-inversion (potential deadlock) (pid=10664)
  Cycle in lock order graph: M0 (0x56429b68a080) => M1 (0x56429b68a0c0) => M0

  Mutex M1 acquired here while holding mutex M0 in thread T1:
    #0 pthread_mutex_lock ../x.inc:4324 (libtsan.so.2+0x558e1)
    #1 one /w/lock.c:4 (lock+0x11df)

  Mutex M0 previously acquired by the same thread here:
    #0 pthread_mutex_lock ../x.inc:4324 (libtsan.so.2+0x558e1)
    #1 one /w/lock.c:3 (lock+0x11d0)

SUMMARY: ThreadSanitizer: lock-order-inversion (potential deadlock) /w/lock.c:4 in one
==================
`

const unlocked = `==================
WARNING: ThreadSanitizer: unlock of an unlocked mutex (or by a wrong thread) (pid=7)
    #0 pthread_mutex_unlock ../x.inc:4346 (libtsan.so.2+0x1)
    #1 main /w/u.c:5 (u+0x1)

  Location is global 'mu' of size 40 at 0x55 (u+0x4060)

  Mutex M0 (0x55) created at:
    #0 pthread_mutex_unlock ../x.inc:4346 (libtsan.so.2+0x1)
    #1 main /w/u.c:5 (u+0x1)

SUMMARY: ThreadSanitizer: unlock of an unlocked mutex (or by a wrong thread) /w/u.c:5 in main
==================
`

const leftThread = `==================
WARNING: ThreadSanitizer: thread leak (pid=7)
  Thread T1 (tid=8, finished) created by main thread at:
    #0 pthread_create ../x.cpp:1001 (libtsan.so.2+0x1)
    #1 main /w/t.c:6 (t+0x1)

SUMMARY: ThreadSanitizer: thread leak /w/t.c:6 in main
==================
`

func TestTSan(t *testing.T) {
	for _, test := range []struct {
		log  string
		want []string
	}{
		{raced, []string{
			"data_race: data race on global 'counter'",
			"read|thread T2| count(void*)@/w/race.cpp:4 made pthread_create@:0 made main@/w/race.cpp:5",
			"atomic write|main thread|",
			"mutex M0 made|| pthread_mutex_init@:0 main@/w/race.cpp:9",
		}},
		{lockOrder, []string{
			"lock_order: lock-order-inversion (potential deadlock)",
			"locks M1 while holding M0|thread T1| pthread_mutex_lock@:0 one@/w/lock.c:4",
			"locked M0 before|thread T1| pthread_mutex_lock@:0 one@/w/lock.c:3",
		}},
		{unlocked, []string{
			"undefined_behavior: unlock of an unlocked mutex (or by a wrong thread) on global 'mu'",
			"call|| pthread_mutex_unlock@:0 main@/w/u.c:5",
			"mutex M0 made|| pthread_mutex_unlock@:0 main@/w/u.c:5",
		}},
		{leftThread, []string{"a thread was left running that nobody has joined or detached, made at /w/t.c:6 in main"}},
		{leftThread[:strings.Index(leftThread, "\n  Thread")+1], []string{"a thread was left running that nobody has joined or detached"}}, // cut short
		{raced[:strings.Index(raced, "  Previous")], []string{"data_race: data race", "read|thread T2| count(void*)@/w/race.cpp:4"}},
	} {
		d, fatal := Dirs(nil).TSan(test.log)
		if diff := cmp.Diff(test.want, told(d)); diff != "" || fatal != "" {
			t.Error(fatal, diff)
		}
	}
	if _, fatal := (Dirs(nil)).TSan("FATAL: ThreadSanitizer: unexpected memory mapping 0x55\n"); !strings.Contains(fatal, "unexpected memory mapping") {
		t.Errorf("what it could not do is %q", fatal)
	}
}

func TestUBSan(t *testing.T) {
	log := `/w/ub.c:3:45: runtime error: signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'
    #0 0x560d1437f1b8 in add /w/ub.c:3
    #1 0x560d1437f1b9 in main /w/ub.c:9

/w/ub.c:4:12: runtime error: load of misaligned address 0x7ffff40916c9 for type 'int', which requires 4 byte alignment
0x7ffff40916c9: note: pointer points here
 00 00 00  00 00 00 00
              ^ 
    #0 0x560d1437f29d in main /w/ub.c:4

/w/ub.c:5:12: runtime error: something new
`
	want := []string{
		"undefined_behavior: signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'",
		"computed||2147483647 + 1 add@/w/ub.c:3 main@/w/ub.c:9",
		"undefined_behavior: load of misaligned address 0x… for type 'int', which requires 4 byte alignment",
		"read||misaligned address main@/w/ub.c:4",
		"undefined_behavior: something new",
		"fault|| @/w/ub.c:5",
	}
	if diff := cmp.Diff(want, told(Dirs(nil).UBSan(log))); diff != "" {
		t.Error(diff)
	}
}

const valgrindLog = `<?xml version="1.0"?>
<valgrindoutput>
<protocoltool>helgrind</protocoltool>
<status><state>RUNNING</state></status>
<announcethread><hthreadid>3</hthreadid><stack>
<frame><fn>clone</fn><dir>./misc</dir><file>clone.S</file><line>76</line></frame>
<frame><fn>main</fn><dir>/w</dir><file>race.c</file><line>5</line></frame></stack></announcethread>
<error><unique>0x0</unique><tid>3</tid><kind>Race</kind>
<xwhat><text>Possible data race during write of size 4 at 0x10C02C by thread #3</text><hthreadid>3</hthreadid></xwhat>
<stack><frame><fn>work</fn><dir>/w</dir><file>race.c</file><line>4</line></frame></stack>
<xauxwhat><text>This conflicts with a previous read of size 4 by thread #1</text><hthreadid>1</hthreadid></xauxwhat>
<stack><frame><fn>main</fn><dir>/w</dir><file>race.c</file><line>7</line></frame></stack>
<auxwhat>Address 0x10c02c is 0 bytes inside data symbol "counter"</auxwhat></error>
<error><unique>0x1</unique><tid>1</tid><kind>InvalidRead</kind><what>Invalid read of size 4</what>
<stack><frame><fn>use</fn><dir>/w</dir><file>uaf.c</file><line>3</line></frame></stack>
<auxwhat>Address 0x4a40048 is 8 bytes inside a block of size 16 free'd</auxwhat>
<stack><frame><fn>free</fn></frame><frame><fn>main</fn><dir>/w</dir><file>uaf.c</file><line>4</line></frame></stack>
<auxwhat>Block was alloc'd at</auxwhat>
<stack><frame><fn>malloc</fn></frame><frame><fn>main</fn><dir>/w</dir><file>uaf.c</file><line>2</line></frame></stack></error>
<error><unique>0x2</unique><tid>1</tid><kind>Leak_DefinitelyLost</kind>
<xwhat><text>100 bytes in 1 blocks are definitely lost</text><leakedbytes>100</leakedbytes><leakedblocks>1</leakedblocks></xwhat>
<stack><frame><fn>malloc</fn></frame><frame><fn>main</fn><dir>/w</dir><file>leak.c</file><line>2</line></frame></stack></error>
`

// What a killed process has left has no end.
func TestValgrind(t *testing.T) {
	want := []string{
		`data_race: Possible data race during write of size 4, 0 bytes inside data symbol "counter"`,
		"write|thread #3| work@/w/race.c:4 made main@/w/race.c:5",
		"read|main thread| main@/w/race.c:7",
		"memory_fault: Invalid read of size 4, 8 bytes inside a block of size 16 that was freed",
		"read|main thread| use@/w/uaf.c:3",
		"freed|| main@/w/uaf.c:4",
		"allocated|| main@/w/uaf.c:2",
		"never freed: 100 bytes in 1 object(s), allocated at /w/leak.c:2 in main",
	}
	for _, end := range []string{"", "</valgrindoutput>\n", "<error><kind>Inval"} {
		d, err := Valgrind(strings.NewReader(valgrindLog + end))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, told(d)); diff != "" {
			t.Errorf("with the end %q: %s", end, diff)
		}
	}
	if _, err := Valgrind(strings.NewReader("no XML")); err == nil {
		t.Error("what valgrind has not begun is read as a run without a fault")
	}
}
