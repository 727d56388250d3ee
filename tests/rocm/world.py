#!/usr/bin/python3
"""`make check-world`: test programs of Debian's ROCm packages, unmodified, under gcnsim exec.

    world.py BUILD [PARTS.py]           runs what has not passed yet of the parts that the environment chooses
    world.py BUILD [PARTS.py] --table   prints the tables of docs/WORLD.md from what was run

What a part is stands in world_parts.py; PARTS.py is a file that has others. Environment: WORLD_PARTS (names of parts; all), WORLD_TARGETS (those of each part),
WORLD_ENGINES (functional timing), WORLD_JOBS (programs at a time: one for each processor), WORLD_AGAIN=1 (also what has
passed), WORLD_CASES (at most so many cases of each part, target and engine), WORLD_SILENCE (a program that says nothing
for so many seconds is ended; 1800).

A case is one test of a program's own list. Each run is of a chunk of them, in one process; when it dies, the case that
was running counts as stopped, and the rest goes on in another process. Outcomes are kept case by case in
BUILD/world/results.sqlite, so that a run that is interrupted resumes. Exit status 1: a case failed, or stopped, or could
not be listed, for which the part names no reason.
"""

import concurrent.futures
import fnmatch
import os
import pty
import re
import runpy
import select
import signal
import sqlite3
import subprocess
import sys
import threading
import time

import world_parts

HERE = os.path.dirname(os.path.abspath(__file__))
COLOURS = re.compile(r"\x1b\[[0-9;]*[a-zA-Z]")
CHUNK = 200  # cases in one process; so that names fit in one argument

INTERRUPTED = "interrupted"
TURN = 2.0  # seconds between looks at a silent program


def plain(line):
    return COLOURS.sub("", line.decode(errors="replace")).rstrip("\r")


class Gtest:
    """GoogleTest: AMD's libraries. A case is Suite.Test; programs that the part's pattern finds come before a colon."""

    @staticmethod
    def list_args(part):
        return ["--gtest_list_tests", "--gtest_filter=" + ":".join(part.choose), *part.args]

    @staticmethod
    def listed(part, text):
        suite, cases = "", []
        for line in text.splitlines():
            name = line.split("#")[0].rstrip()
            if re.fullmatch(r"\S+\.", name):
                suite = name
            elif suite and re.fullmatch(r"  \S+", name):
                cases.append(suite + name.strip())
        return [c for c in cases if "DISABLED_" not in c]

    @staticmethod
    def run_args(part, cases):
        # a minus would begin the tests that are left out
        return ["--gtest_filter=" + ":".join(cases).replace("-", "?"), *part.args]

    line = re.compile(r"\[ *(RUN|OK|FAILED|SKIPPED) *\] ([^ ,]+)(?:,| |$)")

    @classmethod
    def said(cls, text):
        """(case, outcome) of a line, where outcome None is: it begins."""
        found = cls.line.match(text)
        if found:
            return found[2], {"RUN": None, "OK": "passed", "FAILED": "failed", "SKIPPED": "skipped"}[found[1]]
        return None


class Ggml:
    """llama.cpp's test-backend-ops. A case is an operation with its parameters."""

    @staticmethod
    def list_args(part):
        return ["support", "-b", "ROCm0", "--output", "csv"]

    @staticmethod
    def listed(part, text):
        rows = re.findall(r'^"ROCm0","([^"]*)","([^"]*)","support","1"', text, re.M)
        return list(dict.fromkeys(f"{op}({params})" for op, params in rows))

    @staticmethod
    def run_args(part, cases):
        return ["test", "-b", "ROCm0", "-o", ",".join(cases)]

    line = re.compile(r"([A-Z][A-Z0-9_]*\(.*\)): (?:\[.*\] .*)?(OK|FAIL|not supported.*)$")

    @classmethod
    def said(cls, text):
        found = cls.line.search(text)
        if found:
            return found[1], {"OK": "passed", "FAIL": "failed"}.get(found[2], "skipped")
        return None


