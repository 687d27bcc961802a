# Makes the debugger show what values are: objects by their attributes in place of
# their address, without running any code of theirs, and the lengths of texts. It is
# executed in each process of the program, before any code of the program's: see
# adapter.py.
import enum
import sys
import types

from _pydevd_bundle import pydevd_resolver, pydevd_safe_repr, pydevd_suspended_frames

# Types of the standard library whose __repr__ is short and computes nothing.
PLAIN = ("datetime", "decimal", "fractions", "pathlib", "uuid", "ipaddress", "zoneinfo")
SCALARS = (int, float, complex, bool, str, bytes, type(None))
CONTAINERS = (list, tuple, dict, set, frozenset, bytearray, range)
LONGEST = 1 << 16  # bytes of a bytearray that are shown
MOST = (12, 5)  # attributes that an object shows, by how deep it stands
METHODS = (
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
    types.ClassMethodDescriptorType,
    classmethod,
    staticmethod,
)
# What gives an attribute without running code of the program's.
INERT = (types.MemberDescriptorType, types.GetSetDescriptorType)


def own_attributes(value):
    """What an object holds itself, by name, read without running code of its class."""
    found = {}
    for cls in reversed(type(value).__mro__):
        for name, slot in vars(cls).items():
            if type(slot) is types.MemberDescriptorType and not name.startswith("__"):
                try:
                    found[name] = slot.__get__(value)
                except AttributeError:
                    pass  # it has not been set
    try:
        found.update(object.__getattribute__(value, "__dict__"))
    except Exception:
        pass  # it has none, or one of its own making
    return found


MISSING = object()


def class_attribute(cls, name):
    for base in cls.__mro__:
        if name in vars(base):
            return vars(base)[name]
    return MISSING


def left_out(cls, name):
    """Whether an attribute that the object does not hold itself is a method, or runs
    code when it is read."""
    attribute = class_attribute(cls, name)
    if attribute is MISSING or issubclass(type(attribute), type):
        return False
    return type(attribute) in METHODS or type(attribute) not in INERT and hasattr(type(attribute), "__get__")


# ---- the text of an object


def shape(safe, value, level):
    """Writer(a=1, items=[1, 2, …]): the parts of the text, None without attributes."""
    held = [(n, v) for n, v in own_attributes(value).items() if isinstance(n, str) and not n.startswith("__")]
    if not held:
        return None
    name = type(value).__name__
    if level >= len(MOST):
        return [name, "(...)"]
    held.sort(key=lambda item: (item[0].startswith("_"), type(item[1]) not in SCALARS))
    parts = []
    for n, v in held[: MOST[level]]:
        parts.append("%s=%s" % (n, attribute_text(safe, v, level + 1)))
    if len(held) > MOST[level]:
        parts.append("...")
    return [name, "(", ", ".join(parts), ")"]


def attribute_text(safe, value, level):
    cls = type(value)
    if cls in SCALARS or cls in CONTAINERS or issubclass(cls, enum.Enum) or cls.__module__ in PLAIN:
        return "".join(safe._repr(value, level))
    if cls.__repr__ is object.__repr__:
        return "".join(shape(safe, value, level) or ["<", cls.__name__, ">"])
    if issubclass(cls, (types.FunctionType, types.MethodType, type)):
        return "<%s %s>" % (cls.__name__, getattr(value, "__qualname__", "?"))
    return "<%s>" % cls.__name__


def with_shapes(original):
    def _repr_other(self, obj, level):
        text = None
        try:
            if type(obj) is bytearray:
                return [repr(obj[:LONGEST])]
            if type(obj).__repr__ is object.__repr__ and type(obj).__str__ is object.__str__:
                text = shape(self, obj, level)
        except Exception:
            pass  # then it is shown as Python does
        return text or original(self, obj, level)

    return _repr_other


def with_bytearrays(original):
    """The debugger shows only the length of a bytearray that has more than a few bytes."""

    def _is_long_iter(self, obj, level=0):
        return type(obj) is not bytearray and original(self, obj, level)

    return _is_long_iter


