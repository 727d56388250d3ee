"""Misuse of the Python package: all of it but gcnsim.capi is called with wrong values, on closed and half-made objects,
and from several threads while another one closes what they use. Whatever comes, it is an exception of Python's or the
library's, and the process goes on.

    python3 tests/python/test_misuse.py [--seed N] [--runs N] [--package FOLDER]

from the repository's root, with GCNSIM_LIBRARY. Run number k has the seed N + k: it calls the same on every machine, but for
how threads are run, and each fourth run goes through all parameters. tests/system/test_python.c starts it: a few runs in
`make test`, more of them in `make check` with a library under AddressSanitizer. A run that ends by a signal is found by its
seed, which is written first.
"""

import argparse
import copy
import faulthandler
import gc
import inspect
import os
import pickle
import random
import sys
import tempfile
import threading
from pathlib import Path

import numpy as np

SAMPLES = Path("traces/samples").absolute()
LIMIT = 1 << 28  # bytes that a simulator may hold


class Lies:
    """An object whose special methods do not do what they are for."""

    def __init__(self, what):
        self.what = what

    def __index__(self):
        return self.answer("index")

    __int__ = __float__ = __index__

    def __len__(self):
        return self.answer("len")

    def __iter__(self):
        return self.answer("iter")

    def __getitem__(self, k):
        return self.answer("getitem")

    def __fspath__(self):
        return self.answer("fspath")

    def __array__(self, *args, **options):
        return self.answer("array")

    def __str__(self):
        raise RuntimeError("no text")

    def answer(self, asked):
        if self.what == "raise":
            raise RuntimeError(asked)
        if self.what == "exit":
            raise SystemExit(asked)
        return {"huge": 1 << 70, "negative": -1, "text": "lies", "none": None, "self": self}[self.what]


class Handle:
    """One that looks as if it were the library's."""

    def __init__(self):
        self._handle = self._module = self._code = 0x1000
        self.simulator = self
        self.address = 0x1000


