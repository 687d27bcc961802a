# Places writes to all kinds of places in all kinds of ways: each function writes to
# one, and looks at it at the mark that ends in "seen".
import array
import asyncio
import collections
import contextlib
import dataclasses
import json
import threading

import helper


class Plain:
    shared = 1

    def __init__(self, a):
        self.a = a  #@mark plain-init
        self._size = 0

    @property
    def size(self):
        return self._size

    @size.setter
    def size(self, n):
        self._size = n  #@mark setter


class Slots:
    __slots__ = ("a",)

    def __init__(self, a):
        self.a = a


class Hiding(Slots):
    __slots__ = ("a",)


@dataclasses.dataclass(frozen=True)
class Frozen:
    a: int

    def __post_init__(self):
        object.__setattr__(self, "a", self.a + 1)  #@mark frozen


@dataclasses.dataclass
class Data:
    a: int
    b: list = dataclasses.field(default_factory=list)


class Field:
    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __set__(self, instance, value):
        instance.__dict__[self.name] = value  #@mark descriptor

    def __get__(self, instance, owner):
        return instance.__dict__[self.name]


class Described:
    a = Field()


def augmented():
    n = 1
    n += 2  #@mark augmented
    return n  #@mark augmented-seen


def unpacked(pair):
    a, (b, *c) = pair  #@mark unpacked
    return b, c, a  #@mark unpacked-seen


def walrus():
    if (n := len("four")) > 3:  #@mark walrus
        return n  #@mark walrus-seen


@contextlib.contextmanager
def five():
    yield 5


def with_as():
    with five() as n:  #@mark with
        m = n + 1
        n = m  #@mark in-with
    return n  #@mark with-seen


def with_kept():
    with five() as n:  #@mark with-kept
        pass
    return n  #@mark with-kept-seen


def for_target():
    for n in range(4):  #@mark for
        pass
    return n  #@mark for-seen


def for_left():
    for n in range(4):
        n = 10 * n  #@mark in-for
    return n  #@mark for-left-seen


def except_as():
    try:
        int("x")
    except ValueError as e:  #@mark except
        return str(e)  #@mark except-seen


def kept(n=1):
    try:
        n = 2  #@mark kept
        n = int("x")
    except ValueError:
        pass
    return n  #@mark kept-seen


def deleted():
    d = {"a": 1, "b": 2}
    del d["a"]  #@mark deleted
    d["a"] = 3  #@mark again
    return d  #@mark deleted-seen


def star(*args, **kwargs):
    return args, kwargs  #@mark star-seen


def default(n=7):
    return n  #@mark default-seen


def long_call():
    n = min(  #@mark long-call
        12,
        len("longer"),
    )
    return n  #@mark long-call-seen


def with_lambda():
    n = 3  #@mark before-lambda
    m = max([1, 2], key=lambda n: -n)
    return n + m  #@mark lambda-seen


def counter():
    n = 0

    def count():
        nonlocal n
        n += 1  #@mark nonlocal
        return n  #@mark closures-seen

    return count


def closures():
    one, other = counter(), counter()
    one()
    other()
    one()
    other()
    one()
    one()


total = 0


def global_write():
    global total
    total = 9  #@mark global
    return total  #@mark global-seen


def module_write():
    helper.level = 5  #@mark module
    return helper.level  #@mark module-seen


def module_own():
    helper.raise_level(6)
    return helper.level  #@mark module-own-seen


def class_write():
    Plain.shared = 2  #@mark class
    p = Plain(1)
    return p.shared  #@mark class-seen


def instance_over_class():
    p = Plain(1)
    p.shared = 3  #@mark over-class
    return p.shared  #@mark over-class-seen


def slots():
    s = Slots(1)
    s.a = 4  #@mark slots
    return s.a  #@mark slots-seen


def hidden_slot():
    s = Hiding(1)
    Slots.a.__set__(s, 7)  # in the member that the other one hides
    setattr(s, "a", 4)  #@mark hidden-slot
    return s.a  #@mark hidden-slot-seen


def frozen():
    f = Frozen(1)
    return f.a  #@mark frozen-seen


