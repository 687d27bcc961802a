# What an object holds itself, by name, read without running code of its class.
import types

MEMBER = types.MemberDescriptorType
SLOTS = {}  # id of a class, whose hash may be the program's code: its members that are no entries of __dict__, itself
MOST = 4096  # classes that are remembered


class Attributes(dict):
    """To be told from the entries of a dict."""

    __slots__ = ()


def attributes(value):
    found = Attributes()
    for name, slot in slots(type(value)):
        try:
            found[name] = slot.__get__(value)
        except AttributeError:
            pass  # it has not been set
    try:
        found.update(object.__getattribute__(value, "__dict__"))
    except Exception:
        pass  # it has none, or one of its own making
    return found


def slots(kind):
    known = SLOTS.get(id(kind))
    if known is None:
        if len(SLOTS) == MOST:
            SLOTS.clear()
        found = [(name, slot) for cls in reversed(kind.__mro__) for name, slot in vars(cls).items() if type(slot) is MEMBER and not name.startswith("__")]
        known = SLOTS[id(kind)] = found, kind
    return known[0]
