"""The functions of the interface as the bindings of other languages carry them over: each argument and each result of a
callback has a kind, and each kind has one way into each language.

A function stays out of these bindings for its types alone: it takes functions or places for results, or gives a text that is
valid on its thread only. `left_out` lists such functions.
"""

from dataclasses import dataclass, replace

# ctypes type of the Python table: kind
KINDS = {
    "c_char_p": "text", "c_uint32": "uint32", "c_int32": "int32", "c_uint64": "uint64", "c_size_t": "size", "c_bool": "bool",
}
BYTES = "POINTER(c_uint8)"  # the number of bytes follows
WRITABLE = "char *"  # a place, or a text of the thread
SUBSCRIPTION = "vcx_command_handle_t"  # as an argument after the first: it names a subscription, and ends it
REPEATS = "Called any number of times"  # so the documentation of a callback begins that is no answer, but a subscription


@dataclass(frozen=True)
class Value:
    """An argument of a function, or a result that a callback receives."""

    name: str
    kind: str
    c: str
    is_optional: bool


@dataclass(frozen=True)
class Shape:
    """A callback: its C name, and the results after the command handle and the error."""

    name: str
    values: tuple

    @property
    def word(self):
        """`string` for `vcx_string_cb`."""
        return self.name.removeprefix("vcx_").removesuffix("_cb")


@dataclass(frozen=True)
class Function:
    """A function: with a callback, its shape, and whether it is a subscription; without one, the kind of its result: error,
    text or nothing."""

    c_name: str
    documentation: object
    arguments: tuple
    shape: object
    is_subscription: bool
    result: str
    keeps_prefix: bool = False

    @property
    def words(self):
        """The name in words, without its prefix unless another function has the rest of the name too."""
        return self.c_name.split("_")[0 if self.keeps_prefix else 1:]


def values(interface, parameters, needs):
    """The values of some parameters, or None if one of them has no kind."""
    found, rest = [], iter(parameters)
    for name, swift in rest:
        c, python = interface.types[swift]
        if python == BYTES:
            _, length = next(rest)
            assert interface.types[length][1] == "c_uint32", f"{name}: its length is no uint32_t"
            found.append(Value(name, "bytes", c, False))
        elif c == SUBSCRIPTION:
            found.append(Value(name, "subscription", c, False))
        elif python in KINDS and c != WRITABLE:
            found.append(Value(name, KINDS[python], c, needs.get(name) == "(optional) "))
        else:
            return None
    return tuple(found)


class Crossing:
    """All that crosses, in the order of the header."""

    def __init__(self, interface):
        self.enums, self.left_out = interface.enums, []
        self.handles = [(doc, c, base) for doc, c, base in interface.typedefs if c.endswith("_handle_t") and "command" not in c]
        shapes = (self.read_shape(interface, *each) for each in interface.callbacks)
        self.shapes = {each.name: each for each in shapes if each}
        functions = [
            made for _, _, functions in interface.groups for each in functions if (made := self.read_function(interface, *each))
        ]
        # Of two functions whose names differ in the prefix, the one of libvcx has the short name.
        older = {tuple(each.words) for each in functions if each.c_name.startswith("vcx_")}
        self.functions = [
            replace(each, keeps_prefix=not each.c_name.startswith("vcx_") and tuple(each.words) in older) for each in functions
        ]

    @staticmethod
    def read_shape(interface, documentation, name, result, parameters):
        """The shape of a callback that ends an operation; None for the functions of a logger."""
        if [name for name, _ in parameters[:2]] != ["command_handle", "error"] or result != "Void":
            return None
        return Shape(name, values(interface, parameters[2:], {}))

    @property
    def note(self):
        """A sentence for the generated files."""
        return f"Not here, since their types do not cross: {', '.join(self.left_out)}."

    def read_function(self, interface, name, documentation, result, parameters, asynchronous):
        kept = parameters[1:-1] if asynchronous else parameters
        arguments = values(interface, kept, interface.needs[name])
        c = interface.types[result][0]
        if arguments is None or c == WRITABLE:
            self.left_out.append(name)
            return None
        shape = self.shapes[interface.types[parameters[-1][1]][0]] if asynchronous else None
        kind = "text" if c.endswith("*") else "nothing" if c == "void" else "error"
        is_subscription = asynchronous and documentation.parameters["cb"].startswith(REPEATS)
        return Function(name, documentation, arguments, shape, is_subscription, kind)


def unique(names, what):
    """Stops if two C names have one name in a language."""
    seen = {}
    for c_name, name in names:
        if name in seen:
            raise SystemExit(f"{what}: {c_name} and {seen[name]} would both be {name}")
        seen[name] = c_name
