"""Tests of gcnsim.capi, which is written from the headers: python3 tests/python/test_capi.py, from the repository's root, with
GCNSIM_LIBRARY.

GCNSIM_FACTS is a file of what a C compiler says about the headers (tests/unit/api/released/layout.h, from its debug
information): every struct, member, enumerator, number and function is compared with it.
"""

import ctypes as C
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, os.environ.get("GCNSIM_PYTHON", "build/python"))

from gcnsim import capi  # noqa: E402

SAMPLES = b"traces/samples/"
SCALARS = {"int": C.c_int, "unsigned int": C.c_uint, "double": C.c_double, "size_t": C.c_size_t, "char": C.c_char,
           "uint8_t": C.c_uint8, "uint32_t": C.c_uint32, "uint64_t": C.c_uint64, "void": None}


def parts(text):
    """What stands between commas outside brackets."""
    out, depth = [""], 0
    for c in text:
        depth += (c in "([") - (c in ")]")
        if c == "," and not depth:
            out.append("")
        else:
            out[-1] += c
    return [p.strip() for p in out if p.strip()]


def native(text):
    """The type of ctypes for one that is written as in C."""
    array = re.fullmatch(r"(.*[^)])\[(\d+)\]", text)
    if array:
        return native(array[1]) * int(array[2])
    function = re.fullmatch(r"(.*?) \(\*\)\((.*)\)", text)
    if function:
        return C.CFUNCTYPE(native(function[1]), *(native(p) for p in parts(function[2])))
    base, stars = re.fullmatch(r"([\w ]*?)(?: ([*]+(?:const ?|[*])*))?", text).groups()
    depth = (stars or "").count("*")
    words = [w for w in base.split() if w not in ("const", "volatile")]
    if words[0] == "enum":
        kind = C.c_int
    elif words[0] == "struct":
        kind = getattr(capi, "struct_" + words[1])
    elif words == ["char"] and depth and "const" in base:
        kind, depth = C.c_char_p, depth - 1
    elif words == ["void"] and depth:
        kind, depth = C.c_void_p, depth - 1
    elif words[0].endswith("_fn"):
        kind, depth = getattr(capi, words[0]), depth - 1
    else:
        kind = SCALARS[" ".join(words)]
    for _ in range(depth):
        kind = C.POINTER(kind)
    return kind


class Facts(unittest.TestCase):
    """The compiler's word for each of them, and nothing else."""

    @classmethod
    def setUpClass(cls):
        lines = Path(os.environ["GCNSIM_FACTS"]).read_text().splitlines()
        cls.facts = [line.split(" ", 2) for line in lines if not line.startswith("#")]

    def of(self, kind):
        found = [(name, rest[0] if rest else "") for k, name, *rest in self.facts if k == kind]
        self.assertTrue(found)
        return found

    def test_structs(self):
        structs = dict(self.of("struct"))
        defined = {n[7:] for n in dir(capi) if n.startswith("struct_") and hasattr(getattr(capi, n), "_fields_")}
        self.assertEqual(set(structs), defined)
        for name, size in structs.items():
            self.assertEqual(C.sizeof(getattr(capi, "struct_" + name)), int(size), name)

    def test_members(self):
        seen = set()
        for path, rest in self.of("member"):
            (struct, member), (offset, kind) = path.split("."), rest.split(" ", 1)
            cls = getattr(capi, "struct_" + struct)
            self.assertEqual(getattr(cls, member).offset, int(offset), path)
            self.assertIs(dict(cls._fields_)[member], native(kind), path)
            seen.add((struct, member))
        ours = {(n[7:], f) for n in dir(capi) if n.startswith("struct_")
                for f, _ in getattr(getattr(capi, n), "_fields_", []) if not f.startswith("_padding_")}
        self.assertEqual(seen, ours)

    def test_enumerators(self):
        values = {}
        for path, value in self.of("value"):
            enum, constant = path.split(".")
            self.assertEqual(getattr(capi, enum)[constant], int(value), path)
            values.setdefault(enum, set()).add(constant)
        for name, constants in values.items():
            self.assertEqual({m.name for m in getattr(capi, name)}, constants)

    def test_numbers(self):
        for name, value in self.of("macro"):
            self.assertEqual(getattr(capi, name), int(value), name)

    def test_callbacks(self):
        for name, kind in self.of("type"):
            result, arguments = re.fullmatch(r"(.*?) \((.*)\)", kind).groups()
            self.assertIs(getattr(capi, name), native(f"{result} (*)({arguments})"), name)

    def test_functions(self):
        for name, kind in self.of("function"):
            result, arguments = re.fullmatch(r"(.*?) \((.*)\)", kind).groups()
            function = getattr(capi, name)
            self.assertIs(function.restype, native(result), name)
            self.assertEqual(list(function.argtypes), [native(p) for p in parts(arguments)], name)
        self.assertEqual({n for n, _ in self.of("function")}, set(capi._FUNCTIONS))

    def test_inline_functions(self):
        """Those of the headers that are no exported ones: each is there, and hands the size of its struct on."""
        text = "".join(p.read_text() for p in sorted(Path("sim/api").glob("gcnsim*.h")))
        names = re.findall(r"^static inline [^(]*?(gcnsim_\w+)\(", text, re.M)
        self.assertGreater(len(names), 20)
        for name in names:
            self.assertTrue(callable(getattr(capi, name)), name)
        for name in (n for n in names if n.endswith("_init")):
            struct = getattr(capi, "struct_" + name[:-5])()
            getattr(capi, name)(struct)
            self.assertEqual(struct.struct_bytes, C.sizeof(struct), name)


