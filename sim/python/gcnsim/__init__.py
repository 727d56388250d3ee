"""gcnsim: runs amdgcn (AMD GCN, CDNA, RDNA) kernels on the CPU, bit-exactly, and counts the cycles they would take.

    import numpy as np
    from gcnsim import Kernel

    a = np.arange(1024, dtype=np.float32)
    out = np.zeros_like(a)
    run = Kernel("vecadd.co")["vecadd"].run(grid=1024, workgroup=256, args=[a, a, out, 1024])
    run.args[2]            # what the kernel has left in `out`; the array that was passed is as it was
    run.cycles             # 8046
    run.report["cache"]["l2"]["hits"]

A Kernel is a code object on a simulator of its own; Simulator shares one device (its memory, its caches, its clock) between
several code objects and launches.
"""

from ._library import GcnsimError, version
from ._load import LibraryNotFound
from .kernel import Buffer, Kernel, Simulator, disassemble, profiles
from .result import Fault, Result, Sum

__all__ = ["Buffer", "Fault", "GcnsimError", "Kernel", "LibraryNotFound", "Result", "Simulator", "Sum", "disassemble",
           "profiles", "version"]
__version__ = "0.1.0"
