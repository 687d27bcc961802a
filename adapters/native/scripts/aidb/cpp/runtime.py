"""What GNU's C++ runtime (64 bits) keeps of an exception: a header before the object that was thrown.
Knows no debugger."""

HEADER = 112  # its length; it begins with the object's type
UNWINDING = 80  # where what the unwinder knows of it begins: first who has made it
AFTER = HEADER - UNWINDING  # from what the unwinder knows, which handlers are given, to the object
DEPENDENT = 0x474E5543432B2B01  # one that std::rethrow_exception has made, whose header begins with the exception it stands for


def thrown(header, word):
    """The object that was thrown and its type_info, by the header; word reads one at an address."""
    if word(header + UNWINDING) == DEPENDENT:
        header = word(header) - HEADER
    return header + HEADER, word(header)
