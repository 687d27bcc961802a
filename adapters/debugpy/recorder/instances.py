# The instances of a type that a Wish.First names by each, known from when their __init__
# returns and for as long as the program keeps them.
import _thread
import os
import sys
import weakref

MOST = 100000  # that are known: of what comes after them nothing is


class Instance:
    """One of them, and what was judged of it last."""

    __slots__ = ("ref", "number", "held", "was")

    def __init__(self, ref, number):
        self.ref, self.number = ref, number
        self.held, self.was = False, None


class Instances:
    def __init__(self, name, remark, own):
        self.name, self.remark = name, remark
        self.own, self.files = own, None  # the user's that may define it: a library's of the name is not meant then
        self.all, self.ids = [], {}
        self.number = 0
        self.kinds = {}  # type: whether it is meant
        self.told = False
        self.lock = _thread.allocate_lock()

    @staticmethod
    def builds(code):
        """Says that a function is called to build an object."""
        return code.co_name == "__init__" and code.co_argcount > 0

    def built(self, frame):
        """An __init__ returns. Where it was called by another one, the object is not built yet."""
        it = own(frame)
        if not self.meant(type(it)) or self.builds(frame.f_back.f_code) and own(frame.f_back) is it:
            return
        with self.lock:
            known = self.ids.get(id(it))
            if known is not None and known.ref() is it:
                return
            if self.number >= MOST:
                return self.tell("only the first %d instances of %s were looked at" % (MOST, self.name))
            try:
                ref = weakref.ref(it)
            except TypeError:
                return self.tell("instances of %s cannot be followed without keeping them alive: their __slots__ have no __weakref__" % type(it).__name__)
            self.number += 1
            self.ids[id(it)] = Instance(ref, self.number)
            self.all.append(self.ids[id(it)])

    def tell(self, text):
        if not self.told:
            self.told = True
            self.remark(text)

    def meant(self, kind):
        is_meant = self.kinds.get(kind)
        if is_meant is None:
            is_meant = self.kinds[kind] = any(("." + k.__module__ + "." + k.__qualname__).endswith("." + self.name) and self.users(k) for k in kind.__mro__)
        return is_meant

    def users(self, kind):
        """Says that a class is the user's, or that the user has none of the name."""
        if self.files is None:
            self.files = self.own()
        path = getattr(sys.modules.get(kind.__module__), "__file__", None)
        return not self.files or path is not None and os.path.realpath(path) in self.files

    def living(self):
        """Those that live, each with the object."""
        found = [(x, x.ref()) for x in self.all]
        if any(it is None for _, it in found):
            found = [(x, it) for x, it in found if it is not None]
            with self.lock:
                self.all = [x for x in self.all if x.ref() is not None]
                self.ids = {key: x for key, x in self.ids.items() if x.ref() is not None}
        return found


def own(frame):
    """The object whose method runs; None where its name means something else by now."""
    return frame.f_locals.get(frame.f_code.co_varnames[0])