def data():
    d = Data(3)  #@mark data
    return d.a  #@mark data-seen


def property_write():
    p = Plain(1)
    p.size = 8
    return p._size  #@mark property-seen


def descriptor():
    d = Described()
    d.a = 6
    return d._a  #@mark descriptor-seen


def by_setattr():
    p = Plain(1)
    setattr(p, "a", 2)  #@mark setattr
    return p.a  #@mark setattr-seen


def by_vars():
    p = Plain(1)
    vars(p).update(a=3)  #@mark vars
    return p.a  #@mark vars-seen


def by_dict():
    p = Plain(1)
    p.__dict__["a"] = 4  #@mark dict
    return p.a  #@mark dict-seen


def appended():
    xs = [1]
    xs.append(2)  #@mark append
    return xs[1]  #@mark append-seen


def sorted_list():
    xs = [3, 1, 2]
    xs.sort()  #@mark sort
    return xs[0]  #@mark sort-seen


def popped():
    xs = [3, 1, 2]
    xs.pop(0)  #@mark pop
    return xs[0]  #@mark pop-seen


def updated():
    d = {"a": 1}
    d.update(a=2)  #@mark update
    return d["a"]  #@mark update-seen


def defaulted():
    d = {}
    d.setdefault("a", 5)  #@mark setdefault
    return d["a"]  #@mark setdefault-seen


def grown():
    xs = [1]
    ys = xs
    ys += [2]  #@mark grown
    return xs  #@mark grown-seen


def added():
    s = {1}
    s.add(2)  #@mark add
    return s  #@mark add-seen


def sliced():
    xs = [1, 2, 3]
    xs[1:] = [8, 9]  #@mark slice
    return xs[1]  #@mark slice-seen


def deque():
    q = collections.deque([1])
    q.appendleft(0)  #@mark deque
    return q[0]  #@mark deque-seen


def packed():
    a = array.array("i", [1, 2, 3])
    a[1] = 9  #@mark array
    return a[1]  #@mark array-seen


def parsed():
    d = json.loads('{"a": {"b": 4}}')  #@mark json
    return d["a"]["b"]  #@mark json-seen


def behind():
    p = Plain(1)
    change = p.__dict__.__setitem__
    change("a", 5)
    return p.a  #@mark behind-seen


def comprehension():
    xs = [n * n for n in range(4)]  #@mark comprehension
    return xs  #@mark comprehension-seen


def generated():
    def numbers():
        n = 1
        while True:
            n = n * 2  #@mark generator
            yield n

    for n in numbers():  #@mark generator-for
        if n > 4:
            return n  #@mark generator-seen


def chosen(shape):
    match shape:
        case {"size": size}:  #@mark case
            return size  #@mark case-seen


def in_thread():
    p = Plain(1)

    def work():
        p.a = 11  #@mark thread

    t = threading.Thread(target=work)
    t.start()
    t.join()
    return p.a  #@mark thread-seen


def in_tasks():
    p = Plain(0)

    async def work(n):
        await asyncio.sleep(0)
        p.a += n  #@mark task

    async def main():
        await asyncio.gather(work(1), work(2))

    asyncio.run(main())
    return p.a  #@mark task-seen


def one_line(xs):
    n = 0
    for x in xs: n += x  #@mark one-line
    return n  #@mark one-line-seen


def main():
    unpacked((1, (2, 3, 4)))  #@mark unpacked-call
    star(1, 2, key=3)  #@mark star-call
    chosen({"size": 2})
    one_line([1, 2])
    for function in (
        augmented, walrus, with_as, with_kept, for_target, for_left, except_as, kept, deleted, default, long_call, with_lambda,
        closures, global_write, module_write, module_own, class_write, instance_over_class, slots, hidden_slot, frozen, data,
        property_write, descriptor, by_setattr, by_vars, by_dict, appended, sorted_list, popped, updated, defaulted, grown, added, sliced, deque,
        packed, parsed, behind, comprehension, generated, in_thread, in_tasks,
    ):
        function()  #@mark loop


main()
