"""Writes gcnsim/capi.py and its types, capi.pyi, from the library's headers.

    generate.py FOLDER sim/api/gcnsim.h

The parts of the header, which it includes, are read with it. Our headers have one form for each thing (tests/lint/api.sh,
clang-format), so that this understands all of them by a few patterns; what none of them matches is an error
(docs/adr/0031-python-from-headers.md). Layouts are those of LP64 hosts, as the library's promise is.
"""

from __future__ import annotations

import keyword
import re
import sys
import textwrap
from pathlib import Path
from typing import NamedTuple, NoReturn, Optional, Union

# C's scalars: of ctypes, size
SCALARS = {"int": ("C.c_int", 4), "unsigned": ("C.c_uint", 4), "double": ("C.c_double", 8), "size_t": ("C.c_size_t", 8),
           "uint8_t": ("C.c_uint8", 1), "uint32_t": ("C.c_uint32", 4), "uint64_t": ("C.c_uint64", 8),
           "int64_t": ("C.c_int64", 8), "char": ("C.c_char", 1)}
LITERALS = {"UINT32_MAX": (1 << 32) - 1, "UINT64_MAX": (1 << 64) - 1}


def wrong(what: str) -> NoReturn:
    raise SystemExit(f"generate.py: {what}")


class Type(NamedTuple):
    """"const char *const *x[3]": base "char", pointers 2, of constant characters, 3 of them. A function's has a signature."""
    base: str
    pointers: int
    is_const: bool
    count: Optional[int]
    align: int
    signature: Optional["Signature"]


class Signature(NamedTuple):
    result: Type
    parameters: list["Variable"]


class Variable(NamedTuple):
    name: str
    type: Type


class Struct(NamedTuple):
    name: str
    members: Optional[list[Variable]]  # None: a handle


class Function(NamedTuple):
    name: str
    signature: Signature
    doc: str
    call: Optional[tuple[str, list[str]]]  # of an inline one: the exported one, and what it is given


def split(text: str, separator: str = ",") -> list[str]:
    """At separators outside brackets."""
    parts, depth = [""], 0
    for c in text:
        depth += (c in "([{") - (c in ")]}")
        if c == separator and not depth:
            parts.append("")
        else:
            parts[-1] += c
    return [p.strip() for p in parts if p.strip()]


