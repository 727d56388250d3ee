"""Simulators, code objects, kernels and launches."""

from __future__ import annotations

import ctypes as C
import math
import os
import threading
from typing import Any, Callable, Iterator, Mapping, Optional, Sequence, Union

import numpy as np

from . import _library as L
from . import capi
from .result import Fault, Result

Shape = Union[int, Sequence[int]]
Array = np.ndarray[Any, np.dtype[Any]]
_ENGINES = {"timing": 0, "functional": 1}
_FENCES = {"none": 0, "agent": 1, "system": 2}
_LDS_ALIGN = 16
_U32, _U64 = (1 << 32) - 1, (1 << 64) - 1
_MAX_THREADS = 1024


def _path(path: Any, what: str) -> Optional[bytes]:
    return None if path is None else L.path_bytes(path, what)


def _shape(shape: Shape, what: str) -> list[int]:
    """X or (X[, Y[, Z]]) as three numbers."""
    sizes = [shape] if isinstance(shape, (int, np.integer)) else list(shape)
    if not 1 <= len(sizes) <= 3 or any(int(s) != s or not 1 <= s < 1 << 32 for s in sizes):
        raise ValueError(f"{what}: {shape!r}; expected one to three whole numbers from 1 to 4294967295")
    return [int(s) for s in sizes] + [1] * (3 - len(sizes))


def _plain(dtype: np.dtype[Any], what: str) -> None:
    """References to Python's objects mean nothing to a device, and nothing that comes from one may become them."""
    if dtype.hasobject:
        raise TypeError(f"{what}: an array of Python objects; expected numbers")


