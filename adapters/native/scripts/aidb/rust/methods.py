"""Methods of Rust's library whose result is known without running them."""

import re

from aidb.rust import meaning
from aidb.rust.keys import Unfinished
from aidb.rust.meaning import SAME, Found, Word, Wrong

COW = re.compile(r"^(?:alloc|std)::borrow::Cow<")
OF_TEXTS = {"starts_with": str.startswith, "ends_with": str.endswith, "contains": str.__contains__}
MOST = 100000  # elements that are compared


def looked_up(value, key):
    """What get() finds."""
    c = meaning.children(value)
    if c.by_key:
        try:
            i = c.find(meaning.plain(key), "[%s]" % meaning.shown(meaning.plain(key)))
        except Unfinished as unfinished:
            raise Wrong(str(unfinished)) from unfinished
    else:
        i = meaning.arithmetic(key)
        if c.items is None:
            raise Wrong("it cannot be indexed")
    if not 0 <= i < c.count:
        return Found(None)
    found = c.part(i)
    if found is None:
        raise Wrong("the element cannot be read")
    return Found(found)


def contains(value, wanted) -> bool:
    c = meaning.children(value)
    if c.items is None or c.by_key:
        raise Wrong("it has no elements to look at")
    if c.count > MOST:
        raise Wrong("%d elements are too many to compare" % c.count)
    return any(meaning.combine("==", c.part(i), wanted) for i in range(c.count))


def text_of(value):
    """The text that a value is; None for what is none."""
    text = meaning.plain(value)
    return text if isinstance(text, str) and not isinstance(text, Word) else None


def length(value):
    """How many elements a value has, or bytes of its text. What is none of the library's has a len() of its own."""
    text = text_of(value)
    if text is not None:
        return len(text.encode())
    c = meaning.children(value)
    if c.items is None and not c.by_key:
        raise Wrong("it is no collection of the library's: methods of Rust cannot be called in an expression")
    return c.count


def borrowed(value):
    """What a Cow holds, whose methods it has."""
    held = value.value if isinstance(value, meaning.Reference) else value
    of = getattr(getattr(held, "type", None), "name", "")
    return meaning.field(value, "0") if COW.match(of) else value


def method(value, name: str, arguments):
    if isinstance(value, Found):
        return value.method(name)
    value = borrowed(value)
    if name in OF_TEXTS and len(arguments) == 1 and text_of(value) is not None:
        part = text_of(arguments[0])
        if part is None:
            raise Wrong("%s() takes a text or a character here" % name)
        return OF_TEXTS[name](text_of(value), part)
    if name == "len":
        return length(value)
    if name == "is_empty":
        return method(value, "len", []) == 0
    if name in ("is_some", "is_none", "is_ok", "is_err"):
        return meaning.told(value).startswith({"is_some": "Some", "is_none": "None", "is_ok": "Ok", "is_err": "Err"}[name])
    if name in ("unwrap", "expect"):
        if not meaning.told(value).startswith(("Some(", "Ok(")):
            raise Wrong("it is %s: nothing to unwrap" % meaning.told(value))
        return meaning.field(value, "0")
    if name == "get" and len(arguments) == 1:
        return looked_up(value, arguments[0])
    if name in ("first", "last") and not arguments:
        return looked_up(value, 0 if name == "first" else meaning.children(value).count - 1)
    if name == "contains_key" and len(arguments) == 1:
        return looked_up(value, arguments[0]).held is not None
    if name == "contains" and len(arguments) == 1:
        return contains(value, arguments[0])
    if name.startswith("assume_init") and not arguments:
        return meaning.content(value)
    if name in SAME:
        return value
    raise Wrong("methods of Rust cannot be called in an expression: .%s(); read fields instead, or step into a call" % name)
