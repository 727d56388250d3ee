"""Finds libgcnsim and describes what of it the package calls: the structs and functions of gcnsim.h, as ctypes."""

from __future__ import annotations

import contextlib
import ctypes as C
import ctypes.util
import operator
import os
import threading
import weakref
from pathlib import Path
from typing import Any, Callable, Optional

SONAME = "libgcnsim.so.1"


class LibraryNotFound(OSError):
    """libgcnsim could not be loaded; the message lists where it was looked for."""


class GcnsimError(Exception):
    """A call of the library failed. `code` is a number of enum gcnsim_status, `text` its sentence."""

    def __init__(self, code: int, text: str):
        super().__init__(text)
        self.code = code
        self.text = text


class Error(C.Structure):
    _fields_ = [("code", C.c_int), ("text", C.c_char * 640)]


class CodeInfo(C.Structure):
    _fields_ = [("name", C.c_char_p), ("target", C.c_char_p), ("processor", C.c_char_p),
                ("code_object_version", C.c_uint32), ("kernel_count", C.c_uint32), ("symbol_count", C.c_uint32),
                ("os", C.c_char_p), ("where", C.c_char_p)]


class ArgInfo(C.Structure):
    _fields_ = [("name", C.c_char_p), ("type_name", C.c_char_p), ("value_kind", C.c_char_p),
                ("address_space", C.c_char_p), ("access", C.c_char_p), ("offset", C.c_uint32), ("size", C.c_uint32),
                ("hidden", C.c_int)]


class KernelInfo(C.Structure):
    _fields_ = [("name", C.c_char_p), ("symbol", C.c_char_p), ("code_offset", C.c_uint64), ("code_size", C.c_uint64),
                ("kernarg_size", C.c_uint32), ("kernarg_align", C.c_uint32), ("group_segment_fixed_size", C.c_uint32),
                ("private_segment_fixed_size", C.c_uint32), ("uses_dynamic_stack", C.c_int),
                ("wavefront_size", C.c_uint32), ("vgprs", C.c_uint32), ("agprs", C.c_uint32), ("sgprs", C.c_uint32),
                ("vgpr_count", C.c_uint32), ("agpr_count", C.c_uint32), ("sgpr_count", C.c_uint32),
                ("vgpr_spill_count", C.c_uint32), ("sgpr_spill_count", C.c_uint32),
                ("max_flat_workgroup_size", C.c_uint32), ("reqd_workgroup_size", C.c_uint32 * 3),
                ("uniform_work_group_size", C.c_int), ("compute_pgm_rsrc1", C.c_uint32),
                ("compute_pgm_rsrc2", C.c_uint32), ("compute_pgm_rsrc3", C.c_uint32),
                ("kernel_code_properties", C.c_uint32), ("has_metadata", C.c_int), ("arg_count", C.c_uint32),
                ("explicit_arg_count", C.c_uint32), ("cluster_dims", C.c_uint32 * 3)]


class ProfileInfo(C.Structure):
    _fields_ = [("name", C.c_char * 64), ("chip", C.c_char * 96), ("target", C.c_char * 24), ("is_default", C.c_int)]


class Occupancy(C.Structure):
    _fields_ = [("waves_per_simd", C.c_uint32), ("workgroups_per_cu", C.c_uint32), ("waves_per_workgroup", C.c_uint32),
                ("limiter", C.c_char_p), ("vgprs_allocated", C.c_uint32), ("agprs_allocated", C.c_uint32),
                ("sgprs_allocated", C.c_uint32), ("lds_bytes_allocated", C.c_uint32), ("cus", C.c_uint32)]


class CodeSource(C.Structure):
    _fields_ = [("struct_bytes", C.c_size_t), ("path", C.c_char_p), ("bytes", C.c_char_p), ("size", C.c_size_t),
                ("name", C.c_char_p), ("want_target", C.c_char_p), ("max_memory", C.c_uint64), ("kernel", C.c_char_p),
                ("by_index", C.c_int), ("index", C.c_uint32)]


