"""The parts of `make check-world`: what each takes from Debian, what of it runs and where (world.py)."""

import dataclasses
import fnmatch
import os
import re


def matches(case, patterns):
    return any(fnmatch.fnmatchcase(case, p) for p in patterns)


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
    timing_leave: tuple = ()  # patterns of those that take it longer than the silence that world.py bears
    chunk: int = 0  # cases in one process; 0: world.py's
    folder: str = ""  # to be started in, from the root; that of the program if empty
    environment: dict = dataclasses.field(default_factory=dict)  # ROOT in a value: the root; DATA: where `data` is
    args: tuple = ()
    cases: tuple = ()  # of kind plain
    # AMD's file of arguments, from the root, and how many of its records the program is given, spread evenly: it makes
    # cases of each before it does anything. Its signature's first and last word; records that have this text.
    data: tuple = ()
    known: dict = dataclasses.field(default_factory=dict)  # pattern of "TARGET CASE": why it does not pass

    def name_of(self, program, case):
        """A case among those of all programs of the part."""
        return f"{os.path.basename(program)}:{case}" if re.search(r"[*?\[]", self.program) else case

    def on_timing(self, cases):
        """Those of (program, case) that the timing engine runs."""
        tenth = cases[:: self.timing_every] if self.timing_every else []
        return [c for c in tenth if not matches(c[1], self.timing_leave)]

    def reason(self, case, target):
        for pattern, why in self.known.items():
            if fnmatch.fnmatchcase(f"{target} {case}", pattern):
                return why
        return ""


GGML = dict(rocm="6.4.3", packages=("llama.cpp-tests", "libggml0-backend-hip"),
            targets=("gfx906", "gfx90a", "gfx1030", "gfx1100"), folder="usr/lib/x86_64-linux-gnu/ggml/backends0")

# of 2^30 and more items each
LARGE = ("*Large*", "*large*", "*Huge*", "*4GB*", "*Big*")
BLAS = {"LD_LIBRARY_PATH": "ROOT/usr/lib/x86_64-linux-gnu/openblas-pthread", "GTEST_LISTENER": "PASS_LINE_IN_LOG"}


def amd(name, package, program, at_most, targets=("gfx90a", "gfx1100"), kind="gtest", **more):
    """A program from one of Debian's packages of tests of ROCm 7.2.4."""
    return Part(name, "7.2.4", (package,), f"usr/libexec/rocm/{package}/{program}", kind, targets, at_most=at_most, **more)


PARTS = (
    Part("llama-ops", program="usr/libexec/x86_64-linux-gnu/llama.cpp-tests/test-backend-ops", kind="ggml",
         # host and simulated GPU together take over 22 GB for it
         leave=("MUL_MAT(*n=8400000*",), timing_every=50, **GGML),
    Part("llama-archs", program="usr/libexec/x86_64-linux-gnu/llama.cpp-tests/test-llama-archs", kind="archs", chunk=20,
         known={f"gfx90a {name} MoE*": "the program's own fault: mul_mat_id asks whether rows of 160 are a multiple of 32 lanes, its kernel "
                                       "(mul_mat_f_ids) runs with 64, and in its last pass MFMA takes what the 32 lanes that have left the "
                                       "loop still hold, on hardware as here"
                for name in ("laguna", "step35")} |
               {"gfx906 *": "the bits of a second evaluation differ, results are right: rocBLAS's kernels for gfx906 split a sum over "
                            "workgroups that add to one buffer in the order in which they come (GSUASB); so on the functional engine "
                            "with several threads, and on hardware"}, **GGML),
    amd("rocblas", "librocblas5-tests", "rocblas-test", 1000, chunk=500, choose=("*quick*", "*pre_checkin*"), environment=BLAS,
        args=("--data", "ROOT/usr/share/librocblas5-tests/data/rocblas_gtest.data")),
    amd("hipblas", "libhipblas3-tests", "hipblas-test", 500, environment=BLAS,
        args=("--data", "ROOT/usr/libexec/rocm/libhipblas3-tests/data/hipblas_gtest.data")),
    amd("hipblaslt", "libhipblaslt1-tests", "hipblaslt-test", 300, ("gfx90a", "gfx1100", "gfx1201"), environment=BLAS),
    amd("rocsolver", "librocsolver0-tests", "rocsolver-test", 400, choose=("checkin_*",), environment=BLAS),
    amd("hipsolver", "libhipsolver1-tests", "hipsolver-test", 300, choose=("checkin_*",),
        environment={**BLAS, "HIPSOLVER_TEST_DATA": "ROOT/usr/share/libhipsolver1-tests/data"}),
    amd("rocsparse", "librocsparse1-tests", "rocsparse-test", 500,
        data=("usr/share/librocsparse1-tests/data/rocsparse_test.data", 700, b"rocSPARSE\0", b"ROCsparse\0", b"quick"),
        environment={**BLAS, "ROCSPARSE_CLIENTS_TEST_DATA_DIR": "DATA/"}),
    amd("hipsparse", "libhipsparse4-tests", "hipsparse-test", 300, environment=BLAS),
    amd("rocfft", "librocfft0-tests", "rocfft-test", 400, leave=("*bitwise_repro*", "*callback*")),
    amd("hipfft", "libhipfft0-tests", "hipfft-test", 300, timing_leave=("*_len_6561_6561_*",)),  # 86 million points
    amd("rocrand", "librocrand1-tests", "test_*", 600),
    amd("hiprand", "libhiprand1-tests", "test_*", 300),
    amd("rocprim", "librocprim-tests", "test_*", 500, leave=LARGE),
    amd("hipcub", "libhipcub-tests", "test_*", 500, leave=LARGE,
        known={"* test_hipcub_iterators:*.TestTexObj": "it makes a texture object, and there are no images yet"}),
    amd("rocthrust", "librocthrust-tests", "test_*", 500, kind="thrust", leave=LARGE, args=("--sizes=medium",)),
    amd("miopen", "libmiopen1-tests", "miopen_gtest", 400, ("gfx90a",), choose=("Smoke/GPU_*", "Unit/*", "Full/GPU_*"),
        environment=BLAS),
    amd("rccl", "librccl1-tests", "rccl-UnitTests", 100, ("gfx90a,gfx90a", "gfx1100,gfx1100"),
        environment={"UT_TIMEOUT_US": "2000000000"}),  # for a collective, in place of 5 s
    amd("rocwmma", "librocwmma-tests", "*_test", 300, ("gfx90a", "gfx1100", "gfx942", "gfx1201")),
    Part("magma", "6.4.3", ("libmagma-rocm-test",), "usr/lib/x86_64-linux-gnu/libmagma-rocm-test/testing/testing_*", "plain",
         ("gfx90a", "gfx1100"), at_most=150, cases=("-n 60 -c",), environment=BLAS,
         known={"* testing_blas_*": "it adds up a number that its host code has not set (4.7e-310, another one in each run)",
                "* testing_?gglse:*": "it prints ok, and ends with status 1",
                "* testing_?print:*": "it compares with a file that the package lacks",
                "* testing_?trsm_batched:*": "it has HIP clear memory at a null pointer",
                "* testing_?hetrf:*": "at this size its kernels set and copy matrices alone: LAPACK on the host computes what "
                                      "its check finds wrong"}),
    amd("rocalution", "librocalution1-tests", "rocalution-test", 300, environment=BLAS),
)
