#!/usr/bin/python3
"""`make accuracy-llama`: llama.cpp's tokens per second on the timing engine, beside those of cards.

    llama.py BUILD              runs what has not been run yet of the rows that the environment chooses
    llama.py BUILD --doc FILE   and writes all that has been run between the marks of docs/ACCURACY.md
    llama.py BUILD --table      prints that, and runs nothing

llama-bench of Debian's package runs unmodified on models with random weights (gguf.py) that are as wide as the real ones,
but have few layers and words. What a pass over all layers takes is extrapolated: each layer more costs what the second one
of its kind has cost, words of the output matrix what as many more of them have cost. Environment:

    LLAMA_ROWS      names of rows, or patterns of them (all)
    LLAMA_ROOT      where the packages are unpacked; BUILD/rocm/6.4.3/root, where fetch.sh puts them, if not set
    GCNSIM_THREADS  host threads for each kernel (1)

Reports stay in BUILD/llama; delete one to have it made again. Where llama-bench cannot be had, a line says so, and the exit
status is 0.
"""

import dataclasses
import fnmatch
import glob
import os
import re
import sqlite3
import statistics
import subprocess
import sys

import gguf

HERE = os.path.dirname(os.path.abspath(__file__))
ROCM = "6.4.3"
PACKAGES = ("llama.cpp-tools", "libggml0-backend-hip")
WORDS = (16032, 32064)  # of the models that run
TYPES = {kind.number: name for name, kind in gguf.TYPES.items()}
BEGIN, END = "<!-- begin llama -->\n", "<!-- end llama -->\n"


def plain(kind):
    return gguf.Layer(*[kind] * 7)


LLAMA_1B = gguf.Model("llama 1B Q4_0", 2048, 8192, 32, 8, 128256, 2, "q6_K", "", ((plain("q4_0"), 16),))
LLAMA_8B = gguf.Model("llama 8B Q4_0", 4096, 14336, 32, 8, 128256, 2, "q4_0", "q6_K", ((plain("q4_0"), 32),))
# the mixtures that llama-quantize makes of 32 layers
IQ1_S = gguf.Layer("iq1_s", "iq1_s", "q4_K", "iq2_xxs", "iq1_s", "iq1_s", "iq1_s")
LLAMA_8B_IQ1_S = gguf.Model("llama 8B IQ1_S", 4096, 14336, 32, 8, 128256, 24, "q2_K", "q5_K",
                            ((IQ1_S, 28), (dataclasses.replace(IQ1_S, down="q2_K"), 4)))
LLAMA_8B_Q4_K_M = gguf.Model("llama 8B Q4_K_M", 4096, 14336, 32, 8, 128256, 15, "q4_K", "q6_K",
                             ((plain("q4_K"), 16), (dataclasses.replace(plain("q4_K"), v="q6_K", down="q6_K"), 16)))


@dataclasses.dataclass(frozen=True)
class Row:
    """What a card has done. pp: a prompt of `tokens`, `batch` at a time; tg: one token at a time."""

    card: str
    profile: str
    model: gguf.Model
    test: str  # pp or tg
    tokens: int
    batch: int
    published: tuple  # tokens per second, before and after the change that the source is about
    source: int  # pull request of ggml-org/llama.cpp
    flash: str = "auto"

    @property
    def name(self):
        return f"{self.profile}-{self.model.name}-{self.test}{self.tokens}-{self.batch}".replace(" ", "_")

    @property
    def shown(self):
        return f"{self.test}{self.tokens}" + (f", {self.batch} at a time" if self.test == "pp" else "")

    @property
    def split(self):
        """Whether a pass of the prompt is one of many, without an output: the first of two is."""
        return self.test == "pp" and self.batch < 16

    def error(self, speed):
        """In percent, of the nearer end of what was published."""
        low, high = min(self.published), max(self.published)
        return 0 if low <= speed <= high else 100 * (speed / (low if speed < low else high) - 1)


def rows():
    mi50, mi100 = ("MI50", "gfx906-mi50"), ("MI100", "gfx908-mi100", LLAMA_8B_IQ1_S, "pp", 512)
    xtx = ("RX 7900 XTX", "gfx1100-rx7900xtx", LLAMA_8B_Q4_K_M)
    for batch, speeds in enumerate(((325, 331), (630, 617), (551, 537), (676, 658), (830, 842)), 1):
        yield Row(*mi50, LLAMA_1B, "pp", 512, batch, speeds, 15802, "0")
    for batch, speeds in ((16, (380, 416)), (32, (382, 569)), (64, (488, 645)), (128, (753, 878)), (256, (854, 1003)),
                          (512, (1008, 1083))):
        yield Row(*mi50, LLAMA_8B, "pp", 1024, batch, speeds, 27841)
    # from 4 on the change takes mul_mat_q in the place of mul_mat_vec_q
    for batch, speeds in ((1, (126.7,)), (2, (174.3,)), (4, (265, 233)), (8, (348, 451))):
        yield Row(*mi100, batch, speeds, 23227)
    for batch, speeds in ((16, (734, 734)), (64, (1504, 1846)), (512, (3229, 3427))):
        yield Row(*mi100, batch, speeds, 22051)
    yield Row(*xtx, "tg", 64, 1, (105.8, 105.8), 26284)
    yield Row(*xtx, "pp", 2048, 512, (3189, 3227), 26284)