class Buffer:
    """Device memory of a Simulator that keeps its contents from launch to launch. Freed with close() or by the
    simulator. Made by Simulator.buffer()."""

    def __init__(self, simulator: "Simulator", size: int, label: Optional[str] = None):
        if not isinstance(simulator, Simulator):
            raise TypeError(f"simulator: {type(simulator).__name__}; expected a Simulator")
        self._allocate(simulator._handle, size, label)
        self.simulator = simulator

    def _allocate(self, handle: L.Handle, size: int, label: Optional[str]) -> None:
        address = C.c_uint64()
        size = L.whole(size, "size", _U64)
        L.call("gcnsim_alloc", handle, size, _path(label, "label"), C.byref(address))
        self._handle = handle
        self.address = address.value
        self.size = size
        self.dtype: np.dtype[Any] = np.dtype(np.uint8)
        self.shape: tuple[int, ...] = (size,)

    @classmethod
    def _of(cls, handle: L.Handle, contents: Any, label: Optional[str]) -> "Buffer":
        self = cls.__new__(cls)
        if isinstance(contents, (int, np.integer)):
            self._allocate(handle, int(contents), label)
            return self
        array = np.ascontiguousarray(contents)
        _plain(array.dtype, label or "contents")
        self._allocate(handle, max(array.nbytes, 1), label)
        self.dtype, self.shape = array.dtype, array.shape
        if array.nbytes:
            self.write(array)
        return self

    def _at(self, offset: int = 0) -> int:
        address = L.whole(self.address, "address", _U64)
        if not address:
            raise ValueError("the buffer is closed")
        return L.whole(address + offset, "offset", _U64)

    def write(self, array: Any, offset: int = 0) -> None:
        """Copies an array (or anything with its bytes) to the device, from byte `offset` on."""
        data = np.ascontiguousarray(array)
        _plain(data.dtype, "array")
        L.call("gcnsim_write", self._handle, self._at(L.whole(offset, "offset", _U64)), data.ctypes.data, data.nbytes)

    def read(self, dtype: Any = None, shape: Optional[Shape] = None) -> Array:
        """The contents, as an array of the form the buffer was made from, or of another one."""
        kind = np.dtype(self.dtype if dtype is None else dtype)
        _plain(kind, "dtype")
        if dtype is None and shape is None:
            out = np.empty(self.shape, kind)
        elif shape is None and not kind.itemsize:
            raise ValueError(f"dtype: {kind!r} has no size")
        else:
            out = np.empty(self.size // kind.itemsize if shape is None else shape, kind)
        if out.nbytes:
            L.call("gcnsim_read", self._handle, self._at(), out.ctypes.data, out.nbytes)
        return out

    def close(self) -> None:
        """Frees the memory; the buffer is an error after it."""
        handle = self._handle
        with handle.lock:
            if self.address and not handle.is_closed:
                L.call("gcnsim_dealloc", handle, L.whole(self.address, "address", _U64))
            self.address = 0


class Simulator:
    """A device: a profile, memory, caches and a clock that outlive launches.

    arch: a profile's name, a target, or the path of a profile; None: the default of the first code object's target.
    sets: figures of the profile that are to be replaced, {"cache.l2.mshrs": 64}.
    max_memory: bytes that it may hold; 0: no limit, None: the library's default.
    """

    def __init__(self, arch: Optional[str] = None, sets: Optional[Mapping[str, Any]] = None,
                 max_memory: Optional[int] = None):
        self._handle = L.opened("simulator", "gcnsim_close", "gcnsim_open", L.OUT, _path(arch, "arch"))
        if max_memory is not None:
            L.ask("gcnsim_set_max_memory", self._handle, L.whole(max_memory, "max_memory", _U64))
        if sets:
            self.set(sets)

    def __enter__(self) -> "Simulator":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def close(self) -> None:
        """Releases everything that belongs to the simulator, as soon as a launch that runs has ended. It, its buffers and
        its kernels are errors after it; results stay."""
        self._handle.close()

    def set(self, sets: Mapping[str, Any]) -> None:
        """Replaces figures of the profile, all or none; the device is cold afterwards."""
        words = [L.text_bytes(f"{path}={value}", "sets") for path, value in sets.items()]
        L.call("gcnsim_set_all", self._handle, (C.c_char_p * len(words))(*words), len(words))

    @property
    def profile(self) -> Optional[str]:
        """Name of the profile in use; None before one is chosen."""
        name = L.ask("gcnsim_profile_name", self._handle)
        return name.decode() if name else None

    def figure(self, path: str) -> float:
        """A number of the profile in use, "gpu.shader_clock_mhz"."""
        value = C.c_double()
        if L.ask("gcnsim_profile_number", self._handle, L.text_bytes(path, "path"), C.byref(value)):
            raise KeyError(path)
        return value.value

    @property
    def clock(self) -> int:
        """Cycles that the device's clock has counted up to the end of the last launch."""
        return int(L.ask("gcnsim_device_clock", self._handle))

    def reset(self) -> None:
        """The next launch finds cold caches and the clock at 0; memory keeps its contents."""
        L.ask("gcnsim_device_reset", self._handle)

    def buffer(self, contents: Union[int, Array], label: Optional[str] = None) -> Buffer:
        """Device memory: so many zero bytes, or a copy of an array."""
        made = Buffer._of(self._handle, contents, label)
        made.simulator = self
        return made

    def load(self, code: Union[str, os.PathLike[str], bytes], target: Optional[str] = None,
             kernel: Optional[str] = None, index: Optional[int] = None) -> "Kernel":
        """A code object, or an offload bundle: the path of a file, or its bytes. target: the entry of a bundle. Of
        several code objects for the target, as a program of several source files has them, kernel chooses the one with
        that kernel, and index the one of that number (gcnsim info lists them)."""
        module, source = C.POINTER(capi.struct_gcnsim_module)(), capi.struct_gcnsim_code_source()
        capi.gcnsim_code_source_init(source)
        if isinstance(code, (bytes, bytearray, memoryview)):
            raw = C.c_char_p(bytes(code))
            source.bytes, source.size = C.cast(raw, C.c_void_p).value, len(bytes(code))
        else:
            source.path = L.path_bytes(code, "code")
        source.want_target, source.kernel = _path(target, "target"), _path(kernel, "kernel")
        if index is not None:
            source.by_index, source.index = 1, L.whole(index, "index", _U32)
        handle = self._handle
        L.call("gcnsim_load", handle, C.byref(module), C.byref(source))
        return Kernel._of(self, L.Part(handle, module))


class Kernel:
    """The kernels of a code object. Kernel("k.co") opens it on a simulator of its own; kernel["name"] is one of them,
    which run() launches. A code object with a single kernel needs no name.

    The arguments are those of Simulator and Simulator.load().
    """

    simulator: Simulator
    target: str
    _module: L.Part
    _code: L.Part
    _count: int
    _index: Optional[int]

    def __init__(self, code: Union[str, os.PathLike[str], bytes], arch: Optional[str] = None,
                 sets: Optional[Mapping[str, Any]] = None, target: Optional[str] = None,
                 max_memory: Optional[int] = None, kernel: Optional[str] = None, index: Optional[int] = None):
        made = Simulator(arch, sets, max_memory).load(code, target, kernel, index)
        self.__dict__.update(made.__dict__)

    @classmethod
    def _of(cls, simulator: Simulator, module: L.Part, index: Optional[int] = None) -> "Kernel":
        self = cls.__new__(cls)
        self.simulator = simulator
        self._module = module
        self._code = L.Part(module.owner, L.ask("gcnsim_module_code", module))
        info = L.fields(capi.struct_gcnsim_code_info(), "gcnsim_code_get_info_sized", self._code) or {}
        self.target = info["target"]
        self._count = info["kernel_count"]
        self._index = 0 if index is None and self._count == 1 else index
        return self

    # ---- which kernel ----

    def __getitem__(self, name: str) -> "Kernel":
        index = C.c_uint32()
        L.call("gcnsim_code_find_kernel", self._code, L.text_bytes(name, "name"), C.byref(index))
        return Kernel._of(self.simulator, self._module, index.value)

    def __len__(self) -> int:
        return int(self._count)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    @property
    def names(self) -> list[str]:
        """Names of the kernels of the code object."""
        return [self._info_of(k)["name"] for k in range(self._count)]

    def _info_of(self, index: int) -> dict[str, Any]:
        return L.fields(capi.struct_gcnsim_kernel_info(), "gcnsim_code_kernel_sized", self._code, index) or {}

    def _chosen(self) -> int:
        if self._index is None:
            raise ValueError(f"{self._count} kernels; expected one of them by its name: {', '.join(self.names[:8])}")
        return self._index

    @property
    def name(self) -> str:
        """Name of the kernel."""
        return str(self._info_of(self._chosen())["name"])

    @property
    def info(self) -> dict[str, Any]:
        """What the code object says of the kernel: registers, LDS, scratch, wavefront size, arguments."""
        return {**self._info_of(self._chosen()), "args": self._arguments()}

    def _arguments(self) -> list[dict[str, Any]]:
        """Those that a caller gives."""
        out: list[dict[str, Any]] = []
        index = self._chosen()
        while True:
            a = L.fields(capi.struct_gcnsim_arg_info(), "gcnsim_code_kernel_arg_sized", self._code, index, len(out))
            if a is None:
                return [a for a in out if not a["hidden"]]
            out.append(a)

    def occupancy(self, workgroup: Shape = 0, dynamic_lds: int = 0, arch: Optional[str] = None) -> dict[str, Any]:
        """How many waves fit, and what limits them, for workgroups of a size (0: the kernel's largest)."""
        out = capi.struct_gcnsim_occupancy()
        items = math.prod(_shape(workgroup, "workgroup")) if workgroup else 0
        code = self._code
        profile = L.ask("gcnsim_profile_name", code.owner) if arch is None else L.path_bytes(arch, "arch")
        L.call("gcnsim_code_occupancy_sized", code, self._chosen(), profile, L.whole(items, "workgroup", _U32),
               L.whole(dynamic_lds, "dynamic_lds", _U32), C.byref(out), C.sizeof(out))
        return {f: (v or b"").decode() if k is C.c_char_p else v for f, k in out._fields_ for v in (getattr(out, f),)}

    def symbol(self, name: str) -> tuple[int, int]:
        """Device address and size of a symbol, a __device__ variable for example."""
        address, size = C.c_uint64(), C.c_uint64()
        L.call("gcnsim_module_symbol", self._module, L.text_bytes(name, "name"), C.byref(address), C.byref(size))
        return address.value, size.value

    # ---- running ----

    def run(self, grid: Shape, workgroup: Optional[Shape] = None, args: Sequence[Any] = (), *, engine: str = "timing",
            dynamic_lds: int = 0, threads: int = 1, max_cycles: int = 0, max_instructions: int = 0,
            check: bool = False, ignore_lds_races: bool = False, perfect_memory: bool = False, cold: bool = False,
            per_instruction: bool = False,
            samples: int = 0, traces: Sequence[str] = (), timeline: Optional[tuple[int, int]] = None,
            timeline_rows: tuple[int, int] = (0, 200), perfetto: Optional[str] = None, att: Optional[str] = None,
            acquire: str = "agent", release: str = "agent", cluster: Optional[Shape] = None,
            strict: bool = True) -> Result:
        """Launches the kernel and returns a Result.

        grid, workgroup: work-items, X or (X, Y[, Z]); workgroup may be left out when the kernel requires one.
        args: one for each explicit argument: NumPy arrays become device memory of their own and come back in
            Result.args; a Buffer stays on the device; numbers become what the kernel declares (a NumPy scalar, or bytes,
            is taken as it is); for a pointer to LDS, its bytes; None is a null pointer.
        engine: "timing" counts cycles, "functional" computes results alone.
        check, ignore_lds_races, perfect_memory, cold, threads, max_cycles, max_instructions, dynamic_lds: as `gcnsim run`
            has them.
        per_instruction: count for each instruction (Result.annotate(), the report's "code").
        samples: cycles of an interval of the report's "samples"; 0: none.
        traces: "FORMAT=FILE" each.
        timeline: (workgroup, wave): Result.timeline shows what that wave does over time, in rows A up to B of timeline_rows.
        perfetto: FILE.pftrace to be written, compressed with .gz or .zst after it (docs/TIMELINE.md).
        att: folder to which AMD's thread trace is written (docs/ATT.md).
        cluster: workgroups of a cluster (gfx1250); by default as the kernel was compiled.
        strict: raise Fault when the kernel faults or does not reach its end; otherwise Result.outcome says so.
        Ctrl-C ends the launch and raises KeyboardInterrupt.
        """
        if engine not in _ENGINES:
            raise ValueError(f"engine: {engine!r}; expected 'timing' or 'functional'")
        index = self._chosen()
        d, stop = capi.struct_gcnsim_dispatch(), C.c_int(0)
        capi.gcnsim_dispatch_init(d)
        d.kernel, d.engine = index, _ENGINES[engine]
        required = self._info_of(index)["reqd_workgroup_size"]
        if workgroup is None and not required[0]:
            raise ValueError(f"{self.name}: workgroup is missing; expected its size in work-items")
        d.grid_size = (C.c_uint32 * 3)(*_shape(grid, "grid"))
        if cluster is not None:
            d.cluster_size = (C.c_uint32 * 3)(*_shape(cluster, "cluster"))
        d.workgroup_size = (C.c_uint32 * 3)(*(required if workgroup is None else _shape(workgroup, "workgroup")))
        d.threads = L.whole(threads, "threads", _MAX_THREADS)
        d.max_cycles = L.whole(max_cycles, "max_cycles", _U64)
        d.max_instructions = L.whole(max_instructions, "max_instructions", _U64)
        d.ignore_lds_races = bool(ignore_lds_races)
        d.check, d.perfect_memory, d.cold, d.per_instruction = (bool(b) for b in (check, perfect_memory, cold, per_instruction))
        d.samples = L.whole(samples, "samples", _U64)
        d.acquire, d.release = _FENCES[acquire], _FENCES[release]
        d.abort_flag = C.pointer(stop)
        words = [L.path_bytes(t, "traces") for t in traces]
        listed = (C.c_char_p * max(len(words), 1))(*words)
        d.traces, d.trace_count = C.cast(listed, C.POINTER(C.c_char_p)), len(words)
        dynamic_lds = L.whole(dynamic_lds, "dynamic_lds", _U32)
        views = _Views(d, timeline, timeline_rows, perfetto, att)

        module = self._module

        def launch() -> Result:
            with module.owner.running(stop), _Arguments(self, module.owner, index, args) as kernarg, views:
                d.kernarg = C.addressof(kernarg.bytes)
                d.kernarg_size = kernarg.size
                d.dynamic_group_segment_size = L.whole(dynamic_lds + kernarg.lds_bytes, "dynamic_lds", _U32)
                handle = L.opened("result", "gcnsim_result_free", "gcnsim_launch", module, C.byref(d), L.OUT)
                return Result._of(handle, kernarg.results(), strict, views.text())

        return _on_a_thread(launch, stop)


def _on_a_thread(work: Callable[[], Result], stop: C.c_int) -> Result:
    """Does the work on a thread of its own, so that this one hears Ctrl-C. Objects that it uses are its thread's: when this one
    is interrupted again while it waits for the end, it may leave."""
    made: list[Result] = []
    failed: list[BaseException] = []
    over = threading.Event()
    first = threading.Lock()  # taken by the work when it begins, or by who gives it up before

    def begin() -> None:
        if not first.acquire(blocking=False):
            return
        try:
            made.append(work())
        except BaseException as e:  # raised again below
            failed.append(e)
        finally:
            over.set()

    try:
        threading.Thread(target=begin, daemon=True).start()
        while not over.wait(0.1):  # an interrupted Thread.join() takes the thread for ended
            pass
    except BaseException:
        stop.value = 1
        if not first.acquire(blocking=False):
            over.wait()
        raise
    L.stay_when_the_process_ends()
    if failed:
        try:
            raise failed[0]
        finally:
            failed.clear()  # or its traceback and this frame would keep one another
    return made[0]


class _Views:
    """What a launch writes beside its result, while it lasts."""

    def __init__(self, d: capi.struct_gcnsim_dispatch, wave: Optional[tuple[int, int]], rows: tuple[int, int],
                 perfetto: Optional[str], att: Optional[str]):
        self._path, self._timeline = _path(perfetto, "perfetto"), C.POINTER(capi.struct_gcnsim_timeline)()
        self._wave: Optional[capi.struct_gcnsim_wave_view] = None
        if att is not None:
            self._att = capi.struct_gcnsim_att()
            capi.gcnsim_att_init(self._att)
            self._att.folder = L.path_bytes(att, "att")
            d.att = C.pointer(self._att)
        if wave is None and perfetto is None:
            return
        self._on = capi.struct_gcnsim_on_timeline(struct_bytes=C.sizeof(capi.struct_gcnsim_on_timeline), waves=1)
        if wave is not None:
            first, end = (L.whole(row, "timeline_rows", _U64) for row in rows)
            if not first < end:
                raise ValueError(f"timeline_rows: {rows!r}; expected (A, B) with B above A")
            group, number = wave
            self._wave = capi.struct_gcnsim_wave_view(first_row=first, rows=end - first)
            self._wave.workgroup = L.whole(group, "timeline", _U64)
            self._wave.wave = L.whole(number, "timeline", _U32)
            self._on.wave = C.pointer(self._wave)
        d.timeline = C.pointer(self._on)

    def __enter__(self) -> "_Views":
        if self._path is not None:
            L.call("gcnsim_timeline_open", C.byref(self._timeline), self._path, None)
            self._on.timeline = self._timeline
        return self

    def text(self) -> Optional[str]:
        """The wave's, once."""
        if self._wave is None or not self._wave.text:
            return None
        text = C.string_at(self._wave.text).decode(errors="replace")
        capi.gcnsim_free(self._wave.text)
        self._wave.text = C.POINTER(C.c_char)()
        return text

    def __exit__(self, kind: Any, *_: Any) -> None:
        self.text()
        if self._timeline:
            L.call("gcnsim_timeline_close", self._timeline, kind is None or issubclass(kind, Fault))


class _Arguments:
    """Explicit kernarg bytes, with the device memory of arrays while the launch lasts."""

    def __init__(self, kernel: Kernel, handle: L.Handle, index: int, args: Sequence[Any]):
        self._handle = handle
        self._buffers: list[tuple[int, Buffer]] = []
        self._args = args = list(args)
        self.lds_bytes = 0
        info = kernel._info_of(index)
        expected = kernel._arguments()
        if info["has_metadata"] and len(args) != len(expected):
            names = ", ".join(a["name"] or a["value_kind"] for a in expected)
            raise ValueError(f"{info['name']}: {len(args)} arguments; expected {len(expected)}: {names}")
        self._lds_at: int = info["group_segment_fixed_size"]
        raw = bytearray()
        try:
            for k, value in enumerate(args):
                if info["has_metadata"]:
                    where = f"argument {k} ({expected[k]['name'] or expected[k]['value_kind']})"
                    part, at = self._convert(k, value, expected[k], where), expected[k]["offset"]
                else:
                    part = self._plain(k, value, f"argument {k}")
                    at = -(-len(raw) // len(part)) * len(part) if len(part) in (1, 2, 4, 8) else len(raw)
                raw.extend(bytes(at + len(part) - len(raw)) if at + len(part) > len(raw) else b"")
                raw[at:at + len(part)] = part
        except BaseException:
            self.close()
            raise
        self.size = len(raw)
        self.bytes = C.create_string_buffer(bytes(raw), max(len(raw), 1))

    def __enter__(self) -> "_Arguments":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def close(self) -> None:
        for _, buffer in self._buffers:
            buffer.close()
        self._buffers = []

    def results(self) -> list[Any]:
        """The arguments as the kernel has left them."""
        out = list(self._args)
        for k, buffer in self._buffers:
            out[k] = buffer.read()
        return out

    def _address(self, k: int, value: Any, where: str) -> Optional[int]:
        """Of what is memory; None: it is not."""
        if value is None:
            return 0
        if isinstance(value, Buffer):
            if value._handle is not self._handle:
                raise ValueError(f"{where}: a buffer of another simulator")
            return value._at()
        if isinstance(value, np.ndarray) and value.ndim:
            buffer = Buffer._of(self._handle, value, where)
            self._buffers.append((k, buffer))
            return buffer.address
        return None

    def _convert(self, k: int, value: Any, a: dict[str, Any], where: str) -> bytes:
        kind, size = a["value_kind"], a["size"]
        if kind == "dynamic_shared_pointer":
            if not isinstance(value, (int, np.integer)) or not 0 <= value <= _U32:
                raise TypeError(f"{where}: {value!r}; expected the bytes of LDS that it points to")
            at = -(-self._lds_at // _LDS_ALIGN) * _LDS_ALIGN
            self.lds_bytes += at + int(value) - self._lds_at
            self._lds_at = at + int(value)
            return at.to_bytes(size, "little")
        if kind == "global_buffer":
            address = self._address(k, value, where)
            if address is None and isinstance(value, (int, np.integer)):
                address = int(value)
            if address is None:
                raise TypeError(f"{where}: {type(value).__name__}; expected an array, a Buffer, an address or None")
            return address.to_bytes(size, "little")
        if kind != "by_value":
            raise TypeError(f"{where}: arguments of kind {kind} cannot be given")
        return self._scalar(k, value, a["type_name"], size, where)

    def _scalar(self, k: int, value: Any, type_name: str, size: int, where: str) -> bytes:
        if isinstance(value, (bytes, bytearray)):
            part = bytes(value)
        elif isinstance(value, (np.generic, np.ndarray)) and not (isinstance(value, np.ndarray) and value.ndim and
                                                                  value.nbytes != size):
            _plain(value.dtype, where)
            part = value.tobytes()
        elif value is None or isinstance(value, (Buffer, np.ndarray)):  # a pointer in a struct, say
            part = (self._address(k, value, where) or 0).to_bytes(8, "little")
        elif isinstance(value, (bool, int)) and type_name not in ("float", "double", "half"):
            bits = 8 * size
            if not -(1 << (bits - 1)) <= value < 1 << bits:
                raise OverflowError(f"{where}: {value} does not fit {size} bytes")
            part = (value & ((1 << bits) - 1)).to_bytes(size, "little")
        elif isinstance(value, (int, float)):
            if size not in (2, 4, 8):
                raise TypeError(f"{where}: a number; expected {size} bytes")
            if type_name and type_name not in ("float", "double", "half"):
                raise TypeError(f"{where}: {value!r}; expected a whole number for {type_name}")
            part = np.array(value, {2: np.float16, 4: np.float32, 8: np.float64}[size]).tobytes()
        else:
            raise TypeError(f"{where}: {type(value).__name__}; expected a number or bytes")
        if len(part) != size:
            raise TypeError(f"{where}: {len(part)} bytes; expected {size}" + (f" for {type_name}" if type_name else ""))
        return part

    def _plain(self, k: int, value: Any, where: str) -> bytes:
        """Of a kernel without metadata: pointers, and values whose size is known."""
        address = self._address(k, value, where)
        if address is not None:
            return address.to_bytes(8, "little")
        if isinstance(value, (bytes, bytearray)):
            return bytes(value)
        if isinstance(value, np.generic):
            _plain(value.dtype, where)
            return value.tobytes()
        raise TypeError(f"{where}: {type(value).__name__}; expected an array, a Buffer, bytes or a NumPy scalar, because "
                        "the kernel has no metadata that would show its size")


def profiles() -> list[dict[str, Any]]:
    """The built-in profiles: name, chip, target, and whether the bare target name means it."""
    out: list[dict[str, Any]] = []
    info = capi.struct_gcnsim_profile_info()
    while not capi.gcnsim_profile_list(len(out), info):
        out.append({"name": info.name.decode(), "chip": info.chip.decode(), "target": info.target.decode(),
                    "is_default": bool(info.is_default)})
    return out


def disassemble(code: bytes, target: str) -> list[str]:
    """LLVM's text of the instructions in some bytes."""
    if not isinstance(code, (bytes, bytearray, memoryview)):
        raise TypeError(f"code: {type(code).__name__}; expected bytes")
    code, out, at = bytes(code), [], 0
    handle = L.opened("disassembler", "gcnsim_disasm_close", "gcnsim_disasm_open", L.OUT, L.text_bytes(target, "target"))
    text, known, vgpr_msb = C.create_string_buffer(512), C.c_int(), C.c_uint32()
    while at + 4 <= len(code):
        piece = code[at:at + 20]
        words = (C.c_uint8 * len(piece)).from_buffer_copy(piece)
        at += L.ask("gcnsim_disasm_next", handle, words, len(piece), C.byref(vgpr_msb), text, len(text), C.byref(known)) or 4
        out.append(text.value.decode())
    handle.close()
    return out
