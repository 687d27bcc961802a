"""Frames of Rust programs under gdb, as aidb.rust reads them."""

import gdb

from aidb.debugger import interface
from aidb.debugger.gdb import rust_living
from aidb.debugger.gdb.rust_values import UNREADABLE, Unread, Value, deadly, process
from aidb.debugger.interface import Nonsense
from aidb.rust import moved


class Frame(interface.Frame):
    process = process

    def __init__(self, f):
        self.f = f

    @property
    def function(self):
        return self.f.name() or ""

    def variable(self, name):
        try:
            return self.variable_of(self.f.block(), name)
        except UNREADABLE:  # a frame without debug information
            return None

    def variable_of(self, block, name):
        """The variable of a name that a block sees."""
        symbol = gdb.lookup_symbol(name, block)[0]
        if symbol is None or not (symbol.is_variable or symbol.is_argument):
            return None
        return Unread(symbol.type, name) if deadly(symbol.type) else Value(symbol.value(self.f), name)

    def static(self, name):
        return None  # gdb looks for a symbol there too

    def unset(self, value):
        return rust_living.unset(self.f, value)

    def moved(self, value):
        sal, line = self.f.find_sal(), rust_living.declared_in(self.f, value.name)
        if sal.symtab is None or line is None:
            return {}
        return moved.gone(value, (sal.symtab.fullname(), sal.line), (sal.symtab.fullname(), line))

    def call(self, function, arguments):
        takes, _ = function.signature()
        try:
            return Value(function.symbol.value()(*(gdb.Value(n).cast(of.t) for n, of in zip(arguments, takes))))
        except UNREADABLE as wrong:
            raise Nonsense(str(wrong).splitlines()[0] if str(wrong) else "") from wrong
