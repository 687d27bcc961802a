"""What our reading of programs knows of a debugger: values with their types, frames and the process. The packages
gdb and lldb beside this module give them; nothing else here knows which of the two it runs in."""

from abc import ABC, abstractmethod
from typing import Any, Dict, Iterable, List, Optional, Tuple, Union

CALLERS = 6  # functions of a stack in whose variables something is sought


class Nonsense(Exception):
    """The value cannot be read, or cannot be what its type says."""


class Type(ABC):
    """A type, without const and other names of it."""

    name: str
    size: int  # in bytes
    # What kind it is: bool, char (of one byte), wide (any other character), int, float, enum, record, union, pointer,
    # array, function, member (a pointer to one), void, nothing (the debugger has none) or other.
    code: str
    signed: bool
    count: int  # elements of an array

    @abstractmethod
    def argument(self, i: int) -> Optional["Type"]:
        """An argument of a template, or of a generic type, that is a type itself."""

    @abstractmethod
    def pointee(self) -> "Type":
        """What a pointer leads to."""

    @abstractmethod
    def element(self) -> "Type":
        """What an array consists of."""

    @abstractmethod
    def enumerators(self) -> Dict[str, int]:
        """The values of an enum by their names."""


class Value(ABC):
    """A value of the program, as it lies in memory: without what the debugger makes of it for people."""

    name: str
    type: Type
    word: int  # bytes of an address
    address: int  # where it lies; raises Nonsense where that is nowhere

    @abstractmethod
    def placed(self) -> bool:
        """Says that it lies somewhere in memory."""

    @abstractmethod
    def member(self, name: str) -> Optional["Value"]:
        """A member of a record; None where it has none of that name."""

    @abstractmethod
    def contents(self) -> bytes:
        """All that it consists of."""

    @abstractmethod
    def number(self) -> int:
        """The bits of a scalar, without a sign."""

    @abstractmethod
    def integer(self) -> int:
        """A whole number, with its sign."""

    @abstractmethod
    def memory(self, address: int, size: int) -> bytes:
        """What lies elsewhere in its program."""

    @abstractmethod
    def at(self, name: str, address: int, of: Type) -> "Value":
        """A value that lies elsewhere."""

    @abstractmethod
    def named(self, name: str) -> "Value":
        """The same by another name."""

    @abstractmethod
    def deref(self) -> "Value":
        """What a pointer leads to."""


class CppType(Type):
    """A type of C or C++."""

    align: int

    @abstractmethod
    def argument(self, i: int) -> Optional["CppType"]: ...

    @abstractmethod
    def pointee(self) -> "CppType": ...

    @abstractmethod
    def element(self) -> "CppType": ...


class CppValue(Value):
    """A value of C or C++; what a reference leads to, in place of that."""

    type: CppType
    unnamed: bool  # it is a base class, or a part without a name
    bits = False  # it is a bit field
    held: Any = None  # what is in it of the library, once that was found out

    @abstractmethod
    def failure(self) -> str:
        """Why it cannot be read; empty where it can."""

    @abstractmethod
    def member(self, name: str) -> Optional["CppValue"]: ...

    @abstractmethod
    def children(self, most: int = 1 << 30) -> List["CppValue"]:
        """Its bases and members."""

    @abstractmethod
    def bases(self) -> List["CppValue"]:
        """Its base classes."""

    @abstractmethod
    def element(self, i: int) -> "CppValue":
        """An element of an array, or behind a pointer."""

    @abstractmethod
    def at(self, name: str, address: int, of: Type) -> "CppValue": ...

    @abstractmethod
    def named(self, name: str) -> "CppValue": ...

    @abstractmethod
    def deref(self) -> "CppValue": ...

    @abstractmethod
    def real(self) -> float:
        """A number with a point."""

    @abstractmethod
    def scalar_words(self) -> str:
        """A scalar in words; ? where it cannot be read."""

    @abstractmethod
    def member_name(self, far: int) -> str:
        """The member that a pointer to members means, which lies so far in its class."""

    @abstractmethod
    def symbol(self) -> str:
        """What lies at the address of a function pointer."""

    @abstractmethod
    def readable(self, address: int) -> bool:
        """Says that there is memory at an address."""

    @abstractmethod
    def c_text(self, address: int, most: int) -> bytes:
        """As many bytes as can be read of so many."""

    @abstractmethod
    def pointer_at(self, address: int) -> int:
        """The address that lies at an address."""

    @abstractmethod
    def reach(self) -> Iterable["CppValue"]:
        """The variables of the function that it was read in, and of those that have called that; none where that is not known."""

    @abstractmethod
    def boolean(self, name: str, truth: bool) -> "CppValue":
        """A bool that lies nowhere."""


