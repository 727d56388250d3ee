"""Tests of the Python package: python3 tests/python/test_gcnsim.py, from the repository's root, with GCNSIM_LIBRARY.

tests/system/test_python.c runs it, and names the package's folder (GCNSIM_PYTHON).
"""

import copy
import csv
import ctypes
import gc
import os
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
import unittest.mock
from pathlib import Path

sys.path.insert(0, os.environ.get("GCNSIM_PYTHON", "build/python"))

import numpy as np  # noqa: E402

import gcnsim  # noqa: E402

SAMPLES = Path("traces/samples")
TARGETS = ("gfx803", "gfx90a", "gfx1201")


def vecadd(target="gfx1201", **options):
    return gcnsim.Kernel(SAMPLES / target / "vecadd.co", **options)["vecadd"]


class Running(unittest.TestCase):
    def test_arrays_come_back(self):
        a = np.arange(1000, dtype=np.float32)
        b = np.linspace(-5, 5, 1000).astype(np.float32)
        for target in TARGETS:
            for engine in ("timing", "functional"):
                out = np.zeros(1000, np.float32)
                run = vecadd(target).run(grid=1024, workgroup=256, args=[a, b, out, 1000], engine=engine)
                np.testing.assert_array_equal(run.args[2], a + b)
                self.assertFalse(out.any(), "the array that was passed is as it was")
                self.assertEqual(run.outcome, "completed")
                self.assertEqual(run.report["kernel"], "vecadd")
                self.assertEqual(run.cycles is None, engine == "functional")

    def test_report_is_the_json(self):
        run = vecadd().run(grid=256, workgroup=256, args=[np.ones(256, np.float32)] * 3 + [256])
        self.assertEqual(run.report["cycles"], run.cycles)
        self.assertGreater(run.report["cache"]["l2"]["accesses"], 0)
        self.assertIn("vecadd", run.text())
        self.assertIn(f"cycles,cycles,{run.cycles}\n", run.csv())
        self.assertIn("completed", repr(run))

    def test_shapes(self):
        src = np.arange(64 * 96, dtype=np.uint32).reshape(64, 96)
        kernel = gcnsim.Kernel(SAMPLES / "gfx90a" / "transpose.co")
        self.assertEqual(len(kernel), 2)
        self.assertEqual(sorted(kernel), ["transpose_naive", "transpose_padded"])
        for name in kernel:  # the kernels require their workgroup
            run = kernel[name].run(grid=(96, 16), args=[src, np.zeros((96, 64), np.uint32), 64, 96])
            np.testing.assert_array_equal(run[1], src.T)
        with self.assertRaisesRegex(ValueError, "transpose_naive"):
            kernel.run(grid=1, workgroup=1)

    def test_bytes_of_a_code_object(self):
        raw = (SAMPLES / "gfx90a" / "vecadd.co").read_bytes()
        run = gcnsim.Kernel(raw).run(grid=256, workgroup=256, args=[np.ones(256, np.float32)] * 3 + [256])
        np.testing.assert_array_equal(run[2], np.full(256, 2, np.float32))

    def test_several_code_objects(self):
        """Two containers of a bundle, as a program of two source files has them."""
        files = [(SAMPLES / "gfx90a" / f"{name}.co").read_bytes() for name in ("vecadd", "saxpy")]
        ident = b"hipv4-amdgcn-amd-amdhsa--gfx90a"
        bundle = b""
        for code in files:
            words = [1, 4096, len(code), len(ident)]
            head = b"__CLANG_OFFLOAD_BUNDLE__" + b"".join(w.to_bytes(8, "little") for w in words) + ident
            bundle += head.ljust(4096, b"\0") + code
        a = np.arange(256, dtype=np.float32)
        for choice in ({"kernel": "vecadd"}, {"index": 0}):
            out = np.zeros(256, np.float32)
            kernel = gcnsim.Kernel(bundle, arch="gfx90a", **choice)
            run = kernel["vecadd"].run(grid=256, workgroup=256, args=[a, a, out, 256], engine="functional")
            np.testing.assert_array_equal(run[2], 2 * a)
        self.assertIn("saxpy", gcnsim.Kernel(bundle, arch="gfx90a", index=1).names)
        with self.assertRaisesRegex(gcnsim.GcnsimError, "2 code objects fit"):
            gcnsim.Kernel(bundle, arch="gfx90a")
        with self.assertRaisesRegex(gcnsim.GcnsimError, "no code object 2, the file holds 2"):
            gcnsim.Kernel(bundle, arch="gfx90a", index=2)

    def test_one_device_for_several_launches(self):
        with gcnsim.Simulator("gfx90a") as sim:
            kernel = sim.load(SAMPLES / "gfx90a" / "vecadd.co")
            a, out = sim.buffer(np.arange(4096, dtype=np.float32)), sim.buffer(4 * 4096)
            first = kernel.run(grid=4096, workgroup=256, args=[a, a, out, 4096])
            second = kernel.run(grid=4096, workgroup=256, args=[out, a, out, 4096])
            self.assertLess(second.cycles, first.cycles, "caches are warm")
            np.testing.assert_array_equal(out.read(np.float32), 3 * np.arange(4096, dtype=np.float32))
            np.testing.assert_array_equal(a.read(), np.arange(4096, dtype=np.float32))
            self.assertGreater(sim.clock, 0)
            self.assertEqual(sim.profile, gcnsim.Simulator("gfx90a").profile)
            self.assertGreater(sim.figure("gpu.shader_clock_mhz"), 100)
            sim.reset()
            self.assertEqual(sim.clock, 0)

    def test_figures_can_be_replaced(self):
        args = [np.ones(65536, np.float32)] * 3 + [65536]
        usual = vecadd().run(grid=65536, workgroup=256, args=args)
        slow = vecadd(sets={"cache.l2.mshrs": 1}).run(grid=65536, workgroup=256, args=args)
        self.assertGreater(slow.cycles, usual.cycles)
        self.assertEqual(slow.report["provenance"]["overrides"], ["cache.l2.mshrs=1"])
        with self.assertRaisesRegex(gcnsim.GcnsimError, "cache.l2.mshr"):
            vecadd(sets={"cache.l2.mshr": 1}).run(grid=1, workgroup=1, args=args)


