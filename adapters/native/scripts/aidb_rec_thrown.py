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
    except debugger.unreadable:
        return ""
    return debugger.words_at(lies, kind)


def in_family(debugger, lies, info, deep):
    """Where within an exception that lies which keeps its text; None where it is of another kind."""
    if debugger.symbol_at(info)[len(TYPEINFO) :] in FAMILY:
        return lies
    kind = debugger.symbol_at(debugger.word(info)) if deep else ""
    if "__si_class_type_info" in kind:
        return in_family(debugger, lies, debugger.word(info + 16), deep - 1)
    if "__vmi_class_type_info" in kind:
        for i in range(min(debugger.word(info + 16) >> 32, BASES)):
            base, flags = debugger.word(info + 24 + 16 * i), debugger.word(info + 32 + 16 * i)
            if not flags & 1:  # of a virtual one the place is not in the type
                found = in_family(debugger, lies + (flags >> 8), base, deep - 1)
                if found is not None:
                    return found
    return None