# Passes --------------------------------------------------------------------------------------------------------------


def is_copy(kernel):
    return kernel.startswith("__amd_rocclr_")


def short(kernel):
    """A kernel's name with the type of the weights that it takes."""
    name = re.sub(r"^void |[<(].*", "", kernel)
    kind = re.search(r"<\(ggml_type\)(\d+)", kernel)
    if is_copy(kernel):
        return "copies"
    return f"{name} {TYPES.get(int(kind[1]), kind[1])}" if kind else name


@dataclasses.dataclass
class Pass:
    """A pass over the layers: ns, and {kernel: [ns, ns of its longest call, what limits that]}."""

    total: float
    kernels: dict

    def plus(self, other, times):
        both = dict(self.kernels)
        for name, (ns, longest, limit) in other.kernels.items():
            mine = both.get(name, [0, 0, ""])
            both[name] = [mine[0] + times * ns] + ([longest, limit] if longest > mine[1] else mine[1:])
        return Pass(self.total + times * other.total, both)

    @property
    def busy(self):
        return sum(ns for ns, _, _ in self.kernels.values())


def first_kernels(found):
    """Indices of the first kernel of each pass: tensors come from the host before it, in several copies."""
    copies = 3
    for k, (name, _, _, _) in enumerate(found):
        if not is_copy(name) and copies > 2:
            yield k
        copies = copies + 1 if is_copy(name) else 0


def passes(path):
    """The passes of a report."""
    with sqlite3.connect(path) as db:
        found = db.execute(
            "SELECT k.demangled, d.start_ns, d.end_ns, l.verdict FROM dispatch d JOIN kernel k USING (run, kernel) "
            "LEFT JOIN limiter l USING (run, dispatch) ORDER BY d.start_ns").fetchall()
    while found and is_copy(found[0][0]):  # weights
        del found[0]
    starts, made = list(first_kernels(found)), []
    for begin, end in zip(starts, starts[1:] + [len(found)]):
        until = found[end][1] if end < len(found) else found[-1][2]
        one = Pass(until - found[begin][1], {})
        for name, start, stop, limit in found[begin:end]:
            one = one.plus(Pass(0, {short(name): [stop - start, stop - start, limit or ""]}), 1)
        made.append(one)
    return made


# Runs ----------------------------------------------------------------------------------------------------------------


