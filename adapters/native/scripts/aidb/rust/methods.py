"""Methods of Rust's library whose result is known without running them."""

from aidb.rust import expression as rust
from aidb.rust.keys import Unfinished

SAME = {"as_str", "as_ref", "as_mut", "as_slice", "as_deref", "clone", "to_owned", "to_string", "borrow", "borrow_mut", "iter", "deref", "get_mut", "into_inner", "load"}
OF_TEXTS = {"starts_with": str.startswith, "ends_with": str.endswith, "contains": str.__contains__}
MOST = 100000  # elements that are compared


class Found:
    """An Option of our own making: what was found, or None."""

    def __init__(self, held):
        self.held = held

    def word(self):
        return "None" if self.held is None else "Some(%s)" % rust.shown(self.held)

    def method(self, name):
        if name in ("is_some", "is_none"):
            return (self.held is None) == (name == "is_none")
        if name in ("unwrap", "expect"):
            return self.whole()
        if name in SAME or name in ("copied", "cloned"):
            return self
        raise rust.Wrong("methods of Rust cannot be called in an expression: .%s(); write .unwrap() to read what was found" % name)

    def whole(self):
        if self.held is None:
            raise rust.Wrong("it is None: nothing was found")
        return self.held


def looked_up(value, key):
    """What get() finds."""
    c = rust.children(value)
    if c.by_key:
        try:
            i = c.find(rust.plain(key), "[%s]" % rust.shown(rust.plain(key)))
        except Unfinished as unfinished:
            raise rust.Wrong(str(unfinished))
    else:
        i = rust.arithmetic(key)
        if c.items is None:
            raise rust.Wrong("it cannot be indexed")
    if not 0 <= i < c.count:
        return Found(None)
    found = c.get_child_at_index(i)
    if found is None:
        raise rust.Wrong("the element cannot be read")
    return Found(found)


def contains(value, wanted):
    c = rust.children(value)
    if c.items is None or c.by_key:
        raise rust.Wrong("it has no elements to look at")
    if c.count > MOST:
        raise rust.Wrong("%d elements are too many to compare" % c.count)
    return any(rust.combine("==", c.get_child_at_index(i), wanted) for i in range(c.count))


def text_of(value):
    """The text that a value is; None for what is none."""
    text = rust.plain(value)
    return text if isinstance(text, str) and not isinstance(text, rust.Word) else None


def method(value, name, arguments):
    if isinstance(value, Found):
        return value.method(name)
    if name in OF_TEXTS and len(arguments) == 1 and text_of(value) is not None:
        part = text_of(arguments[0])
        if part is None:
            raise rust.Wrong("%s() takes a text or a character here" % name)
        return OF_TEXTS[name](text_of(value), part)
    if name == "len":
        text = text_of(value)
        return len(text.encode()) if text is not None else rust.children(value).count
    if name == "is_empty":
        return method(value, "len", []) == 0
    if name in ("is_some", "is_none", "is_ok", "is_err"):
        return rust.told(value).startswith({"is_some": "Some", "is_none": "None", "is_ok": "Ok", "is_err": "Err"}[name])
    if name in ("unwrap", "expect"):
        if not rust.told(value).startswith(("Some(", "Ok(")):
            raise rust.Wrong("it is %s: nothing to unwrap" % rust.told(value))
        return rust.field(value, "0")
    if name == "get" and len(arguments) == 1:
        return looked_up(value, arguments[0])
    if name in ("first", "last") and not arguments:
        return looked_up(value, 0 if name == "first" else rust.children(value).count - 1)
    if name == "contains_key" and len(arguments) == 1:
        return looked_up(value, arguments[0]).held is not None
    if name == "contains" and len(arguments) == 1:
        return contains(value, arguments[0])
    if name in SAME:
        return value
    raise rust.Wrong("methods of Rust cannot be called in an expression: .%s(); read fields instead, or step into a call" % name)