class Header:
    """What the headers declare, in their order."""

    def __init__(self, path: Path):
        self.numbers: dict[str, int] = {}
        self.enums: dict[str, dict[str, int]] = {}
        self.structs: dict[str, Struct] = {}
        self.callbacks: dict[str, Signature] = {}
        self.functions: dict[str, Function] = {}
        text = path.read_text()
        self._read(re.sub(r'^#include "(gcnsim_\w+\.h)"$', lambda m: (path.parent / m[1]).read_text(), text, flags=re.M))

    def _read(self, text: str) -> None:
        """Each declaration with the comment that ends on the line above it."""
        text = re.sub(r"\\\n", " ", text)
        text = re.sub(r'extern "C" \{|^\}$(?=\n#endif)', "", text, flags=re.M)
        pattern = re.compile(r"(?P<comment>/\*.*?\*/)|(?P<directive>^#[^\n]*)|(?P<blank>\n[ \t]*(?=\n))|(?P<space>\s+)"
                             r"|(?P<inline>static inline [^{]*\{[^}]*\})|(?P<declaration>[^;{/#]+(\{[^}]*\})?[^;{]*;)",
                             re.S | re.M)
        at, doc = 0, ""
        while at < len(text):
            found = pattern.match(text, at)
            if not found:
                wrong(f"not understood: {text[at:at + 100]!r}")
            if found["comment"]:
                doc = found[0]
            elif found["directive"]:
                self._directive(re.sub(r"/\*.*?\*/", "", found[0]).strip())
                doc = ""
            elif found["blank"]:
                doc = ""
            elif found["inline"] or found["declaration"]:
                plain = " ".join(re.sub(r"/\*.*?\*/", " ", found[0], flags=re.S).split())
                name = self._declaration(plain, doc)
                if name is None or not name.endswith("_sized"):  # whose inline function shares its comment
                    doc = ""
            at = found.end()

    def _directive(self, line: str) -> None:
        found = re.fullmatch(r"#define (GCNSIM_\w+)\s+(.+)", line)
        if found and not found[1].endswith("_H") and found[1] != "GCNSIM_API":
            self.numbers[found[1]] = self._number(found[2])

    def _number(self, text: str) -> int:
        text = re.sub(r"UINT64_C\((\w+)\)", r"\1", text)
        text = re.sub(r"[A-Za-z_]\w*", lambda m: str({**LITERALS, **self.numbers}.get(m[0], m[0])), text)
        if not re.fullmatch(r"(0x[0-9a-fA-F]+|\d+|[-+*() ]|<<)+", text):
            wrong(f"{text!r}: expected a whole number")
        return int(eval(text))  # digits and operators alone

    def _declaration(self, text: str, doc: str) -> Optional[str]:
        if found := re.fullmatch(r"enum (gcnsim_\w+) \{(.*)\};", text):
            self._enum(found[1], found[2])
        elif found := re.fullmatch(r"struct (gcnsim\w*);", text):
            self.structs.setdefault(found[1], Struct(found[1], None))
        elif found := re.fullmatch(r"struct (gcnsim\w*) \{(.*)\};", text):
            self.structs.pop(found[1], None)  # its place is where its members are known
            self.structs[found[1]] = Struct(found[1], self._members(found[1], found[2]))
        elif found := re.fullmatch(r"typedef (.*?)(gcnsim_\w+)\((.*)\);", text):
            self.callbacks[found[2]] = self._signature(found[1], found[3])
        elif found := re.fullmatch(r"GCNSIM_API (.*?)(gcnsim_\w+)\((.*)\);", text):
            self.functions[found[2]] = Function(found[2], self._signature(found[1], found[3]), doc, None)
            return found[2]
        elif found := re.fullmatch(r"static inline (.*?)(gcnsim_\w+)\(([^{]*)\) \{ (?:return )?(\w+)\((.*)\); \}", text):
            signature = self._signature(found[1], found[3])
            self.functions[found[2]] = Function(found[2], signature, doc, (found[4], split(found[5])))
        else:
            wrong(f"not understood: {text!r}")
        return None

    def _enum(self, name: str, body: str) -> None:
        values: dict[str, int] = {}
        for part in split(body):
            constant, _, value = (p.strip() for p in part.partition("="))
            values[constant] = self._number(value) if value else max(values.values(), default=-1) + 1
        self.enums[name] = values

    def _members(self, struct: str, body: str) -> list[Variable]:
        """Those that are callbacks have types of their own, gcnsim_feed_ask_fn."""
        out = []
        for name, t in (v for m in split(body, ";") for v in self._variables(m)):
            if t.signature:
                self.callbacks[f"{struct}_{name}_fn"] = t.signature
                t = t._replace(base=f"{struct}_{name}_fn", signature=None)
            out.append(Variable(name, t))
        return out

    def _signature(self, result: str, parameters: str) -> Signature:
        names = [] if parameters == "void" else [v for p in split(parameters) for v in self._variables(p)]
        return Signature(self._variables(result + " result")[0].type, names)

    def _variables(self, text: str) -> list[Variable]:
        """"const uint32_t *a, b[3]"."""
        text, align = re.subn(r" __attribute__\(\(aligned\(8\)\)\)", "", text)
        if found := re.fullmatch(r"(.*?)\(\*(\w+)\)\((.*)\)", text):
            return [Variable(found[2], Type("", 1, False, None, 8, self._signature(found[1], found[3])))]
        found = re.fullmatch(r"((?:const |volatile |struct |enum )*)(\w+) (.*)", text)
        if not found:
            wrong(f"not understood: {text!r}")
        base = "int" if "enum" in found[1] else found[2]
        if base not in SCALARS and base not in self.callbacks and base != "void" and "struct" not in found[1]:
            wrong(f"{text!r}: no type {base}")
        out = []
        for declarator in split(found[3]):
            parts = re.fullmatch(r"((?:\*|const )*)(\w+)(?:\[(\w+)\])?", declarator.replace("* ", "*"))
            if not parts:
                wrong(f"not understood: {text!r}")
            count = self._number(parts[3]) if parts[3] else None
            out.append(Variable(parts[2], Type(base, parts[1].count("*"), "const" in found[1], count, 8 * align, None)))
        return out


