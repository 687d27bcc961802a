package debugpy

import (
	"fmt"
	"strings"
	"testing"

	"aidb-mcp/internal/recording"
)

// written changes what is called total in many ways: in plain statements and in such as call
// something, raise, or are seen only later.
const written = `
import threading, operator
class A:
    def __init__(self): self.total = 0
    def add(self, k):
        self.total += k
    def bad(self, k):
        self.total = self.total // k
class P:
    def __init__(self): self._t = 0
    @property
    def total(self): return self._t
    @total.setter
    def total(self, v): self._t = v
class S:
    __slots__ = ("total",)
class W:
    def __setattr__(self, k, v): object.__setattr__(self, k, v * 2)
class D(A):
    def add(self, k):
        super().add(k)
        self.total = self.total
a, p, s, w, d = A(), P(), S(), W(), D()
s.total = 1
w.total = 1
for i in range(9):
    a.add(i)
    p.total += i
    s.total += 1
    w.total = i
    d.add(i)
    a.total = a.total + 1
for i in range(9):
    try:
        a.bad(i % 3)
    except ZeroDivisionError:
        pass
    a.total = i
    if i % 4 == 0: setattr(a, "total", 77)
    if i % 5 == 0: a.__dict__["total"] = 5; a.total += 1
    a.total = str(i) * 70
    a.total = [i]
    a.total.append(3)
    a.total = None
    a.total = i * 10 ** 30
    a.total = float(i)
def alias(x, y):
    for i in range(5):
        x.total = i
        y.total = x.total + 1
        x.total += y.total
    del x.total
    x.total = 3
alias(a, a)
alias(a, d)
class Op:
    def __init__(self, o): self.o = o
    def __add__(self, n):
        self.o.total = 100
        return n
def op(x, o):
    for i in range(5):
        x.total = o + i
op(a, Op(a))
def t(o):
    for i in range(5):
        o.total = o.total + 1
for k in range(3):
    th = threading.Thread(target=t, args=(a,), name="w%d" % k)
    th.start(); th.join()
def gen(o):
    for i in range(9):
        o.total = i
        yield i
for x in gen(a): a.total += x
def once(o):
    for i in range(6): o.total = i
once(a)
while a.total > 0: a.total -= 1
vars(a).update(total=9)
a.total = 4
operator.setitem(a.__dict__, "total", 8)
members = a.__dict__
for i in range(6):
    members["total"] = i * 7
    a.total = a.total + 1
total = 0
def local(n):
    total = 0
    for i in range(n):
        total += i
        total = total * 1
    return total
def shared(n):
    global total
    for i in range(n):
        total = total + i
    total = None
    total = 0
def rec(n):
    total = n
    if n: rec(n - 1)
    total += 1
    return total
class K:
    total = 0
    for i in range(5): total += i
def many(xs):
    total = "a"
    for x in xs:
        total = x
        total: int = 3
        total, y = 1, 2
        total = y = 7
        if x: total = x
        total = (
            x
        )
        total = x; y = total
        for total in range(2): pass
        try: total = 1 // (x - 2)
        except ZeroDivisionError as e: total = 9
        del total
        total = 2
    return total
for i in range(5):
    total += [1, 2, 3][i % 3]
    local(i); shared(i); rec(4); many([1, 2, 3, 0])
`

// What is noted in a short way, where the first and the last writes are enough, is what is noted
// in the long one, and each write has its number.
func TestRecordedWritesAreTheSameInShort(t *testing.T) {
	for _, expression := range []string{"a.total", "total"} {
		dir, file := program(t, strings.Split(written, "\n")...)
		noted := func(ends int64) (list []string) {
			log, printed := recordedRun(t, "script", file, recording.Spec{Writes: &recording.Writes{Expression: expression, Ends: ends}}, dir)
			if printed != "" {
				t.Fatalf("it printed %s", printed)
			}
			places, all := map[string]int64{}, int64(0)
			for _, e := range log.Events {
				if e.Kind == recording.Write {
					places[e.Place]++
					all++
				}
				if ends > 0 && e.Kind == recording.Write && (e.Hit != places[e.Place] || e.Among != all) {
					t.Fatalf("write %d, the one to its place number %d, has the numbers %d and %d", all, places[e.Place], e.Among, e.Hit)
				}
				list = append(list, fmt.Sprint(e.Kind, e.At, e.Function, e.Thread, e.Text, len(places), texts(e.Values)))
			}
			return list
		}
		long := noted(0)
		for _, ends := range []int64{1, 5, 40} {
			short := noted(ends)
			for i := range min(len(long), len(short)) {
				if long[i] != short[i] {
					t.Fatalf("%s, after %d: event %d is\n%s\nand not\n%s", expression, ends, i+1, short[i], long[i])
				}
			}
			if len(long) != len(short) || len(long) < 200 {
				t.Errorf("%s: %d events, and %d in short", expression, len(long), len(short))
			}
		}
	}
}

func texts(values []recording.Value) (list []string) {
	for _, v := range values {
		list = append(list, v.Shown()+" "+v.Whole())
	}
	return list
}