ORDERED = (int, float, bool, str, bytes)
LARGEST = 10000  # sets of more stay as they are
EMPTY = {set.__repr__: ["set()"], frozenset.__repr__: ["frozenset()"]}  # {} is an empty dict


def holds_nothing(value):
    """Asks the set itself, not a __len__ of its class."""
    return (set if isinstance(value, set) else frozenset).__len__(value) == 0


def in_order(original):
    """Shows a set in one order, which Python's own is not from run to run."""

    def _repr_iter(self, obj, *rest, **named):
        if isinstance(obj, (set, frozenset)) and type(obj).__repr__ in EMPTY and holds_nothing(obj):
            return EMPTY[type(obj).__repr__]
        if type(obj) in (set, frozenset) and len(obj) <= LARGEST and all(type(item) in ORDERED for item in obj):
            obj = sorted(obj, key=lambda item: (type(item).__name__, item))
        return original(self, obj, *rest, **named)

    return _repr_iter


# ---- the children of an object


def names_without_code(original):
    def get_names(self, var):
        names, used = original(self, var)
        if used or issubclass(type(var), (type, types.ModuleType)):
            return names, used
        own = own_attributes(var)
        return [n for n in names if n in own or not left_out(type(var), n)], used

    return get_names


def with_own_values(original):
    def _get_py_dictionary(self, var, names=None, used___dict__=False):
        if used___dict__ or issubclass(type(var), (type, types.ModuleType)):
            return original(self, var, names, used___dict__)
        own = own_attributes(var)
        rest, used = (names, False) if names else self.get_names(var)
        if used:
            return original(self, var, rest, used)
        # The object's own come first, and are not read by way of its class.
        found = {n: v for n, v in own.items() if isinstance(n, str) and n in rest}
        others = [n for n in rest if n not in found]
        if others:
            found.update(original(self, var, others, False)[0])
        return found, False

    return _get_py_dictionary


def own_first(original):
    def get_contents_debug_adapter_protocol(self, obj, fmt=None):
        entries = original(self, obj, fmt)
        if issubclass(type(obj), (type, types.ModuleType)):
            return entries
        own = own_attributes(obj)
        return sorted(entries, key=lambda entry: (entry[0] not in own, entry[0].startswith("_")))

    return get_contents_debug_adapter_protocol


FRAME = ("shape", "dtype", "dtypes", "columns", "index", "name")


def frame_attributes(self, obj):
    """Of a data frame or a series, what its text does not show and costs nothing."""
    return {n: getattr(obj, n) for n in FRAME if hasattr(type(obj), n)}


# ---- the length of a text


def with_length(original):
    def get_var_data(self, *args, **kwargs):
        data = original(self, *args, **kwargs)
        if type(self.value) in (str, bytes, bytearray):
            hint = data.setdefault("presentationHint", {})
            hint.setdefault("attributes", []).append("length:%d" % len(self.value))
        return data

    return get_var_data


def wrap(owner, name, wrapper):
    if name in vars(owner):
        setattr(owner, name, wrapper(vars(owner)[name]))


wrap(pydevd_safe_repr.SafeRepr, "_repr_other", with_shapes)
wrap(pydevd_safe_repr.SafeRepr, "_is_long_iter", with_bytearrays)
wrap(pydevd_safe_repr.SafeRepr, "_repr_iter", in_order)
wrap(pydevd_resolver.DefaultResolver, "get_names", names_without_code)
wrap(pydevd_resolver.DefaultResolver, "_get_py_dictionary", with_own_values)
wrap(pydevd_resolver.DefaultResolver, "get_contents_debug_adapter_protocol", own_first)
wrap(pydevd_suspended_frames._AbstractVariable, "get_var_data", with_length)
try:
    from pydevd_plugins.extensions.types import pydevd_plugin_pandas_types as pandas
except ImportError:
    pass
else:
    wrap(pandas.PandasDataFrameTypeResolveProvider, "get_dictionary", lambda original: frame_attributes)
    wrap(pandas.PandasSeriesTypeResolveProvider, "get_dictionary", lambda original: frame_attributes)