def wrong_values(rng):
    """Makers of values, so that each call has its own."""
    return [
        lambda: None,
        lambda: True,
        lambda: 0,
        lambda: -1,
        lambda: rng.randrange(1 << 16),
        lambda: 1 << 31,
        lambda: (1 << 32) - 1,
        lambda: 1 << 63,
        lambda: (1 << 64) - 1,
        lambda: 1 << 64,
        lambda: -(1 << 63),
        lambda: 1 << 200,
        lambda: 0.5,
        lambda: float("nan"),
        lambda: float("inf"),
        lambda: 1j,
        lambda: "",
        lambda: "vecadd",
        lambda: "gfx90a",
        lambda: "a\0b",
        lambda: "\udc80",
        lambda: "%n%s" * 40,
        lambda: "x" * 100000,
        lambda: b"",
        lambda: b"\x7fELF" + bytes(60),
        lambda: rng.randbytes(64),
        lambda: bytearray(8),
        lambda: memoryview(b"abcd"),
        lambda: [],
        lambda: [1, 2, 3, 4],
        lambda: (1 << 40, "x"),
        lambda: {},
        lambda: {"cache.l2.mshrs": object()},
        lambda: {1: 2},
        lambda: object(),
        lambda: Lies(rng.choice(("raise", "exit", "huge", "negative", "text", "none", "self"))),
        lambda: Handle(),
        lambda: np.float64("nan"),
        lambda: np.int64(-5),
        lambda: np.zeros(0),
        lambda: np.arange(16, dtype=np.float32),
        lambda: np.arange(16, dtype=np.float32)[::-3],
        lambda: np.array([object(), "x"], dtype=object),
        lambda: np.array(object(), dtype=object),
        lambda: np.zeros((), np.float32),
        lambda: np.array(["a", "bc"]),
        lambda: np.zeros(4, [("a", "O"), ("b", "f4")]),
        lambda: np.dtype(object),
        lambda: object,
        lambda: "O",
        lambda: np.float16,
        lambda: Path("/dev/null/x"),
        lambda: Path("/dev/full"),
        lambda: iter([1, 2]),
        lambda: (1 // 0 for _ in range(1)),
        lambda: lambda: None,
        lambda: Exception("x"),
        lambda: sys,
    ]


def good_arguments(rng, world):
    """For parameters by their names: values with which a call may succeed."""
    def arguments():
        ones = np.ones(64, np.float32)
        buffers = world.of("Buffer")
        pick = rng.choice(buffers) if buffers and rng.random() < 0.5 else ones
        return [ones, ones, pick, 64]

    return {
        "code": lambda: SAMPLES / "gfx90a" / rng.choice(("vecadd.co", "transpose.co")),
        "arch": lambda: rng.choice((None, "gfx90a")),
        "sets": lambda: rng.choice((None, {"cache.l2.mshrs": 8})),
        "max_memory": lambda: LIMIT,
        "target": lambda: rng.choice((None, "gfx90a")),
        "kernel": lambda: None,
        "index": lambda: None,
        "grid": lambda: rng.choice((64, (64, 2), [64, 1, 1])),
        "workgroup": lambda: rng.choice((64, (64,))),
        "args": arguments,
        "engine": lambda: rng.choice(("timing", "functional")),
        "name": lambda: rng.choice(("vecadd", "vecadd.kd", "cycles", "transpose_naive")),
        "path": lambda: "gpu.shader_clock_mhz",
        "contents": lambda: rng.choice((256, np.arange(64, dtype=np.float32))),
        "array": lambda: np.ones(4, np.float32),
        "offset": lambda: rng.choice((0, 4)),
        "dtype": lambda: rng.choice((None, np.float32, "u1")),
        "shape": lambda: rng.choice((None, 4, (2, 2))),
        "size": lambda: 256,
        "label": lambda: rng.choice((None, "a buffer")),
        "simulator": lambda: world.one("Simulator"),
        "result": lambda: world.one("Result"),
        "results": lambda: [r for r in [world.one("Result")] if r is not None],
        "sort": lambda: "cycles",
        "top": lambda: 3,
        "function": lambda: None,
        "timeline": lambda: rng.choice((None, (0, 0))),
        "timeline_rows": lambda: (0, 10),
        "per_instruction": lambda: rng.random() < 0.5,
        "samples": lambda: rng.choice((0, 100)),
        "threads": lambda: rng.choice((1, 2)),
        "max_cycles": lambda: 20000,
        "max_instructions": lambda: 20000,
        "perfetto": lambda: rng.choice((None, os.path.join(world.folder, "t.pftrace"))),
        "att": lambda: rng.choice((None, os.path.join(world.folder, "att"))),
        "traces": lambda: rng.choice(((), ["issue-csv=" + os.path.join(world.folder, "issue.csv")])),
        "check": lambda: rng.random() < 0.2,
        "strict": lambda: rng.random() < 0.5,
        "text": lambda: "text",
    }


class World:
    """The objects that a run has made, by class; closed ones and copies stay among them."""

    def __init__(self, gcnsim, rng, folder):
        self.gcnsim, self.rng, self.folder = gcnsim, rng, folder
        self.objects = []
        self.lock = threading.Lock()

    def add(self, thing):
        if type(thing).__module__.startswith("gcnsim"):
            with self.lock:
                self.objects.append(thing)
                if len(self.objects) > 40:
                    del self.objects[self.rng.randrange(len(self.objects))]

    def of(self, name):
        with self.lock:
            return [o for o in self.objects if type(o).__name__ == name]

    def one(self, name):
        found = self.of(name)
        return self.rng.choice(found) if found else None

    def any(self):
        with self.lock:
            return self.rng.choice(self.objects) if self.objects else None


def members(thing):
    """Names of what users may call of an object: public methods, and those of the language that its class defines."""
    own = [n for c in type(thing).__mro__[:-1] if c.__module__.startswith("gcnsim") for n in vars(c)]
    special = ("__enter__", "__exit__", "__getitem__", "__len__", "__iter__", "__str__", "__repr__", "__init__")
    return sorted({n for n in own if not n.startswith("_") or n in special or n == "_repr_html_"})


def callables(gcnsim):
    """(name, function) of all that `gcnsim` shows."""
    return [(n, getattr(gcnsim, n)) for n in gcnsim.__all__]


def parameters(call):
    try:
        return [p for p in inspect.signature(call).parameters.values()
                if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    except (TypeError, ValueError):
        return []


class Run:
    def __init__(self, gcnsim, seed, folder):
        self.rng = random.Random(seed)
        self.gcnsim = gcnsim
        self.world = World(gcnsim, self.rng, folder)
        self.wrong = wrong_values(self.rng)
        self.good = good_arguments(self.rng, self.world)
        self.calls = self.failed = 0

    def value(self, p, wrong):
        if wrong or p.name not in self.good:
            other = self.world.any()
            if other is not None and self.rng.random() < 0.25:
                return other
            if p.default is not p.empty and not wrong:
                return p.default
            return self.rng.choice(self.wrong)()
        return self.good[p.name]()

    def call(self, call, which=None):
        """Calls it; of its parameters the one of that name, or one in four, has a value that is wrong."""
        given = {}
        positional = []
        limits = ("max_cycles", "max_instructions")
        limited = True  # a launch ends: what may have no limit has a grid that is small
        for p in parameters(call):
            wrong = p.name == which if which else self.rng.random() < 0.25
            wrong = wrong and (p.name not in limits or limited)
            limited = limited and not (p.name in ("grid", "workgroup") and wrong)
            if p.default is not p.empty and not wrong and \
                    p.name not in ("workgroup", "args", "arch", "max_memory") + limits and self.rng.random() < 0.8:
                continue
            v = self.value(p, wrong)
            if p.kind == p.POSITIONAL_ONLY:
                positional.append(v)
            else:
                given[p.name] = v
        self.calls += 1
        try:
            made = call(*positional, **given)
            self.world.add(made)
            return made
        except (Exception, SystemExit, GeneratorExit) as e:
            self.failed += 1
            if isinstance(e, SystemError):
                raise
            fault = getattr(e, "result", None)
            if fault is not None:
                self.world.add(fault)
            return None

    def member(self, thing, name):
        """A method is called, a property is read."""
        try:
            value = getattr(thing, name)
        except Exception:
            self.failed += 1
            return
        if callable(value):
            self.call(value)

    def mistreat(self, thing):
        """What users do to objects besides calling them."""
        try:
            what = self.rng.randrange(8)
            if what == 0:
                self.world.add(copy.copy(thing))
            elif what == 1:
                self.world.add(copy.deepcopy(thing))
            elif what == 2:
                self.world.add(pickle.loads(pickle.dumps(thing)))
            elif what == 3:
                self.world.add(type(thing).__new__(type(thing)))
            elif what == 4:
                names = [n for n in vars(thing) if not n.startswith("_")]
                if names:
                    setattr(thing, self.rng.choice(names), self.rng.choice(self.wrong)())
            elif what == 5:
                type(thing).__init__(thing)
            elif what == 6:
                gc.collect()
            elif hasattr(thing, "close"):
                thing.close()
        except Exception:
            self.failed += 1

    def begin(self):
        g, rng = self.gcnsim, self.rng
        for _ in range(2):
            sim = g.Simulator("gfx90a", max_memory=LIMIT)
            self.world.add(sim)
            self.world.add(sim.buffer(np.arange(64, dtype=np.float32)))
            for name in ("vecadd", "transpose"):
                self.world.add(sim.load(SAMPLES / "gfx90a" / f"{name}.co"))
        ones = np.ones(64, np.float32)
        kernel = next(k for k in self.world.of("Kernel") if len(k) == 1)
        for count in (True, False):
            self.world.add(kernel.run(64, 64, [ones, ones, ones, 64], per_instruction=count,
                                      engine=rng.choice(("timing", "functional"))))
        self.world.add(g.Sum())

    def every_parameter(self):
        """Each public callable, with each wrong value in each of its parameters; and each of each object's."""
        for name, call in callables(self.gcnsim):
            for p in parameters(call):
                for _ in range(4):
                    self.call(call, p.name)
            self.call(call)
        for thing in list(self.world.objects):
            for name in members(thing):
                try:
                    value = getattr(thing, name)
                except Exception:
                    self.failed += 1
                    continue
                for p in parameters(value) if callable(value) else []:
                    for _ in range(3):
                        self.call(value, p.name)
        gc.collect()

    def at_random(self, steps):
        for _ in range(steps):
            thing = self.world.any()
            kind = self.rng.random()
            if kind < 0.2 or thing is None:
                self.call(self.rng.choice(callables(self.gcnsim))[1])
            elif kind < 0.3:
                self.mistreat(thing)
            elif members(thing):
                self.member(thing, self.rng.choice(members(thing)))
            thing = None

    def from_threads(self, steps):
        """Several threads use what one of them closes."""
        errors = []

        def use(seed):
            mine = Run(self.gcnsim, seed, self.world.folder)
            mine.world = self.world
            mine.good = good_arguments(mine.rng, self.world)
            try:
                mine.at_random(steps)
            except BaseException as e:  # reported by the thread that started it
                errors.append(e)
            self.calls += mine.calls
            self.failed += mine.failed

        def close(seed):
            rng = random.Random(seed)
            for _ in range(steps):
                thing = self.world.any()
                if hasattr(thing, "close") and rng.random() < 0.3:
                    try:
                        thing.close()
                    except Exception:
                        pass
                thing = None

        threads = [threading.Thread(target=use, args=(self.rng.random(),)) for _ in range(3)]
        threads.append(threading.Thread(target=close, args=(self.rng.random(),)))
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        if errors:
            raise errors[0]


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--runs", type=int, default=4)
    options.add_argument("--steps", type=int, default=60)
    options.add_argument("--package", default=os.environ.get("GCNSIM_PYTHON", "build/python"))
    o = options.parse_args()
    sys.path.insert(0, os.path.abspath(o.package))
    root = os.getcwd()
    if os.environ.get("GCNSIM_LIBRARY"):
        os.environ["GCNSIM_LIBRARY"] = os.path.abspath(os.environ["GCNSIM_LIBRARY"])
    import gcnsim

    faulthandler.enable()
    np.seterr(all="ignore")
    calls = failed = 0
    for k in range(o.runs):
        print(f"run of seed {o.seed + k}", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)  # where names that are wrong values come to be files
            run = Run(gcnsim, o.seed + k, folder)
            run.begin()
            if k % 4 == 0:
                run.every_parameter()
            run.at_random(o.steps)
            run.from_threads(o.steps)
            run.world.objects.clear()
            gc.collect()
            calls += run.calls
            failed += run.failed
            os.chdir(root)
    if failed * 4 < calls or failed * 50 > calls * 49:
        raise SystemExit(f"{failed} of {calls} calls failed: most should, and some should not")
    print(f"{calls} calls in {o.runs} runs, {failed} of them refused")


if __name__ == "__main__":
    main()