class Uses(unittest.TestCase):
    def setUp(self):
        self.error = capi.struct_gcnsim_error()

    def good(self, status):
        self.assertEqual(status, capi.gcnsim_status.GCNSIM_OK, self.error.text)

    def launch(self, prepare):
        """vecadd on a device of its own; prepare(dispatch)."""
        sim, module = C.POINTER(capi.struct_gcnsim)(), C.POINTER(capi.struct_gcnsim_module)()
        args, result = C.POINTER(capi.struct_gcnsim_args)(), C.POINTER(capi.struct_gcnsim_result)()
        self.good(capi.gcnsim_open(sim, None, self.error))
        self.good(capi.gcnsim_load_file(sim, module, SAMPLES + b"gfx90a/vecadd.co", None, self.error))
        specs = (C.c_char_p * 4)(b"buf:4096", b"buf:4096", b"buf:4096", b"u32:1024")
        self.good(capi.gcnsim_args_parse(module, 0, specs, 4, None, args, self.error))
        dispatch = capi.struct_gcnsim_dispatch()
        capi.gcnsim_dispatch_init(dispatch)
        dispatch.args = args
        dispatch.grid_size[0], dispatch.workgroup_size[0] = 1024, 256
        prepare(dispatch)
        self.good(capi.gcnsim_launch(module, dispatch, result, self.error))
        capi.gcnsim_args_free(args)
        capi.gcnsim_close(sim)
        self.addCleanup(capi.gcnsim_result_free, result)
        return result

    def test_a_result_is_its_struct(self):
        result = self.launch(lambda d: setattr(d, "per_instruction", 1))
        r = result.contents
        self.assertTrue(capi.GCNSIM_HAS(result, "limiter"))
        r.struct_bytes = type(r).limiter.offset + 7
        self.assertFalse(capi.GCNSIM_HAS(result, "limiter"))
        self.assertEqual((r.kernel, r.workgroups, list(r.grid)), (b"vecadd", 4, [1024, 1, 1]))
        stats = {r.stats[k].name: r.stats[k].value for k in range(r.stat_count)}
        cycles = C.c_double()
        self.good(capi.gcnsim_result_stat(result, b"cycles", cycles))
        self.assertEqual(stats[b"cycles"], cycles.value)
        listing = capi.gcnsim_result_listing(result).contents
        texts = [listing.instructions[k].instruction for k in range(listing.instruction_count)]
        self.assertEqual(texts[-1], b"s_endpgm")
        self.assertEqual(listing.functions[0].name, b"vecadd")

    def test_a_callback_ends_a_run(self):
        seen = []

        @capi.gcnsim_progress_fn
        def stop(ctx, done, of):
            seen.append((done, of))
            return 1

        result = self.launch(lambda d: setattr(d, "progress", stop))
        self.assertEqual(result.contents.outcome, capi.gcnsim_outcome.GCNSIM_INTERRUPTED)
        self.assertEqual(seen[0][1], 4)

    def test_text_is_freed(self):
        text = C.POINTER(C.c_char)()
        self.good(capi.gcnsim_demangle(b"_Z4vaddPfi", text, self.error))
        self.assertEqual(C.string_at(text), b"vadd(float*, int)")
        capi.gcnsim_free(text)

    def test_an_error_has_a_sentence(self):
        code = C.POINTER(capi.struct_gcnsim_code)()
        status = capi.gcnsim_code_open_file(code, b"README.md", None, self.error)
        self.assertEqual(status, capi.gcnsim_status.GCNSIM_ERROR_FORMAT)
        self.assertEqual(self.error.code, status)
        self.assertIn(b"README.md", self.error.text)
        self.assertEqual(capi.gcnsim_status_text(status), b"malformed input")

    def test_instructions(self):
        disasm, entry, count = C.POINTER(capi.struct_gcnsim_disasm)(), capi.struct_gcnsim_isa_entry(), 0
        self.good(capi.gcnsim_disasm_open(disasm, b"gfx942", self.error))
        while not capi.gcnsim_isa_entry(disasm, count, entry):
            count += 1
        capi.gcnsim_disasm_close(disasm)
        self.assertGreater(count, 1000)
        self.assertEqual(entry.operands[0].type.decode(), entry.operands[0].type.decode().upper())

    def test_another_kind_of_handle_is_refused(self):
        with self.assertRaises(C.ArgumentError):
            capi.gcnsim_close(C.POINTER(capi.struct_gcnsim_code)())
        with self.assertRaises(AttributeError):
            capi.gcnsim_nothing