class RustType(Type):
    """A type of Rust."""

    tagged: bool  # it is an enum whose variants hold something
    fields: List[str]  # the names of its members

    @abstractmethod
    def argument(self, i: int) -> Optional["RustType"]: ...

    @abstractmethod
    def pointee(self) -> "RustType": ...

    @abstractmethod
    def element(self) -> "RustType": ...

    @abstractmethod
    def array(self, count: int) -> "RustType":
        """An array of so many of it."""


class RustValue(Value):
    """A value of Rust."""

    type: RustType
    process: "Process"
    count: int  # of its members, or elements
    untold = False  # the debugger must not read it: all that is known of it is its type

    @abstractmethod
    def member(self, name: str) -> Optional["RustValue"]: ...

    @abstractmethod
    def at(self, name: str, address: int, of: Type) -> "RustValue": ...

    @abstractmethod
    def named(self, name: str) -> "RustValue": ...

    @abstractmethod
    def deref(self) -> "RustValue": ...

    @abstractmethod
    def part(self, i: int) -> "RustValue":
        """The member, or the element, with a number."""

    @abstractmethod
    def unsigned(self) -> int:
        """The bits of a scalar; 0 where it cannot be read."""

    @abstractmethod
    def text(self) -> Optional[str]:
        """A scalar in words; None where it cannot be read."""

    @abstractmethod
    def address_of(self) -> "RustValue":
        """A pointer to it."""

    @abstractmethod
    def variant(self) -> "RustValue":
        """What the variant holds that a tagged enum is in."""

    @abstractmethod
    def concrete(self) -> Optional["RustValue"]:
        """What lies behind a trait object, where the debugger itself finds it."""


class Process(ABC):
    """The program that is debugged."""

    @abstractmethod
    def memory(self, address: int, size: int) -> bytes:
        """What lies in memory."""

    @abstractmethod
    def symbol_at(self, address: int) -> Optional[str]:
        """The name of what lies at an address; None where nothing is known of it."""

    @abstractmethod
    def find_type(self, name: str) -> Optional[RustType]:
        """A type by its whole name."""

    @abstractmethod
    def global_variable(self, path: str) -> Optional[RustValue]:
        """A static of Rust by its path."""

    @abstractmethod
    def functions(self, name: str) -> Iterable["Function"]:
        """All functions whose path ends with a name."""

    @abstractmethod
    def vtable_name(self, address: int) -> str:
        """The name that the debug information gives a table of functions; empty where it has none."""


class Function(ABC):
    """A function of the program."""

    name: str
    address: int

    @abstractmethod
    def signature(self) -> Tuple[List[RustType], RustType]:
        """The types of what it takes, and of what it gives."""


class Frame(ABC):
    """A call of a function that has not ended."""

    function: str  # its name; empty where it is not known
    process: Process

    @abstractmethod
    def variable(self, name: str) -> Optional[RustValue]:
        """A variable that is in sight."""

    @abstractmethod
    def static(self, name: str) -> Optional[RustValue]:
        """A static that is in sight."""

    @abstractmethod
    def unset(self, value: RustValue) -> str:
        """Why a variable has no value where the frame stands; empty where it has one."""

    @abstractmethod
    def moved(self, value: RustValue) -> Dict[Tuple[str, ...], str]:
        """What of a variable was moved away before the frame came to where it stands; see aidb.rust.moved."""

    @abstractmethod
    def call(self, function: Function, arguments: List[Union[int, float]]) -> RustValue:
        """Runs a function of the program with numbers and addresses, and gives what it gives."""