class Dispatch(C.Structure):
    _fields_ = [("struct_bytes", C.c_size_t), ("kernel", C.c_uint32), ("engine", C.c_int),
                ("grid_size", C.c_uint32 * 3), ("workgroup_size", C.c_uint32 * 3),
                ("dynamic_group_segment_size", C.c_uint32), ("private_segment_size", C.c_uint32),
                ("args", C.c_void_p), ("kernarg", C.c_void_p), ("kernarg_size", C.c_size_t),
                ("threads", C.c_uint32), ("max_cycles", C.c_uint64), ("max_instructions", C.c_uint64),
                ("progress", C.c_void_p), ("progress_ctx", C.c_void_p), ("abort_flag", C.POINTER(C.c_int)),
                ("tick_every_cycle", C.c_int), ("perfect_memory", C.c_int), ("check", C.c_int),
                ("command_line", C.c_char_p), ("traces", C.POINTER(C.c_char_p)), ("trace_count", C.c_size_t),
                ("snapshot_flag", C.c_void_p), ("snapshot", C.c_void_p), ("snapshot_ctx", C.c_void_p),
                ("cold", C.c_int), ("acquire", C.c_int), ("release", C.c_int), ("per_instruction", C.c_int),
                ("samples", C.c_uint64), ("att", C.c_void_p), ("timeline", C.c_void_p),
                ("progress_facts", C.c_void_p), ("progress_facts_ctx", C.c_void_p), ("ignore_lds_races", C.c_int),
                ("sample_workgroups", C.c_uint64), ("sample_skip", C.c_int), ("visits", C.c_int),
                ("hotspots", C.c_int), ("padding_of_0_1", C.c_uint32), ("cluster_size", C.c_uint32 * 3)]


class Annotate(C.Structure):
    _fields_ = [("struct_bytes", C.c_size_t), ("sort", C.c_int), ("top", C.c_uint32), ("function", C.c_char_p),
                ("color", C.c_int), ("no_sources", C.c_int)]


class Att(C.Structure):
    _fields_ = [("struct_bytes", C.c_size_t), ("folder", C.c_char_p), ("agent", C.c_uint64), ("dispatch", C.c_uint64),
                ("all_units", C.c_int), ("units", C.POINTER(C.c_uint32)), ("unit_count", C.c_size_t),
                ("from_cycle", C.c_uint64), ("to_cycle", C.c_uint64), ("max_waves", C.c_uint64), ("no_sources", C.c_int)]


class WaveView(C.Structure):
    _fields_ = [("workgroup", C.c_uint64), ("wave", C.c_uint32), ("first_row", C.c_uint64), ("rows", C.c_uint64),
                ("text", C.c_void_p)]


class OnTimeline(C.Structure):
    _fields_ = [("struct_bytes", C.c_size_t), ("timeline", C.c_void_p), ("kernel", C.c_char_p), ("queue", C.c_char_p), ("number", C.c_uint64),
                ("waves", C.c_int), ("object", C.c_void_p), ("object_address", C.c_uint64), ("wave", C.c_void_p)]


_E = C.POINTER(Error)
_P = C.c_void_p
_PP = C.POINTER(C.c_void_p)
_S = C.c_char_p
_U32P = C.POINTER(C.c_uint32)
_U64P = C.POINTER(C.c_uint64)
_SS = C.POINTER(C.c_char_p)

