"""What the package's classes are made of: handles that are freed once, calls that raise, values within their bounds."""

from __future__ import annotations

import contextlib
import ctypes as C
import operator
import os
import threading
import weakref
from typing import Any, Callable, Iterator, Optional

try:
    from . import capi
except ImportError:  # of the sources
    raise ImportError("gcnsim.capi is made from the library's headers by make; expected build/python in PYTHONPATH") from None


class GcnsimError(Exception):
    """A call of the library failed. `code` is a number of enum gcnsim_status, `text` its sentence."""

    def __init__(self, code: int, text: str):
        super().__init__(text)
        self.code = code
        self.text = text


def version() -> str:
    """Version of the library, "0.1.0"."""
    return (capi.gcnsim_version() or b"").decode()


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


def stay_when_the_process_ends() -> None:
    """After the main thread's end there are daemons alone. An error that one of them brought to its end would be printed
    beside the interpreter's own end, which Python does not survive."""
    if not threading.main_thread().is_alive():
        threading.Event().wait()


class _State:
    """What a handle's end needs. It may come on any thread, and at the end of the process while a launch runs."""

    def __init__(self, kind: str, pointer: int, free: Callable[[int], Any]):
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

    def __init__(self, kind: str, pointer: Any, free: str):
        function, self._type = getattr(capi, free), type(pointer)
        self._state = _State(kind, C.cast(pointer, C.c_void_p).value or 0, lambda p: function(C.cast(p, type(pointer))))
        self._end = weakref.finalize(self, self._state.end)

    @property
    def pointer(self) -> Any:
        if not self._state.pointer:
            stay_when_the_process_ends()
            raise ValueError(f"the {self._state.kind} is closed")
        return C.cast(self._state.pointer, self._type)

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
    def running(self, stop: C.c_int) -> Iterator[None]:
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
        return getattr(capi, name)(*(a.pointer if isinstance(a, (Handle, Part)) else a for a in arguments))


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
    error = capi.struct_gcnsim_error()
    status = ask(name, *arguments, C.byref(error))
    if status:
        raise GcnsimError(error.code or status, error.text.decode(errors="replace"))


OUT = object()  # stands among the arguments of opened() for where the handle goes


def opened(kind: str, free: str, name: str, *arguments: Any) -> Handle:
    """The handle that a call makes."""
    pointer = getattr(capi, name).argtypes[arguments.index(OUT)]._type_()
    call(name, *(C.byref(pointer) if a is OUT else a for a in arguments))
    return Handle(kind, pointer, free)


def take_text(name: str, *arguments: Any) -> str:
    """The text that a function of the form f(..., char **text, error) makes."""
    text = C.POINTER(C.c_char)()
    call(name, *arguments, C.byref(text))
    try:
        return C.string_at(text).decode(errors="replace") if text else ""
    finally:
        capi.gcnsim_free(text)