class Generator(unittest.TestCase):
    def generate(self, header):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "gcnsim.h")
            path.write_text(header)
            command = [sys.executable, "sim/python/generate.py", folder, str(path)]
            ended = subprocess.run(command, capture_output=True, text=True)
            return ended.returncode or Path(folder, "capi.py").read_text(), ended.stderr

    def test_what_it_does_not_know_is_an_error(self):
        for line, says in (("struct gcnsim_s {\n    float x;\n};\n", "no type float"),
                           ("union gcnsim_u {\n    int x;\n};\n", "not understood"),
                           ("#define GCNSIM_N sizeof(int)\n", "expected a whole number"),
                           ("GCNSIM_API int gcnsim_f(int x, ...);\n", "not understood"),
                           ("struct gcnsim_s {\n    int x : 3;\n};\n", "not understood"),
                           ("typedef int gcnsim_f(int x);\nGCNSIM_API int gcnsim_f(int x);\n", "one meaning")):
            status, said = self.generate(line)
            self.assertEqual(status, 1, line)
            self.assertIn(says, said)

    def test_members_that_are_aligned_by_hand(self):
        text, _ = self.generate("struct gcnsim_s {\n    int x;\n    uint32_t y[3] __attribute__((aligned(8)));\n};\n")
        self.assertIn('("x", C.c_int), ("_padding_4", C.c_uint8 * 4), ("y", C.c_uint32 * 3)]', text)

    def test_numbers(self):
        text, _ = self.generate("#define GCNSIM_A 3 /* a */\n#define GCNSIM_B (GCNSIM_A * 1000 + (UINT64_C(16) << 30))\n"
                                "enum gcnsim_e { GCNSIM_X = 4, GCNSIM_Y, GCNSIM_Z = 0x10 };\n")
        self.assertIn(f"GCNSIM_B = {3000 + (16 << 30)}\n", text)
        self.assertIn("    GCNSIM_X = 4\n    GCNSIM_Y = 5\n    GCNSIM_Z = 16\n", text)


if __name__ == "__main__":
    unittest.main()