# name: (result, arguments...); calls that end with an error struct raise GcnsimError (see call()).
_FUNCTIONS: dict[str, tuple[Any, ...]] = {
    "gcnsim_version": (_S,),
    "gcnsim_free": (None, _P),
    "gcnsim_open": (C.c_int, _PP, _S, _E),
    "gcnsim_close": (None, _P),
    "gcnsim_set_all": (C.c_int, _P, _SS, C.c_size_t, _E),
    "gcnsim_set_max_memory": (None, _P, C.c_uint64),
    "gcnsim_device_reset": (None, _P),
    "gcnsim_device_clock": (C.c_uint64, _P),
    "gcnsim_profile_name": (_S, _P),
    "gcnsim_profile_list_sized": (C.c_int, C.c_uint32, C.POINTER(ProfileInfo), C.c_size_t),
    "gcnsim_profile_number": (C.c_int, _P, _S, C.POINTER(C.c_double)),
    "gcnsim_alloc": (C.c_int, _P, C.c_uint64, _S, _U64P, _E),
    "gcnsim_dealloc": (C.c_int, _P, C.c_uint64, _E),
    "gcnsim_write": (C.c_int, _P, C.c_uint64, _P, C.c_size_t, _E),
    "gcnsim_read": (C.c_int, _P, C.c_uint64, _P, C.c_size_t, _E),
    "gcnsim_code_source_init_sized": (None, C.POINTER(CodeSource), C.c_size_t),
    "gcnsim_load": (C.c_int, _P, _PP, C.POINTER(CodeSource), _E),
    "gcnsim_unload": (None, _P),
    "gcnsim_module_code": (_P, _P),
    "gcnsim_module_symbol": (C.c_int, _P, _S, _U64P, _U64P, _E),
    "gcnsim_code_get_info_sized": (None, _P, C.POINTER(CodeInfo), C.c_size_t),
    "gcnsim_code_kernel_sized": (C.c_int, _P, C.c_uint32, C.POINTER(KernelInfo), C.c_size_t),
    "gcnsim_code_find_kernel": (C.c_int, _P, _S, _U32P, _E),
    "gcnsim_code_kernel_arg_sized": (C.c_int, _P, C.c_uint32, C.c_uint32, C.POINTER(ArgInfo), C.c_size_t),
    "gcnsim_code_occupancy_sized": (C.c_int, _P, C.c_uint32, _S, C.c_uint32, C.c_uint32, C.POINTER(Occupancy), C.c_size_t,
                                    _E),
    "gcnsim_dispatch_init_sized": (None, C.POINTER(Dispatch), C.c_size_t),
    "gcnsim_launch": (C.c_int, _P, C.POINTER(Dispatch), _PP, _E),
    "gcnsim_result_free": (None, _P),
    "gcnsim_result_status": (C.c_int, _P),
    "gcnsim_result_json": (C.c_int, _P, _PP, _E),
    "gcnsim_result_text": (C.c_int, _P, _PP, _E),
    "gcnsim_result_csv": (C.c_int, _P, _PP, _E),
    "gcnsim_annotate_init_sized": (None, C.POINTER(Annotate), C.c_size_t),
    "gcnsim_result_annotated": (C.c_int, _P, C.POINTER(Annotate), _PP, _E),
    "gcnsim_result_instructions_csv": (C.c_int, _P, _PP, _E),
    "gcnsim_result_counters_csv": (C.c_int, _P, _PP, _E),
    "gcnsim_result_html": (C.c_int, _P, _P, _PP, _E),
    "gcnsim_att_init_sized": (None, C.POINTER(Att), C.c_size_t),
    "gcnsim_timeline_open": (C.c_int, _PP, _S, _P, _E),
    "gcnsim_timeline_close": (C.c_int, _P, C.c_int, _E),
    "gcnsim_sum_open": (C.c_int, _PP, _E),
    "gcnsim_sum_add": (C.c_int, _P, _P, _E),
    "gcnsim_sum_annotated": (C.c_int, _P, C.POINTER(Annotate), _PP, _E),
    "gcnsim_sum_instructions_csv": (C.c_int, _P, C.c_uint64, C.c_int, _PP, _E),
    "gcnsim_sum_launches": (C.c_uint64, _P),
    "gcnsim_sum_stat": (C.c_double, _P, _S),
    "gcnsim_sum_free": (None, _P),
    "gcnsim_disasm_open": (C.c_int, _PP, _S, _E),
    "gcnsim_disasm_close": (None, _P),
    "gcnsim_disasm_set_flags": (None, _P, C.c_uint32),
    "gcnsim_disasm_next": (C.c_size_t, _P, _P, C.c_size_t, C.POINTER(C.c_uint32), _P, C.c_size_t,
                           C.POINTER(C.c_int)),
}