class Refusing(unittest.TestCase):
    def test_arguments(self):
        ones = np.ones(256, np.float32)
        kernel = vecadd()
        for args, error, words in (
            ([ones], ValueError, "1 arguments; expected 4"),
            ([ones, ones, ones, 1.5], TypeError, "whole number"),
            ([ones, ones, ones, 1 << 40], OverflowError, "4 bytes"),
            ([ones, ones, ones, np.float64(1)], TypeError, "8 bytes; expected 4"),
            ([ones, ones, "out", 256], TypeError, "str"),
            ([ones, ones, 2.5, 256], TypeError, "float"),
        ):
            with self.assertRaisesRegex(error, words):
                kernel.run(grid=256, workgroup=256, args=args)
        with self.assertRaisesRegex(ValueError, "grid"):
            kernel.run(grid=(1, 2, 3, 4), workgroup=1, args=[ones, ones, ones, 1])
        with self.assertRaisesRegex(ValueError, "engine"):
            kernel.run(grid=1, workgroup=1, args=[ones, ones, ones, 1], engine="fast")
        other = gcnsim.Simulator("gfx1201").buffer(1024)
        with self.assertRaisesRegex(ValueError, "another simulator"):
            kernel.run(grid=1, workgroup=1, args=[ones, ones, other, 1])

    def test_files(self):
        with self.assertRaisesRegex(gcnsim.GcnsimError, "no_such_file"):
            gcnsim.Kernel("no_such_file.co")
        with self.assertRaisesRegex(gcnsim.GcnsimError, "vecadd"):
            vecadd().__getitem__("no_such_kernel")

    def test_faults(self):
        ones = np.ones(256, np.float32)
        with self.assertRaisesRegex(gcnsim.Fault, "0x200") as caught:
            vecadd().run(grid=256, workgroup=256, args=[ones, ones, None, 256])
        self.assertEqual(caught.exception.result.report["fault"]["kind"], "memory")
        run = vecadd().run(grid=256, workgroup=256, args=[ones, ones, None, 256], strict=False)
        self.assertEqual(run.outcome, "fault")
        run = vecadd().run(grid=256, workgroup=256, args=[ones, ones, ones, 256], strict=False, max_cycles=100)
        self.assertEqual(run.outcome, "limit")
        self.assertIn("100", run.message)

    def test_memory_is_given_back(self):
        kernel = vecadd(max_memory=16 << 20)
        for _ in range(4):  # would pass the limit if arrays stayed
            kernel.run(grid=256, workgroup=256, args=[np.zeros(1 << 20, np.float32)] * 3 + [1], engine="functional")
        with self.assertRaisesRegex(gcnsim.GcnsimError, "memory"):
            kernel.run(grid=256, workgroup=256, args=[np.zeros(1 << 22, np.float32)] * 3 + [1], engine="functional")

    def test_interruption(self):
        # whoever starts the tests in the background has them ignore it
        self.addCleanup(signal.signal, signal.SIGINT, signal.signal(signal.SIGINT, signal.default_int_handler))
        kernel = gcnsim.Kernel(SAMPLES / "gfx1201" / "mandelbrot.co")
        names = [a["type_name"] for a in kernel.info["args"]]
        args = [np.zeros(1 << 22, np.uint32) if "*" in n else 2000000000 if "uint" in n or "int" in n else 0.0
                for n in names]
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "trace")
            os.mkfifo(path)

            def interrupt_when_it_issues():
                with open(path, "rb") as trace:
                    trace.read(1000)
                    os.kill(os.getpid(), signal.SIGINT)
                    while trace.read(1 << 16):
                        pass

            # a daemon: where the launch is refused, nobody opens the trace
            watcher = threading.Thread(target=interrupt_when_it_issues, daemon=True)
            watcher.start()
            with self.assertRaises(KeyboardInterrupt):  # billions of iterations: it does not end by itself
                kernel.run(grid=(4096, 1024), workgroup=(16, 16), args=args, traces=["issue-csv=" + path])
            watcher.join()