class Archs:
    """llama.cpp's test-llama-archs. A case is an architecture's dense or MoE model."""

    line = re.compile(r"\| *(\S+)\|[^|]*\| *(Dense|MoE)\|(.*)$")

    @staticmethod
    def list_args(part):
        return ["-b", "CPU"]

    @classmethod
    def listed(cls, part, text):
        return [" ".join(found.groups()[:2]) for found in map(cls.line.match, text.splitlines()) if found]

    @staticmethod
    def run_args(part, cases):
        return ["-b", "ROCm0", "-a", "^(" + "|".join(dict.fromkeys(re.escape(c.split()[0]) for c in cases)) + ")$"]

    @classmethod
    def said(cls, text):
        found = cls.line.match(text)
        if found:
            rest = found[3]
            return f"{found[1]} {found[2]}", "failed" if "FAIL" in rest else "passed" if "OK" in rest else "skipped"
        return None


class Thrust:
    """rocThrust's own framework. A case is one of its unit tests."""

    line = re.compile(r".*\[(PASS|FAILURE|KNOWN FAILURE|ERROR)\] +[0-9.]+ ms (\w+)$")

    @staticmethod
    def list_args(part):
        return ["--list"]

    @staticmethod
    def listed(part, text):
        return re.findall(r"^(\w+)$", text, re.M)

    @staticmethod
    def run_args(part, cases):
        return ["--verbose", *part.args, *cases]

    @classmethod
    def said(cls, text):
        found = cls.line.match(text)
        if found:
            return found[2], {"PASS": "passed", "KNOWN FAILURE": "skipped"}.get(found[1], "failed")
        return None


class Plain:
    """A program that passes by ending with status 0; the part says with what arguments. A case is a line of them."""

    @staticmethod
    def list_args(part):
        return None

    @staticmethod
    def listed(part, text):
        return list(part.cases)

    @staticmethod
    def run_args(part, cases):
        return cases[0].split()

    @staticmethod
    def said(text):
        return None


KINDS = {"gtest": Gtest, "thrust": Thrust, "ggml": Ggml, "archs": Archs, "plain": Plain}


class Results:
    """Outcomes on disk, by part, target, engine and case."""

    def __init__(self, path):
        self.lock = threading.Lock()
        self.db = sqlite3.connect(path, check_same_thread=False)
        self.db.executescript("""
            PRAGMA journal_mode = WAL;
            CREATE TABLE IF NOT EXISTS outcome (part, target, engine, name, outcome, seconds, said,
                                                PRIMARY KEY (part, target, engine, name)) WITHOUT ROWID;
            CREATE TABLE IF NOT EXISTS listed (part, target, cases, chosen, PRIMARY KEY (part, target)) WITHOUT ROWID;
            CREATE TABLE IF NOT EXISTS spent (part, target, engine, seconds, PRIMARY KEY (part, target, engine)) WITHOUT ROWID;
            """)

    def put(self, key, name, outcome, seconds, said):
        with self.lock, self.db:
            self.db.execute("INSERT OR REPLACE INTO outcome VALUES (?, ?, ?, ?, ?, ?, ?)",
                            (*key, name, outcome, seconds, said[-2000:]))

    def add_seconds(self, key, seconds):
        """Of processor time, of all processes that ran cases of the part."""
        with self.lock, self.db:
            self.db.execute("INSERT INTO spent VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET seconds = seconds + excluded.seconds",
                            (*key, seconds))

    def seconds(self, key):
        rows = self.rows("SELECT seconds FROM spent WHERE part = ? AND target = ? AND engine = ?", key)
        return rows[0][0] if rows else 0

    def put_listed(self, part, target, number, chosen):
        with self.lock, self.db:
            self.db.execute("INSERT OR REPLACE INTO listed VALUES (?, ?, ?, ?)", (part, target, number, chosen))

    def done(self, key):
        with self.lock:
            return dict(self.db.execute("SELECT name, outcome FROM outcome WHERE part = ? AND target = ? AND engine = ?", key))

    def rows(self, query, values=()):
        with self.lock:
            return self.db.execute(query, values).fetchall()