class Writer:
    """Types as ctypes has them, and as type checkers do."""

    def __init__(self, header: Header):
        self.h = header

    def layout(self, t: Type) -> tuple[int, int]:
        """Size and alignment of one."""
        if t.pointers:
            return 8, 8
        if t.base in SCALARS:
            return SCALARS[t.base][1], SCALARS[t.base][1]
        size, align = 0, 1
        for member in self.h.structs[t.base].members or ():
            one, least = self.layout(member.type)
            least = max(least, member.type.align)
            size = -(-size // least) * least + one * (member.type.count or 1)
            align = max(align, least)
        return -(-size // align) * align, align

    def native(self, t: Type, is_parameter: bool = False) -> str:
        """Of ctypes."""
        if t.signature:
            return self.callback(t.signature)
        pointers = t.pointers + (1 if is_parameter and t.count else 0)
        if t.base in self.h.callbacks:
            name, pointers = t.base, pointers - 1
        elif t.base == "void":
            name, pointers = ("None", 0) if not pointers else ("C.c_void_p", pointers - 1)
        elif t.base == "char" and t.is_const and pointers:
            name, pointers = "C.c_char_p", pointers - 1
        else:
            name = SCALARS[t.base][0] if t.base in SCALARS else "struct_" + t.base
        for _ in range(pointers):
            name = f"C.POINTER({name})"
        return f"{name} * {t.count}" if t.count and not is_parameter else name

    def callback(self, s: Signature) -> str:
        return "C.CFUNCTYPE(" + ", ".join([self.native(s.result)] + [self.native(p.type) for p in s.parameters]) + ")"

    def value(self, t: Type) -> str:
        """What a member, a result or a callback's parameter is in Python."""
        native = self.native(t)
        if t.signature or t.base in self.h.callbacks:
            return "Any"
        if t.count:
            return "Bytes" if t.base == "char" else f"Array[{native.split(' *')[0]}]".replace("C.", "")
        if native.startswith("C.POINTER("):
            return f"_Pointer[{native[10:-1]}]".replace("C.POINTER(", "_Pointer[").replace(")", "]").replace("C.", "")
        plain = {"None": "None", "C.c_char_p": "Text", "C.c_void_p": "Optional[int]", "C.c_double": "float"}
        return plain.get(native, "int" if native.startswith("C.") else native)

    def argument(self, t: Type) -> str:
        """What a function takes."""
        if t.signature or t.base in self.h.callbacks:
            return "Any"
        native = self.native(t, True)
        if native.startswith("C.POINTER("):
            return "Pointer"
        return {"C.c_char_p": "Text", "C.c_void_p": "Memory", "C.c_double": "float"}.get(native, "int")


def safe(name: str) -> str:
    return name + "_" if keyword.iskeyword(name) else name


def filled(head: str, parts: list[str], tail: str, indent: int = 4) -> list[str]:
    """In one line, or the parts in lines of their own below the head."""
    if len(head) + sum(len(p) + 2 for p in parts) + len(tail) <= 120:
        return [head + ", ".join(parts) + tail]
    whole = " ".join(p.replace(" ", "\0") + "," for p in parts)[:-1] + tail.replace(" ", "\0")
    lines = textwrap.wrap(whole, 110, break_long_words=False, break_on_hyphens=False)
    return [head] + [" " * indent + line.replace("\0", " ") for line in lines]


HEAD = '''"""The functions of gcnsim.h as ctypes, by their own names; its structs (struct_gcnsim_dispatch), enumerations and
numbers. docs/PYTHON.md says how they are used, the header what they do. Written by sim/python/generate.py: not to be edited."""
'''

RUNTIME = '''
from __future__ import annotations

import ctypes as C
from enum import IntEnum
from typing import Any

from ._load import function

'''

TYPES = '''
from ctypes import Array, Structure, _CArgObject, _CData, _Pointer
from ctypes import c_char, c_char_p, c_double, c_int, c_uint8, c_uint32, c_uint64, c_void_p
from enum import IntEnum
from typing import Any, Callable, Optional, Union

Bytes = bytes
Text = Optional[bytes]  # as a file's or the command line's bytes are
Pointer = Union[_CData, _CArgObject, None]  # byref(x), pointer(x), an array, null
Memory = Union[_CData, _CArgObject, bytes, int, None]  # the same, or an address
'''

HAS = '''
def GCNSIM_HAS(pointer: Any, member: str) -> bool:
    """Whether the library that is loaded has a member of a struct that it gives by pointer."""
    field = getattr(type(pointer.contents), member)
    return bool(field.offset + field.size <= pointer.contents.struct_bytes)

'''

BINDING = '''
def __getattr__(name: str) -> Any:
    if name not in _FUNCTIONS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found = function(name, *_FUNCTIONS[name])
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_FUNCTIONS})
'''


def constants(h: Header) -> list[str]:
    out = [f"{name} = {value}" for name, value in h.numbers.items()]
    for name, values in h.enums.items():
        out += ["", "", f"class {name}(IntEnum):"] + [f"    {constant} = {value}" for constant, value in values.items()]
    return out


def members(w: Writer, struct: Struct) -> list[str]:
    """_fields_ of a struct. Padding before a member that is aligned by hand is a member of its own."""
    out, size = [], 0
    for name, t in struct.members or ():
        one, align = w.layout(t)
        size = -(-size // align) * align
        if t.align and size % t.align:
            out.append(f'("_padding_{size}", C.c_uint8 * {t.align - size % t.align})')
            size += t.align - size % t.align
        size += one * (t.count or 1)
        out.append(f'("{safe(name)}", {w.native(t)})')
    return filled(f"struct_{struct.name}._fields_ = [", out, "]")


def runtime(h: Header) -> str:
    w, out = Writer(h), constants(h)
    for name in h.structs:
        out += ["", "", f"class struct_{name}(C.Structure):", "    pass"]
    out += ["", ""]
    for name, s in h.callbacks.items():
        head, _, rest = w.callback(s)[:-1].partition("(")
        out += filled(f"{name} = {head}(", split(rest), ")")
    for struct in h.structs.values():
        out += members(w, struct) if struct.members is not None else []
    out += ["", "# result and arguments of each exported function", "_FUNCTIONS: dict[str, tuple[Any, ...]] = {"]
    for f in h.functions.values():
        if not f.call:
            types = [w.native(f.signature.result)] + [w.native(p.type, True) for p in f.signature.parameters]
            out += ["    " + line for line in filled(f'"{f.name}": (', types, ",)," if len(types) == 1 else "),")]
    out += ["}", ""] + HAS.splitlines()
    for f in h.functions.values():
        if f.call:
            names = [p.name for p in f.signature.parameters]
            of = {p.name: p.type.base for p in f.signature.parameters}
            given = [f"C.sizeof(struct_{of[a[8:]]})" if a.startswith("sizeof *") else a for a in f.call[1]]
            begin = "" if w.native(f.signature.result) == "None" else "return "
            out += [""] + filled(f"def {f.name}(", [f"{n}: Any" for n in names], ") -> Any:", 8)
            out += ["    " + line for line in filled(f'{begin}__getattr__("{f.call[0]}")(', given, ")")] + [""]
    return HEAD + RUNTIME + "\n".join(out) + "\n" + BINDING


def prose(comment: str) -> list[str]:
    """The text of a comment, as a docstring."""
    lines = [re.sub(r"^ \* ?|^/\* ?", "", line) for line in comment.replace("*/", "").splitlines()]
    return ['    """' + lines[0].rstrip()] + [("    " + line).rstrip() for line in lines[1:]] + ['    """']


def types(h: Header) -> str:
    w, out = Writer(h), constants(h)
    for struct in h.structs.values():
        out += ["", "", f"class struct_{struct.name}(Structure):"] + ["    ..." for _ in [0] if not struct.members]
        out += [f"    {safe(name)}: {w.value(t)}" for name, t in struct.members or ()]
    out += ["", ""] + [f"def {name}(work: Callable[[{', '.join(w.value(p.type) for p in s.parameters)}], "
                       f"{w.value(s.result)}]) -> Any: ..." for name, s in h.callbacks.items()]
    out += ["def GCNSIM_HAS(pointer: Any, member: str) -> bool: ..."]
    for f in h.functions.values():
        given = [f"{safe(p.name)}: {w.argument(p.type)}" for p in f.signature.parameters]
        out += filled(f"def {f.name}(", given, f") -> {w.value(f.signature.result)}:") + prose(f.doc)
    return HEAD + TYPES + "\n" + "\n".join(out) + "\n"


def main(folder: Union[str, Path], header: Union[str, Path]) -> None:
    h = Header(Path(header))
    names = [*h.numbers, *h.enums, *h.callbacks, *h.functions]
    if twice := {n for n in names if names.count(n) > 1}:
        wrong(f"{', '.join(sorted(twice))}: expected one meaning of each name")
    for name, text in (("capi.py", runtime(h)), ("capi.pyi", types(h))):
        (Path(folder) / name).write_text(text)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    main(sys.argv[1], sys.argv[2])
