"""What the linker knows of a program, and what lies in its memory, for the recorder in gdb."""

import gdb

from aidb.record.common import foreign

types = {}
SCALARS = (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_FLT, gdb.TYPE_CODE_PTR, gdb.TYPE_CODE_BOOL, gdb.TYPE_CODE_CHAR, gdb.TYPE_CODE_ENUM)


def type_of(name):
    if name not in types:
        try:
            types[name] = gdb.lookup_type(name)
        except gdb.error:
            types[name] = gdb.parse_and_eval("(%s *)0" % name).type.target()
    return types[name]


def members(pointer):
    """The names of what an object holds, the parts of its bases among them."""
    todo, names = [pointer.target().strip_typedefs()], set()
    while todo:
        for field in todo.pop().fields():
            if field.is_base_class:
                todo.append(field.type.strip_typedefs())
            elif field.name:
                names.add(field.name)
    return names


def visible(function, places):
    """The names of the variables of a function, given as its block, that can be seen at one of its places, each with
    the lines in which it is declared; none for what is there from the beginning."""
    names, known = {}, set()
    for at in places if function is not None else ():
        block = gdb.block_for_pc(at)
        while block is not None:
            key = block.start, block.end, tuple(s.name for s in block)
            if key in known:  # a block and the one around it may begin and end alike: what they hold tells them apart
                break
            known.add(key)
            for s in block:
                if s.is_variable or s.is_argument:
                    names.setdefault(s.name, set()).update(() if s.is_argument else (s.line,))
                    names.update({name: set() for name in members(s.type)} if s.name == "this" else {})
            block = None if block.function is not None and block.start == function.start else block.superblock
    return names


class Symbols:
    """A debugger gives break_address; words, which are those of a value, and Wrong, their error."""

    unreadable = (gdb.error, gdb.MemoryError, RuntimeError, OverflowError, ValueError)

    def break_symbol(self, name, call):
        """At the first instruction of a function of a library, by the linker's name; nothing where there is none."""
        language = gdb.parameter("language")
        gdb.execute("set language c")
        try:
            at = int(gdb.parse_and_eval("(unsigned long)&'%s'" % name))
        except self.unreadable:
            return []
        finally:
            gdb.execute("set language %s" % language)
        return [self.break_address(at, call)]

    @staticmethod
    def is_global(name):
        """Says that a name is a variable's of the program's own as a whole, or of one of its files."""
        try:
            found = [gdb.lookup_global_symbol(name)] + list(gdb.lookup_static_symbols(name))
        except gdb.error:
            found = []
        return "::" in name or any(s is not None and s.is_variable and s.symtab is not None and not foreign(s.symtab.fullname(), s.line) for s in found)

    @staticmethod
    def memory(at, size):
        return bytes(gdb.selected_inferior().read_memory(at, size))

    def word(self, at):
        return int.from_bytes(self.memory(at, 8), "little")

    @staticmethod
    def c_text(at, most):
        data = bytearray()
        while len(data) < most and b"\0" not in data:
            data += bytes(gdb.selected_inferior().read_memory(at + len(data), min(64, 4096 - (at + len(data)) % 4096)))
        return bytes(data).split(b"\0")[0].decode("utf-8", "backslashreplace")

    @staticmethod
    def symbol_at(address):
        """What the linker calls that which lies at an address."""
        said = gdb.execute("info symbol %d" % address, to_string=True)
        return said.split(" in section", 1)[0].split("@", 1)[0].split(" + ", 1)[0] if " in section" in said else ""

    @staticmethod
    def in_image(address):
        """Says that an address is that of a variable which the program has from its start."""
        return " in section" in gdb.execute("info symbol %d" % address, to_string=True)

    @staticmethod
    def part_of(place, names):
        """Where what the fields of these names lead to lies in a place, and how long it is."""
        of, offset = type_of(place.type), 0
        while True:
            found = next((f for f in of.fields() if f.name in names), None)
            if found is None:
                return offset, of.sizeof
            offset, of = offset + found.bitpos // 8, found.type

    @staticmethod
    def is_scalar(place):
        try:
            return type_of(place.type).strip_typedefs().code in SCALARS
        except gdb.error:
            return False

    def words_at(self, address, kind):
        try:
            return self.words(gdb.Value(address).cast(type_of(kind).pointer()).dereference())
        except (*self.unreadable, self.Wrong):
            return ""
