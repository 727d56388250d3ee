"""The parts of `make check-world`: what each takes from Debian, what of it runs and where (world.py)."""

import dataclasses
import fnmatch
import os
import re


@dataclasses.dataclass(frozen=True)
class Part:
    name: str
    rocm: str  # version for fetch.sh
    packages: tuple  # the first is the one that has the program; none: nothing is fetched
    program: str  # from the root; its last component may be a pattern, and each that matches is run
    kind: str  # of world.py's KINDS
    targets: tuple
    choose: tuple = ("*",)  # patterns of cases
    leave: tuple = ()  # those of them that are not run
    at_most: int = 1000000  # cases for each target: spread evenly over the list
    timing_every: int = 10  # every so-many-th of them on the timing engine as well; 0: none
    chunk: int = 0  # cases in one process; 0: world.py's
    folder: str = ""  # to be started in, from the root; that of the program if empty
    environment: dict = dataclasses.field(default_factory=dict)  # ROOT in a value: the root
    args: tuple = ()
    cases: tuple = ()  # of kind plain
    known: dict = dataclasses.field(default_factory=dict)  # pattern of "TARGET CASE": why it does not pass

    def name_of(self, program, case):
        """A case among those of all programs of the part."""
        return f"{os.path.basename(program)}:{case}" if re.search(r"[*?\[]", self.program) else case

    def reason(self, case, target):
        for pattern, why in self.known.items():
            if fnmatch.fnmatchcase(f"{target} {case}", pattern):
                return why
        return ""


GGML = dict(rocm="6.4.3", packages=("llama.cpp-tests", "libggml0-backend-hip"),
            targets=("gfx906", "gfx90a", "gfx1030", "gfx1100"), folder="usr/lib/x86_64-linux-gnu/ggml/backends0")

PARTS = (
    Part("llama-ops", program="usr/libexec/x86_64-linux-gnu/llama.cpp-tests/test-backend-ops", kind="ggml", **GGML),
    Part("llama-archs", program="usr/libexec/x86_64-linux-gnu/llama.cpp-tests/test-llama-archs", kind="archs", chunk=20, **GGML),
)