class Bench:
    def __init__(self, build):
        self.build = os.path.abspath(build)
        self.root = os.environ.get("LLAMA_ROOT") or os.path.join(self.build, "rocm", ROCM, "root")
        self.libraries = os.path.join(self.root, "usr/lib/x86_64-linux-gnu")
        self.program = os.path.join(self.root, "usr/bin/llama-bench")
        self.folder = os.path.join(self.build, "llama")

    def fetch(self):
        """Whether llama-bench is there; says why not."""
        if not os.environ.get("LLAMA_ROOT"):
            got = subprocess.run([os.path.join(HERE, "fetch.sh"), ROCM, os.path.dirname(self.root), *PACKAGES],
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
            if got.returncode:
                print("skip: llama.cpp: " + (got.stdout.splitlines() or ["fetch.sh says nothing"])[-1])
                return False
        if not os.path.exists(self.program):
            print(f"skip: llama.cpp: there is no {self.program}")
            return False
        os.makedirs(self.folder, exist_ok=True)
        return True

    def links(self):
        """A folder with llama.cpp's libraries alone: those beside them are not the host's."""
        folder = os.path.join(self.folder, "lib")
        os.makedirs(folder, exist_ok=True)
        for pattern in ("libllama*.so*", "libggml*.so*", "llama/*.so"):
            for path in glob.glob(os.path.join(self.libraries, pattern)):
                link = os.path.join(folder, os.path.basename(path))
                if not os.path.lexists(link):
                    os.symlink(path, link)
        return folder

    def report(self, row, layers, words):
        return os.path.join(self.folder, f"{row.name}-{''.join('ab'[k] for k in layers)}-{words}.db")

    def run(self, row, layers, words):
        """Makes the report of a model with layers of these kinds, and so many words."""
        report, model = self.report(row, layers, words), os.path.join(self.folder, "model.gguf")
        for old in glob.glob(report + ".new*"):
            os.remove(old)
        gguf.write(model, row.model, [row.model.kinds[k][0] for k in layers], words)
        # of a pass that is one of many, what comes after it may be short
        test = ["-p", "0", "-n", "1"] if row.test == "tg" else ["-p", str(row.batch + row.split), "-n", "0"]
        command = [os.path.join(self.build, "gcnsim"), "exec", "--arch", row.profile, "--engine", "timing", "--report",
                   report + ".new", self.program, "-m", model, *test, "-b", "2048", "-ub", str(row.batch), "-r", "1",
                   "-ngl", "99", "-t", "1", "-fa", row.flash, "--no-warmup"]
        environment = {"GCNSIM_THREADS": "1", **os.environ, "LD_LIBRARY_PATH": self.links()}
        got = subprocess.run(command, cwd=os.path.join(self.libraries, "ggml/backends0"), env=environment,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        os.remove(model)
        if got.returncode:
            raise RuntimeError(f"{row.name}: llama-bench: exit status {got.returncode}\n{got.stdout[-2000:]}")
        os.rename(report + ".new", report)

    @staticmethod
    def runs(row):
        """What has to be run: layers by kind, and words."""
        yield [0], WORDS[0]
        for kind in range(len(row.model.kinds)):
            yield [kind, 0], WORDS[0]
        if not row.split:
            yield [0], WORDS[1]

    def complete(self, row, may_run):
        for layers, words in self.runs(row):
            if not os.path.exists(self.report(row, layers, words)):
                if not may_run:
                    return False
                self.run(row, layers, words)
        return True

    def measure(self, row):
        """A pass of the whole model, with its share of the prompt's output matrix, which the last pass alone has."""
        def one(layers, words):
            return passes(self.report(row, layers, words))[0 if row.split else -1]

        base = one([0], WORDS[0])
        whole = base
        for kind, (_, count) in enumerate(row.model.kinds):
            whole = whole.plus(one([kind, 0], WORDS[0]).plus(base, -1), count - (kind == 0))
        if not row.split:
            words = row.model.vocabulary * (row.batch / row.tokens if row.test == "pp" else 1)
            more = (words - WORDS[0]) / (WORDS[1] - WORDS[0])
            whole = whole.plus(one([0], WORDS[1]).plus(base, -1), more)
        return whole


# Tables --------------------------------------------------------------------------------------------------------------


def line(row, whole):
    speed = row.batch / whole.total * 1e9
    published = " to ".join(f"{v:g}" for v in sorted(set(row.published)))
    return (f"| {row.card} | {row.model.name} | {row.shown} | {published} | {speed:.4g} | {row.error(speed):+.0f} % | "
            f"{whole.total * 1e-6:.2f} | {100 * (1 - whole.busy / whole.total):.0f} % | {row.source} |")


def limits(row, whole, most=3):
    by_time = sorted(whole.kernels.items(), key=lambda entry: -entry[1][0])
    for name, (ns, _, limit) in by_time[:most]:
        yield f"| {row.card} | {row.model.name} | {row.shown} | `{name}` | {100 * ns / whole.total:.0f} % | {limit} |"


def summary(measured):
    errors = [abs(row.error(row.batch / whole.total * 1e9)) for row, whole in measured]
    return (f"{len(errors)} of {sum(1 for _ in rows())} rows, mean error {statistics.mean(errors):.0f} %, "
            f"median {statistics.median(errors):.0f} %, worst {max(errors):.0f} %")


def tables(measured):
    text = ["| card | model | test | published t/s | simulated t/s | error | ms a pass | in gaps | source |",
            "|---|---|---|---:|---:|---:|---:|---:|---:|", *(line(*m) for m in measured), "", summary(measured), "",
            "| card | model | test | kernel | share | what limits its longest call |", "|---|---|---|---|---:|---|"]
    for m in measured:
        text += limits(*m)
    return "\n".join(text) + "\n"


def write(path, text):
    with open(path, encoding="utf-8") as file:
        page = file.read()
    if BEGIN not in page or END not in page:
        raise RuntimeError(f"{path}: no marks {BEGIN.strip()} and {END.strip()}")
    with open(path, "w", encoding="utf-8") as file:
        file.write(page[:page.index(BEGIN)] + BEGIN + text + page[page.index(END):])


def main():
    words, page = sys.argv[1:], None
    if "--doc" in words[:-1]:
        page = words.pop(words.index("--doc") + 1)
        words.remove("--doc")
    table = "--table" in words
    names = [w for w in words if w != "--table"]
    if len(names) != 1 or names[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    bench, patterns = Bench(names[0]), os.environ.get("LLAMA_ROWS", "*").split()
    if not table and not bench.fetch():
        return 0
    measured = []
    for row in rows():
        chosen = not table and any(fnmatch.fnmatchcase(row.name, p) for p in patterns)
        if bench.complete(row, chosen):
            measured.append((row, bench.measure(row)))
            if chosen:
                print(line(*measured[-1]), flush=True)
    if table and measured:
        print(tables(measured), end="")
    if page and measured:
        write(page, tables(measured))
    return 0


if __name__ == "__main__":
    sys.exit(main())
