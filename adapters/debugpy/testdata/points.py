# Executed with boot/rewriting.py: the points of code that has one before each line are come
# to when and where a tracer is told of lines, and what is told to a tracer stays the same.
import asyncio
import sys
import types

PROGRAM = '''
import asyncio
def loops(n):
    t = 0
    for i in range(n): t += i
    for i in range(n):
        if i % 2: continue
        t += i
    while n > 0: n -= 1
    while True:
        n += 1
        if n > 3: break
    else:
        t = 9
    x = [a for a in range(3) if a]
    y = {a: b for a, b in zip("ab", "cd")}
    z = (1 if t else 2)
    w = (n and
         t and
         z)
    return sum(q
               for q in x)
def tries(k):
    try:
        if k == 0: raise ValueError(k)
        if k == 2:
            k = 1 / 0
    except ValueError as e:
        k = str(e)
    except ZeroDivisionError:
        try: raise KeyError
        except KeyError: pass
        finally: k = 4
    else:
        k = 7
    finally:
        k = 8
    return k
def generator(n):
    for i in range(n):
        x = yield i
        if x: break
    y = yield from range(2)
    return y
def one_line(): return (lambda q: q + 1)(2)
def several(a,
            b=1):
    return dict(a=a,
        b=b,
        c=one_line())
def recursive(n):
    return 0 if n == 0 else recursive(n - 1)
class Held:
    async def __aenter__(self): return self
    async def __aexit__(self, *a): return False
async def awaiting(n):
    async with Held() as h:
        LOOP
            await asyncio.sleep(0)
    return await asyncio.sleep(0, h)
async def stream(n):
    for i in range(n):
        await asyncio.sleep(0)
        yield i
class Made:
    x = 1
    def m(self): return super().__init__()
    for i in range(2):
        j = i
def closure():
    v = 1
    def inner():
        nonlocal v
        v += 1
        return v
    return inner() + inner()
''' + "def far(a):\n    while a:\n" + "        a = a - 1 if a else 0\n" * 100 + "    return a\n" + '''
loops(5); [tries(k) for k in range(4)]; list(generator(3)); g = generator(5); next(g); g.send(1); list(g)
one_line(); several(1); recursive(4); asyncio.run(awaiting(3)); Made().m(); closure(); far(150)
if one_line(): assert one_line(), "x"
'''
# At the end of such a loop Python 3.9 tells the line within once more.
PROGRAM = PROGRAM.replace("LOOP", "async for i in stream(n):" if sys.version_info >= (3, 10) else "for i in range(n):")
FILE = "points of code"


def whole(code, point):
    """A code object with a point before each line of its own and of what it makes."""
    code = code.replace(co_consts=tuple(whole(c, point) if isinstance(c, types.CodeType) else c for c in code.co_consts))
    return with_points(code, {line: point(code.co_name, line) for line in sorted(lines_begun(code))})[0]


def traced(code):
    found = []

    def trace(frame, event, arg):
        if frame.f_code.co_filename != FILE:
            return None
        if event == "line":
            found.append((frame.f_code.co_name, frame.f_lineno))
        return trace

    sys.settrace(trace)
    try:
        exec(code, {"__name__": "points"})
    finally:
        sys.settrace(None)
    return found


def come_to(code):
    found = []

    class Point:
        def __init__(self, name, line):
            self.name, self.line = name, line

        def __bool__(self):
            assert sys._getframe(1).f_lineno == self.line
            found.append((self.name, self.line))
            return False

    exec(whole(code, Point), {"__name__": "points"})
    return found


class Silent:
    def __init__(self, name, line):
        pass

    def __bool__(self):
        return False


def compare(what, got, want):
    for n, (a, b) in enumerate(zip(got + [None], want + [None])):
        if a != b:
            print("%s: event %d is %s, want %s after %s" % (what, n, a, b, want[max(n - 3, 0) : n]))
            return


def positions(code):
    """What tells where the instructions of a code object stand."""
    if hasattr(code, "co_positions"):
        yield list(code.co_positions()), code.co_exceptiontable
    for c in code.co_consts:
        if isinstance(c, types.CodeType):
            yield from positions(c)


with open(sys.argv[1], encoding="utf-8") as file:
    exec(compile(file.read(), sys.argv[1], "exec"))
code = compile(PROGRAM, FILE, "exec", dont_inherit=True)
want = traced(code)
compare("come to", come_to(code), want)
compare("traced with points", traced(whole(code, Silent)), want)
compare("positions without points", list(positions(with_points(code, {})[0])), list(positions(code)))
print(len(want), "lines")