class Misusing(unittest.TestCase):
    """What test_misuse.py found, and where each error is the one that helps."""

    def setUp(self):
        self.sim = gcnsim.Simulator("gfx90a")
        self.kernel = self.sim.load(SAMPLES / "gfx90a" / "vecadd.co")
        self.ones = np.ones(64, np.float32)

    def run_(self, **options):
        return self.kernel.run(64, 64, [self.ones] * 3 + [64], **options)

    def test_objects_of_other_classes(self):
        run = self.run_()
        for wrong in (self.sim, gcnsim.Sum(), self.kernel, None, 5):
            with self.assertRaisesRegex(TypeError, "expected a Result"):
                gcnsim.Sum().add(wrong)
            with self.assertRaisesRegex(TypeError, "expected a Result"):
                gcnsim.Fault(wrong)
        for wrong in (run, self.kernel, None, "gfx90a"):
            with self.assertRaisesRegex(TypeError, "expected a Simulator"):
                gcnsim.Buffer(wrong, 64)
        with self.assertRaisesRegex(TypeError, "expected bytes"):
            gcnsim.disassemble("\0" * 8, "gfx90a")

    def test_what_is_closed(self):
        run, buffer, other = self.run_(), self.sim.buffer(64), self.sim.buffer(64)
        other.close()
        for call in (other.read, lambda: other.write(self.ones), lambda: self.kernel.run(64, 64, [other] * 3 + [64])):
            with self.assertRaisesRegex(ValueError, "the buffer is closed"):
                call()
        self.sim.close()
        self.sim.close()
        for call in (self.run_, buffer.read, lambda: buffer.write(self.ones), lambda: self.sim.buffer(8), self.sim.reset,
                     lambda: self.sim.profile, lambda: self.sim.clock, lambda: self.sim.figure("gpu.cus"),
                     lambda: self.sim.set({}), lambda: self.sim.load(b"x"), lambda: self.kernel.info, lambda: self.kernel.names,
                     lambda: self.kernel["vecadd"], lambda: self.kernel.symbol("vecadd"), self.kernel.occupancy):
            with self.assertRaisesRegex(ValueError, "the simulator is closed"):
                call()
        buffer.close()
        self.assertIn("vecadd", run.text())  # a result stays

    def test_copies_share_a_handle(self):
        run = copy.copy(self.run_())
        sim = copy.copy(self.sim)
        self.sim = self.kernel = None
        gc.collect()
        self.assertIn("vecadd", run.text())
        self.assertTrue(sim.profile.startswith("gfx90a"))
        sim.close()
        for one in (run, sim):
            with self.assertRaises(TypeError):
                copy.deepcopy(one)

    def test_python_objects_do_not_reach_the_device(self):
        objects = np.array([object()] * 64, dtype=object)
        with self.assertRaisesRegex(TypeError, "Python objects"):
            self.kernel.run(64, 64, [self.ones, self.ones, objects, 64])
        with self.assertRaisesRegex(TypeError, "Python objects"):
            self.sim.buffer(objects)
        buffer = self.sim.buffer(64)
        with self.assertRaisesRegex(TypeError, "Python objects"):
            buffer.write(objects)
        buffer.dtype = np.dtype(object)
        for how in ({"dtype": object}, {"dtype": [("a", "O")]}, {}):
            with self.assertRaisesRegex(TypeError, "Python objects"):
                buffer.read(**how)

    def test_values_are_not_cut_off(self):
        for options in ({"threads": 1 << 32}, {"threads": -1}, {"dynamic_lds": 1 << 32}, {"max_cycles": -1},
                        {"max_instructions": 1 << 64}, {"samples": -1}, {"timeline": (-1, 0)}, {"timeline": (0, 1 << 32)}):
            with self.assertRaisesRegex(OverflowError, "expected 0 to"):
                self.run_(**options)
        for call in (lambda: self.sim.buffer(1 << 64), lambda: self.sim.load(b"x", index=1 << 32),
                     lambda: gcnsim.Simulator(max_memory=-1), lambda: self.run_(per_instruction=True).annotate(top=-1),
                     lambda: self.kernel.occupancy(dynamic_lds=-1), lambda: self.sim.buffer(8).write(self.ones, -1)):
            with self.assertRaisesRegex(OverflowError, "expected 0 to"):
                call()
        for call in (lambda: self.kernel["vecadd\0x"], lambda: self.sim.figure("gpu.cus\0x"),
                     lambda: gcnsim.Simulator("gfx90a\0"),
                     lambda: self.sim.set({"cache.l2.mshrs": "8\0"}), lambda: self.sim.load("a\0b"),
                     lambda: self.run_(traces=["issue-csv=a\0b"])):
            with self.assertRaisesRegex(ValueError, "zero byte"):
                call()

    def test_closing_waits_for_a_launch(self):
        many = np.ones(1 << 16, np.float32)
        runs, closed = [], threading.Event()

        def close():
            while self.kernel._module.owner._state.stop is None and not runs:
                pass
            self.sim.close()
            closed.set()

        closer = threading.Thread(target=close)
        closer.start()
        runs.append(self.kernel.run(1 << 16, 256, [many, many, many, 1 << 16]))
        closer.join()
        self.assertTrue(closed.is_set())
        self.assertEqual(runs[0].outcome, "completed")

    def test_interrupted_again_while_it_ends(self):
        """The launch's thread has what the launch uses until it has ended."""
        began, go_on = threading.Event(), threading.Event()
        stop = ctypes.c_int(0)

        def work():
            began.set()
            go_on.wait()
            return stop.value

        class Interrupted(threading.Event().__class__):
            def wait(self, timeout=None):
                began.wait()
                raise KeyboardInterrupt

        from gcnsim import kernel

        with unittest.mock.patch.object(kernel.threading, "Event", Interrupted):
            with self.assertRaises(KeyboardInterrupt):
                kernel._on_a_thread(work, stop)
        self.assertEqual(stop.value, 1)
        go_on.set()

    def test_the_process_ends_while_a_launch_runs(self):
        """A daemon's launch is ended, and its simulator is closed after it; the daemon says nothing any more."""
        child = """
import atexit, os, sys, threading, traceback

def ended_or_stays():
    frame = sys._current_frames().get(daemon.ident)
    return frame is None or any(f.name == "stay_when_the_process_ends" for f in traceback.extract_stack(frame))

def see_it_through():  # registered first, so called last
    while not ended_or_stays():
        pass

atexit.register(see_it_through)
sys.path.insert(0, os.environ.get("GCNSIM_PYTHON", "build/python"))
import numpy as np, gcnsim
kernel = gcnsim.Kernel("traces/samples/gfx1201/mandelbrot.co")
args = [np.zeros(1 << 22, np.uint32) if "*" in a["type_name"] else 2000000000 if "int" in a["type_name"] else 0.0
        for a in kernel.info["args"]]
daemon = threading.Thread(target=lambda: kernel.run((4096, 1024), (16, 16), args, engine="functional"), daemon=True)
daemon.start()
while kernel._module.owner._state.stop is None:
    pass
"""
        ended = subprocess.run([sys.executable, "-c", child], capture_output=True, text=True)
        self.assertEqual((ended.returncode, ended.stderr), (0, ""))


