"""Finds libgcnsim, loads it, and makes its functions callable."""

from __future__ import annotations

import ctypes as C
import ctypes.util
import os
from pathlib import Path
from typing import Any, Optional

SONAME = "libgcnsim.so.1"


class LibraryNotFound(OSError):
    """libgcnsim could not be loaded; the message lists where it was looked for."""


_library: Optional[C.CDLL] = None


def _candidates() -> list[str]:
    """Where the library may be: as the environment says, beside the package, in the build that the package is of, in the prefix
    that it lies in or was installed from, the system's."""
    named = os.environ.get("GCNSIM_LIBRARY")
    if named:
        return [named]
    here = Path(__file__).resolve().parent
    above = list(here.parents)
    places = [here / SONAME, above[1] / SONAME]
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
                _library = C.CDLL(path)
                break
            except OSError as e:
                said.append(str(e))
        else:
            raise LibraryNotFound("no " + SONAME + ": " + "; ".join(said) +
                                  "; set GCNSIM_LIBRARY to its path, or install gcnsim")
    return _library


def function(name: str, result: Any, *arguments: Any) -> Any:
    """An exported function with the types of its result and its arguments."""
    lib = library()
    try:
        found = lib[name]
    except AttributeError:
        raise LibraryNotFound(f"{lib._name} has no {name}; expected gcnsim of this package's version") from None
    found.restype, found.argtypes = result, arguments
    return found