_library: Optional[C.CDLL] = None


def _candidates() -> list[str]:
    """Where the library may be: as the environment says, beside the package, in a build of the repository, in the prefix
    that the package lies in or was installed from, the system's."""
    named = os.environ.get("GCNSIM_LIBRARY")
    if named:
        return [named]
    here = Path(__file__).resolve().parent
    above = list(here.parents)
    places = [here / SONAME, above[2] / "build" / SONAME]
    # share/gcnsim/python/gcnsim of `make install`; a folder that the linker's cache does not know before ldconfig
    places += [p / "lib" / SONAME for p in above[3:4] + [Path("/usr/local")]]
    system = ctypes.util.find_library("gcnsim")
    return [str(p) for p in places if p.exists()] + ([system] if system else []) + [SONAME]


def library() -> C.CDLL:
    """The loaded library."""
    global _library
    if _library is None:
        said = []
        for path in _candidates():
            try:
                lib = C.CDLL(path)
                break
            except OSError as e:
                said.append(str(e))
        else:
            raise LibraryNotFound("no " + SONAME + ": " + "; ".join(said) +
                                  "; set GCNSIM_LIBRARY to its path, or install gcnsim")
        for name, (result, *arguments) in _FUNCTIONS.items():
            try:
                f = getattr(lib, name)
            except AttributeError:
                raise LibraryNotFound(f"{lib._name} has no {name}; expected gcnsim of this package's version") from None
            f.restype, f.argtypes = result, arguments
        _library = lib
    return _library


def version() -> str:
    """Version of the library, "0.1.0"."""
    return library().gcnsim_version().decode()


# ---- values that callers give: ctypes would cut off numbers and texts without a word ----


def whole(value: Any, what: str, most: int, least: int = 0) -> int:
    """A whole number within bounds."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{what}: {type(value).__name__}; expected a whole number") from None
    if not least <= number <= most:
        raise OverflowError(f"{what}: {number}; expected {least} to {most}")
    return number


def text_bytes(text: Any, what: str) -> bytes:
    """A text as the library takes it."""
    if not isinstance(text, str):
        raise TypeError(f"{what}: {type(text).__name__}; expected a str")
    return without_nul(text.encode(), what)


def path_bytes(path: Any, what: str) -> bytes:
    """The name of a file, or of something that may be one."""
    return without_nul(os.fsencode(path), what)


def without_nul(raw: bytes, what: str) -> bytes:
    if b"\0" in raw:
        raise ValueError(f"{what}: a zero byte in the text")
    return raw


# ---- handles ----


class _State:
    """What a handle's end needs. It may come on any thread, and at the end of the process while a launch runs."""

    def __init__(self, kind: str, pointer: int, free: Callable[[int], None]):
        self.kind, self.pointer, self.free = kind, pointer, free
        self.lock = threading.RLock()
        self.stop: Optional[C.c_int] = None  # the abort flag of a launch that runs
        self.process = os.getpid()

    def close(self) -> None:
        with self.lock:
            pointer, self.pointer = self.pointer, 0
            if pointer:
                self.free(pointer)

    def end(self) -> None:
        """Nobody has the handle any more, or the process ends."""
        if os.getpid() != self.process:  # of a forked child, in which the threads are not there that the library may wait for
            return
        stop = self.stop
        if stop is not None:
            stop.value = 1
        self.close()