class Views(unittest.TestCase):
    def setUp(self):
        kernel = gcnsim.Kernel(SAMPLES / "tutorial" / "transpose.co")["transpose_slow"]
        src = np.arange(64 * 64, dtype=np.uint32).reshape(64, 64)
        self.run_ = kernel.run(grid=(64, 16), args=[src, np.zeros_like(src), 64, 64], per_instruction=True, samples=100)

    def test_annotated(self):
        text = self.run_.annotate(sort="cycles", top=3)
        self.assertIn("transpose_slow", text)
        self.assertLess(len(text), len(self.run_.annotate()))
        with self.assertRaisesRegex(gcnsim.GcnsimError, "no_such"):
            self.run_.annotate(function="no_such")
        lines = self.run_.instructions_csv().splitlines()
        self.assertTrue(lines[0].startswith("CodeObj,Vaddr,Instruction,Hitcount,Latency,Stall,Idle,Source"))
        report = self.run_.report
        self.assertEqual(sum(i["executed"] for i in report["code"]["instructions"]), report["instructions"]["total"])

    def test_counters_and_page(self):
        self.assertIn("SQ_WAVES", self.run_.counters_csv())
        page = self.run_.html()
        self.assertTrue(page.lstrip().lower().startswith("<!doctype html>"))
        self.assertIn("transpose_slow", page)
        self.assertIn("<pre>", self.run_._repr_html_())
        self.assertGreater(len(self.run_.report["samples"]["series"]), 5)

    def test_fidelity(self):
        fidelity = self.run_.fidelity
        self.assertEqual(fidelity["semantics"]["exact"], self.run_.report["instructions"]["total"])
        self.assertEqual(sum(fidelity["timing"].values()), fidelity["instructions"])
        self.assertAlmostEqual(sum(fidelity["cycles"]["shares"].values()), 1, places=4)
        self.assertAlmostEqual(
            sum(f["share"] for f in fidelity["cycles"]["figures"]), 1 - fidelity["cycles"]["shares"]["none"], places=4
        )

    def test_instructions(self):
        report = self.run_.report
        self.assertIs(self.run_.instructions, report["code"]["instructions"])
        cycles = sum(v for i in self.run_.instructions for key, v in i.items() if key.startswith("cycles."))
        self.assertEqual(cycles, report["resident_wave_cycles"])

    def test_sums(self):
        kernel = gcnsim.Kernel(SAMPLES / "tutorial" / "transpose.co")["transpose_slow"]
        src = np.zeros((64, 64), np.uint32)
        other = kernel.run(grid=(64, 16), args=[src, src, 64, 64], per_instruction=True)
        both = gcnsim.Sum([self.run_, other])
        self.assertEqual(len(both), 2)
        self.assertEqual(both.stat("cycles"), self.run_.cycles + other.cycles)
        self.assertIn("launches   2", both.annotate(top=2))
        hits = [int(next(csv.reader([line]))[3]) for line in both.instructions_csv().splitlines()[1:]]
        self.assertEqual(sum(hits), sum(r.report["instructions"]["total"] for r in (self.run_, other)))
        with self.assertRaisesRegex(gcnsim.GcnsimError, "did not count"):
            both.add(vecadd().run(grid=256, workgroup=256, args=[np.ones(256, np.float32)] * 3 + [256]))
        with self.assertRaisesRegex(gcnsim.GcnsimError, "no run"):
            gcnsim.Sum().annotate()

    def test_timelines_and_traces(self):
        kernel = gcnsim.Kernel(SAMPLES / "tutorial" / "transpose.co")["transpose_slow"]
        src = np.zeros((64, 64), np.uint32)
        with tempfile.TemporaryDirectory() as folder:
            run = kernel.run(grid=(64, 16), args=[src, src, 64, 64], timeline=(2, 1), timeline_rows=(0, 5),
                             perfetto=folder + "/t.pftrace", att=folder + "/att")
            self.assertIn("wave 1 of workgroup 2 of transpose_slow", run.timeline)
            self.assertGreater(os.path.getsize(folder + "/t.pftrace"), 1000)
            self.assertTrue(Path(folder, "att", "ui_output_agent_0_dispatch_1", "code.json").is_file())
            self.assertIsNone(self.run_.timeline)
            with self.assertRaisesRegex(ValueError, "timeline_rows"):
                kernel.run(grid=(64, 16), args=[src, src, 64, 64], timeline=(0, 0), timeline_rows=(5, 5))
            with self.assertRaisesRegex(gcnsim.GcnsimError, "no/such"):
                kernel.run(grid=(64, 16), args=[src, src, 64, 64], perfetto=folder + "/no/such/t.pftrace")
            with self.assertRaisesRegex(gcnsim.GcnsimError, "timing engine"):
                kernel.run(grid=(64, 16), args=[src, src, 64, 64], engine="functional", timeline=(0, 0))

    def test_without_counts(self):
        run = vecadd().run(grid=256, workgroup=256, args=[np.ones(256, np.float32)] * 3 + [256])
        with self.assertRaises(gcnsim.GcnsimError):
            run.annotate()


class Looking(unittest.TestCase):
    def test_kernels(self):
        info = vecadd().info
        self.assertEqual([a["value_kind"] for a in info["args"]], ["global_buffer"] * 3 + ["by_value"])
        self.assertEqual(info["wavefront_size"], 32)
        occupancy = vecadd(arch="gfx1201").occupancy(workgroup=256)
        self.assertEqual(occupancy["limiter"], "wave_slots")

    def test_profiles_and_disassembly(self):
        self.assertIn("gfx1201", {p["target"] for p in gcnsim.profiles()})
        self.assertEqual(gcnsim.disassemble(bytes.fromhex("000081bf000080bf"), "gfx90a"), ["s_endpgm", "s_nop 0"])
        self.assertRegex(gcnsim.version(), r"^\d+\.\d+\.\d+$")


if __name__ == "__main__":
    unittest.main()
