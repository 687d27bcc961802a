"""What an exception of C++ is, by what the compiler keeps of its type: its words are read and not
asked for, since that would run the program. Knows no debugger."""

FAMILY = ("std::runtime_error", "std::logic_error")  # and all that is made of them: they keep their text in one way
TYPEINFO = "typeinfo for "
LONG = 2000
BASES = 8
DEEP = 6


def words(debugger, lies, info):
    """Type and text of an exception, as "type: text"; only the type where its text is not known."""
    name = debugger.symbol_at(info)
    kind = name[len(TYPEINFO) :] if name.startswith(TYPEINFO) else ""
    if not kind:
        return "an exception"
    said = message(debugger, lies, info, kind)
    return "%s: %s" % (kind, said) if said else kind


def message(debugger, lies, info, kind):
    try:
        if kind in ("char const*", "char*"):
            return debugger.c_text(debugger.word(lies), LONG)
        base = in_family(debugger, lies, info, DEEP)
        if base is not None:
            return debugger.c_text(debugger.word(base + 8), LONG)
        if has_words(debugger, info, DEEP):
            return ""  # only its what() knows them
    except debugger.unreadable:
        return ""
    return debugger.words_at(lies, kind)


def has_words(debugger, info, deep):
    """Says that an exception is made of std::exception, and so has words of its own."""
    if debugger.symbol_at(info) == TYPEINFO + "std::exception":
        return True
    return deep > 0 and any(has_words(debugger, base, deep - 1) for base, _ in bases(debugger, info))


def bases(debugger, info):
    """The types that a type is made of, with what the compiler notes beside each."""
    kind = debugger.symbol_at(debugger.word(info))
    if "__si_class_type_info" in kind:
        return [(debugger.word(info + 16), 0)]
    if "__vmi_class_type_info" in kind:
        count = min(debugger.word(info + 16) >> 32, BASES)
        return [(debugger.word(info + 24 + 16 * i), debugger.word(info + 32 + 16 * i)) for i in range(count)]
    return []


def in_family(debugger, lies, info, deep):
    """Where within an exception that lies which keeps its text; None where it is of another kind."""
    if debugger.symbol_at(info)[len(TYPEINFO) :] in FAMILY:
        return lies
    for base, flags in bases(debugger, info) if deep else []:
        if not flags & 1:  # of a virtual one the place is not in the type
            found = in_family(debugger, lies + (flags >> 8), base, deep - 1)
            if found is not None:
                return found
    return None