class World:
    def __init__(self, build, parts):
        self.build = os.path.abspath(build)
        self.parts = parts
        self.silence = float(os.environ.get("WORLD_SILENCE", "1800"))
        self.folder = os.path.join(self.build, "world")
        os.makedirs(self.folder, exist_ok=True)
        self.results = Results(os.path.join(self.folder, "results.sqlite"))
        self.stopping = threading.Event()
        self.bad = 0
        self.screen = threading.Lock()

    def say(self, text):
        with self.screen:
            print(text, flush=True)

    def root(self, part):
        return os.path.join(self.build, "rocm", part.rocm, "root")

    def fetch(self, part):
        """Whether the part's packages are there, which are none for programs in a root that is; says so when they are not."""
        if not part.packages:
            return True
        got = subprocess.run([os.path.join(HERE, "fetch.sh"), part.rocm, os.path.join(self.build, "rocm", part.rocm),
                              *part.packages], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if got.returncode == 0:
            return True
        word = (got.stdout.splitlines() or ["fetch.sh says nothing"])[-1]
        if got.returncode != 77:
            self.bad += 1
        self.say(f"{'skip' if got.returncode == 77 else 'FAIL'}: {part.name}: {word}")
        return False

    def programs(self, part):
        folder, pattern = os.path.split(os.path.join(self.root(part), part.program))
        names = sorted(fnmatch.filter(os.listdir(folder), pattern)) if os.path.isdir(folder) else []
        return [os.path.join(folder, n) for n in names]

    def start(self, part, target, engine, program, args, slave):
        environment = dict(os.environ, GCNSIM_THREADS="1", TERM="dumb", COLUMNS="400")
        for name, value in part.environment.items():
            environment[name] = value.replace("ROOT", self.root(part))
        folder = os.path.join(self.root(part), part.folder) if part.folder else os.path.dirname(program)
        command = [os.path.join(self.build, "gcnsim"), "exec", "--arch", target, "--engine", engine, "--no-summary",
                   program, *(a.replace("ROOT", self.root(part)) for a in args)]
        return subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=slave,
                                stderr=slave, start_new_session=True)

    def lines(self, part, target, engine, program, args):
        """Lines that the program prints, as it prints them, on a terminal so that it does not keep them; then the exit
        status and the seconds of processor time as (status, seconds). A silent one is ended."""
        master, slave = pty.openpty()
        child = self.start(part, target, engine, program, args, slave)
        os.close(slave)
        kept, killed, silent = b"", "", 0
        while True:
            if not select.select([master], [], [], TURN)[0]:
                silent += TURN
                if self.stopping.is_set() or silent >= self.silence:
                    killed = INTERRUPTED if self.stopping.is_set() else f"said nothing for {self.silence:.0f} s"
                    os.killpg(child.pid, signal.SIGKILL)
                    break
                continue
            silent = 0
            try:
                data = os.read(master, 65536)
            except OSError:  # the last end of the terminal is closed
                break
            *whole, kept = (kept + data).split(b"\n")
            for line in whole:
                yield plain(line)
        if kept:
            yield plain(kept)
        os.close(master)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        yield child.returncode, usage.ru_utime + usage.ru_stime, killed

    def listed(self, part, target):
        """[(program, case)] that the part chooses on that target, and how many there are."""
        kind, cases = KINDS[part.kind], []
        for program in self.programs(part):
            args, text = kind.list_args(part), []
            if args is not None:
                for line in self.lines(part, target, "functional", program, args):
                    text.append(line)
                status = text.pop()
                if status[0]:
                    self.bad += 1
                    self.say(f"FAIL: {part.name} {target}: {os.path.basename(program)} {' '.join(args)}: {status[0]}: "
                             + " / ".join(str(t) for t in text[-3:]))
                    continue
            cases += [(program, c) for c in kind.listed(part, "\n".join(text))]
        chosen = [c for c in cases if any(fnmatch.fnmatchcase(c[1], p) for p in part.choose)
                  and not any(fnmatch.fnmatchcase(c[1], p) for p in part.leave)]
        at_most = min(part.at_most, int(os.environ.get("WORLD_CASES", "1000000")))
        if len(chosen) > at_most:  # spread evenly over the list
            chosen = [chosen[k * len(chosen) // at_most] for k in range(at_most)]
        return chosen, len(cases)

    def chunk(self, part, target, engine, program, cases):
        """Runs the cases of one program, in as many processes as it takes."""
        kind, key = KINDS[part.kind], (part.name, target, engine)
        left = list(cases)
        while left and not self.stopping.is_set():
            began, running, text = time.monotonic(), None, []
            for line in self.lines(part, target, engine, program, kind.run_args(part, left)):
                if isinstance(line, tuple):
                    code, seconds, killed = line
                    break
                text.append(line)
                name, outcome = kind.said(line) or (None, None)
                if name not in left:
                    continue
                if outcome is None:
                    running, began, text = name, time.monotonic(), []
                    continue
                self.put(key, part, program, name, outcome, began, text)
                left.remove(name)
                running, began, text = None, time.monotonic(), []
            self.results.add_seconds(key, seconds)
            if killed == INTERRUPTED:
                return
            text.append(f"exit status {code}; {killed}" if killed else f"exit status {code}")
            if part.kind == "plain":
                self.put(key, part, program, left.pop(), "failed" if code else "passed", began, text)
            elif running or killed or code < 0:
                lost = running or left[0]  # of a program that tells no beginnings, the first that has no outcome
                self.put(key, part, program, lost, "stopped", began, text)
                left.remove(lost)
            else:
                for name in left:
                    self.put(key, part, program, name, "stopped" if code else "skipped", began, text)
                return

    def put(self, key, part, program, name, outcome, began, text):
        self.results.put(key, part.name_of(program, name), outcome, time.monotonic() - began,
                         "\n".join(text[-40:]) if outcome in ("failed", "stopped") else "")

    def work(self, part, target, engines):
        """[function] to be called for what is left of the part on that target."""
        chosen, number = self.listed(part, target)
        self.results.put_listed(part.name, target, number, len(chosen))
        jobs = []
        for engine in engines:
            cases = chosen if engine == "functional" else chosen[:: part.timing_every] if part.timing_every else []
            done = {} if os.environ.get("WORLD_AGAIN") else self.results.done((part.name, target, engine))
            by_program = {}
            for program, case in cases:
                if done.get(part.name_of(program, case)) not in ("passed", "skipped"):
                    by_program.setdefault(program, []).append(case)
            size = 1 if part.kind == "plain" else part.chunk or CHUNK
            for program, some in by_program.items():
                for k in range(0, len(some), size):
                    jobs.append((part, target, engine, program, some[k:k + size]))
        return jobs

    def judge(self, part, target, engine):
        counts = dict(self.results.rows("SELECT outcome, count(*) FROM outcome WHERE part = ? AND target = ? AND engine = ? "
                                        "GROUP BY outcome", (part.name, target, engine)))
        bad = self.results.rows("SELECT name, outcome, said FROM outcome WHERE part = ? AND target = ? AND engine = ? "
                                "AND outcome IN ('failed', 'stopped')", (part.name, target, engine))
        for name, outcome, said in bad:
            reason = part.reason(name, target)
            if not reason:
                self.bad += 1
                last = [line for line in said.splitlines() if line.strip()][-3:]
                self.say(f"FAIL: {part.name} {target} {engine}: {name}: {outcome}: " + " / ".join(last)[-500:])
        if counts:
            self.say(f"{part.name} {target} {engine}: " + ", ".join(f"{n} {o}" for o, n in sorted(counts.items()))
                     + f"; {self.results.seconds((part.name, target, engine)):.0f} s of processor time")

    def run(self):
        asked = os.environ.get("WORLD_PARTS", "").split()
        unknown = set(asked) - {p.name for p in self.parts}
        if unknown:
            print(f"check-world: WORLD_PARTS: no part {' '.join(sorted(unknown))}; there are "
                  + " ".join(p.name for p in self.parts), file=sys.stderr)
            return 2
        engines = os.environ.get("WORLD_ENGINES", "functional timing").split()
        for part in self.parts:
            if asked and part.name not in asked or self.stopping.is_set() or not self.fetch(part):
                continue
            if not self.programs(part):
                self.bad += 1
                self.say(f"FAIL: {part.name}: there is no {part.program}")
                continue
            targets = [t for t in os.environ.get("WORLD_TARGETS", " ".join(part.targets)).split() if t in part.targets]
            jobs = [job for target in targets for job in self.work(part, target, engines)]
            with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("WORLD_JOBS", os.cpu_count()))) as pool:
                try:
                    for future in [pool.submit(self.chunk, *job) for job in jobs]:
                        future.result()
                except KeyboardInterrupt:
                    self.stopping.set()
            for target in targets:
                for engine in engines:
                    self.judge(part, target, engine)
        return 130 if self.stopping.is_set() else 1 if self.bad else 0

    def table(self):
        print("| package | program | target | engine | cases, of those listed | passed | failed | stopped | skipped | CPU s |")
        print("|---|---|---|---|---:|---:|---:|---:|---:|---:|")
        total = dict.fromkeys(("passed", "failed", "stopped", "skipped"), 0)
        reasons, packages = [], set()
        for part in self.parts:
            for target in part.targets:
                for engine in ("functional", "timing"):
                    key = (part.name, target, engine)
                    counts = dict(self.results.rows("SELECT outcome, count(*) FROM outcome WHERE part = ? AND target = ? AND "
                                                    "engine = ? GROUP BY outcome", key))
                    if not counts:
                        continue
                    packages.update(part.packages[:1])
                    for name in total:
                        total[name] += counts.get(name, 0)
                    listed = self.results.rows("SELECT cases FROM listed WHERE part = ? AND target = ?", key[:2])
                    row = [str(counts.get(n, 0)) for n in ("passed", "failed", "stopped", "skipped")]
                    print(f"| {''.join(part.packages[:1])} | {os.path.basename(part.program)} | {target} | {engine} | "
                          f"{sum(counts.values())} of {listed[0][0]} | {' | '.join(row)} | {self.results.seconds(key):.0f} |")
                    for name, outcome in self.results.rows("SELECT name, outcome FROM outcome WHERE part = ? AND target = ? "
                                                           "AND engine = ? AND outcome IN ('failed', 'stopped')", key):
                        reasons.append((part.name, target, engine, name, outcome, part.reason(name, target)))
        print(f"\n{sum(total.values())} cases of {len(packages)} packages: "
              + ", ".join(f"{n} {o}" for o, n in total.items()) + ".")
        if reasons:
            print("\n| part | target | engine | case | outcome | reason |\n|---|---|---|---|---|---|")
            for row in reasons:
                print("| " + " | ".join(str(c or "not known").replace("|", "\\|")[:160] for c in row) + " |")
        return 0


def main():
    names = [a for a in sys.argv[1:] if a != "--table"]
    if len(names) not in (1, 2) or any(n.startswith("-") for n in names):
        print(__doc__, file=sys.stderr)
        return 2
    world = World(names[0], runpy.run_path(names[1])["PARTS"] if len(names) == 2 else world_parts.PARTS)
    signal.signal(signal.SIGTERM, lambda *_: world.stopping.set())
    return world.table() if "--table" in sys.argv else world.run()


if __name__ == "__main__":
    sys.exit(main())