class Handle:
    """A handle of the library. Calls on it follow one another, whatever thread they come from; one that is closed is an
    error of Python's. It is freed once, when it is closed or nobody has it any more; copies of an object share its handle.

    `with handle:` holds it, so that what its strings and parts point to stays.
    """

    def __init__(self, kind: str, pointer: C.c_void_p, free: str):
        function = getattr(library(), free)
        self._state = _State(kind, pointer.value or 0, lambda p: function(C.c_void_p(p)))
        self._end = weakref.finalize(self, self._state.end)

    @property
    def pointer(self) -> C.c_void_p:
        if not self._state.pointer:
            raise ValueError(f"the {self._state.kind} is closed")
        return C.c_void_p(self._state.pointer)

    @property
    def is_closed(self) -> bool:
        return not self._state.pointer

    @property
    def lock(self) -> threading.RLock:
        """For what is done with one that may be closed."""
        return self._state.lock

    def close(self) -> None:
        self._state.close()

    def __enter__(self) -> "Handle":
        self._state.lock.acquire()
        if self.is_closed:
            self._state.lock.release()
            self.pointer  # raises
        return self

    def __exit__(self, *_: Any) -> None:
        self._state.lock.release()

    @contextlib.contextmanager
    def running(self, stop: C.c_int) -> Any:
        """Holds it for a launch with that abort flag; waits for another one no longer than until the flag is set."""
        while not self._state.lock.acquire(timeout=0.1):
            if stop.value:
                raise KeyboardInterrupt
        try:
            with self:
                self._state.stop = stop
                yield
        finally:
            self._state.stop = None
            self._state.lock.release()


class Part:
    """A pointer into what a handle owns, which ends with it."""

    def __init__(self, owner: Handle, pointer: Any):
        self.owner, self._pointer = owner, pointer

    @property
    def pointer(self) -> Any:
        return self.owner.pointer and self._pointer


def ask(name: str, *arguments: Any) -> Any:
    """Calls a function with handles and parts among its arguments, which are held meanwhile."""
    owners = {id(h): h for h in (a.owner if isinstance(a, Part) else a for a in arguments) if isinstance(h, Handle)}
    with contextlib.ExitStack() as held:
        for _, owner in sorted(owners.items()):  # in one order everywhere
            held.enter_context(owner)
        return getattr(library(), name)(*(a.pointer if isinstance(a, (Handle, Part)) else a for a in arguments))


def fields(struct: C.Structure, name: str, part: Part, *arguments: Any) -> Optional[dict[str, Any]]:
    """What a function f(part, ..., struct, size) fills in, as Python's values; None: it says that there is no such thing. Its
    strings are the part's owner's, so they are taken while that is held."""
    with part.owner:
        if ask(name, part, *arguments, C.byref(struct), C.sizeof(struct)):
            return None
        out: dict[str, Any] = {}
        for field, kind in struct._fields_:
            value = getattr(struct, field)
            if kind is C.c_char_p:
                value = (value or b"").decode(errors="replace")
            out[field] = list(value) if hasattr(value, "_length_") else value
        return out


def call(name: str, *arguments: Any) -> None:
    """Calls a function that takes an error as its last argument; raises GcnsimError when it fails."""
    error = Error()
    status = ask(name, *arguments, C.byref(error))
    if status:
        raise GcnsimError(error.code or status, error.text.decode(errors="replace"))


OUT = object()  # stands among the arguments of opened() for where the handle goes


def opened(kind: str, free: str, name: str, *arguments: Any) -> Handle:
    """The handle that a call makes."""
    pointer = C.c_void_p()
    call(name, *(C.byref(pointer) if a is OUT else a for a in arguments))
    return Handle(kind, pointer, free)


def take_text(name: str, *arguments: Any) -> str:
    """The text that a function of the form f(..., char **text, error) makes."""
    text = C.c_void_p()
    call(name, *arguments, C.byref(text))
    try:
        return C.string_at(text.value or 0).decode(errors="replace") if text.value else ""
    finally:
        library().gcnsim_free(text)
