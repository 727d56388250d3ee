#!/usr/bin/python3
"""`make check-world`: test programs of Debian's ROCm packages, unmodified, under gcnsim exec.

    world.py BUILD [PARTS.py]           runs what has not passed yet of the parts that the environment chooses
    world.py BUILD [PARTS.py] --table   prints the tables of docs/WORLD.md from what was run

What a part is stands in world_parts.py; PARTS.py is a file that has others. Environment:

    WORLD_PARTS    names of parts (all)
    WORLD_TARGETS  of those of each part (all)
    WORLD_ENGINES  functional timing
    WORLD_JOBS     programs at a time (one for each processor)
    WORLD_AGAIN    1: also what has passed
    WORLD_CASES    at most so many cases of each part, target and engine
    WORLD_SILENCE  a program that says nothing for so many seconds is ended (1800)

A case is one test of a program's own list. Each run is of a chunk of them, in one process; when it dies, the case that
was running counts as stopped, and the rest goes on in another process. Outcomes are kept case by case in
BUILD/world/results.sqlite, so that a run that is interrupted resumes. Exit status 1: a case failed, or stopped, or
could not be listed, for which the part names no reason; 130: interrupted.
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
OUTCOMES = ("passed", "failed", "stopped", "skipped")


def spread(items, most):
    """So many of them at most, evenly over the list."""
    return items if len(items) <= most else [items[k * len(items) // most] for k in range(most)]


def plain(line):
    return COLOURS.sub("", line.decode(errors="replace")).rstrip("\r")


class Kind:
    """How a sort of program lists its cases, is given those to run, and says what became of them."""

    line = None  # groups `case` and `word` of a line that states an outcome; None: the exit status states it
    outcomes = {}  # of words; "begun": the case begins. Any other word is `otherwise`
    otherwise = "failed"

    @staticmethod
    def list_args(part):
        """Arguments with which the program prints its list; None: the part has it."""
        raise NotImplementedError

    @staticmethod
    def listed(part, text):
        """Names of cases in what the program printed."""
        raise NotImplementedError

    @staticmethod
    def run_args(part, cases):
        raise NotImplementedError

    @classmethod
    def said(cls, text):
        """(case, outcome) of a line, or (None, None)."""
        found = cls.line and cls.line.match(text)
        return (found["case"], cls.outcomes.get(found["word"], cls.otherwise)) if found else (None, None)


class Gtest(Kind):
    """GoogleTest: AMD's libraries. A case is Suite.Test; programs that the part's pattern finds come before a colon."""

    line = re.compile(r"\[ *(?P<word>RUN|OK|FAILED|SKIPPED) *\] (?P<case>[^ ,]+)(?:,| |$)")
    outcomes = {"RUN": "begun", "OK": "passed", "SKIPPED": "skipped"}

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


class Ggml(Kind):
    """llama.cpp's test-backend-ops. A case is an operation with its parameters."""

    line = re.compile(r".*?(?P<case>[A-Z][A-Z0-9_]*\(.*\)): (?:\[.*\] .*)?(?P<word>OK|FAIL|not supported.*)$")
    outcomes = {"OK": "passed", "FAIL": "failed"}
    otherwise = "skipped"

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


class Archs(Kind):
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
        if not found:
            return None, None
        rest = found[3]
        return f"{found[1]} {found[2]}", "failed" if "FAIL" in rest else "passed" if "OK" in rest else "skipped"


class Thrust(Kind):
    """rocThrust's own framework. A case is one of its unit tests."""

    line = re.compile(r".*\[(?P<word>PASS|FAILURE|KNOWN FAILURE|ERROR)\] +[0-9.]+ ms (?P<case>\w+)$")
    outcomes = {"PASS": "passed", "KNOWN FAILURE": "skipped"}

    @staticmethod
    def list_args(part):
        return ["--list"]

    @staticmethod
    def listed(part, text):
        return re.findall(r"^(\w+)$", text, re.M)

    @staticmethod
    def run_args(part, cases):
        return ["--verbose", *part.args, *cases]


class Plain(Kind):
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


KINDS = {"gtest": Gtest, "thrust": Thrust, "ggml": Ggml, "archs": Archs, "plain": Plain}


class Results:
    """Outcomes on disk, by part, target, engine and case. A key is (part, target, engine)."""

    OF = " WHERE part = ? AND target = ? AND engine = ? "

    def __init__(self, path):
        self.lock = threading.Lock()
        self.db = sqlite3.connect(path, check_same_thread=False)
        self.db.executescript("""
            PRAGMA journal_mode = WAL;
            CREATE TABLE IF NOT EXISTS outcome (part, target, engine, name, outcome, seconds, said,
                                                PRIMARY KEY (part, target, engine, name)) WITHOUT ROWID;
            CREATE TABLE IF NOT EXISTS size (part, target, cases, PRIMARY KEY (part, target)) WITHOUT ROWID;
            CREATE TABLE IF NOT EXISTS spent (part, target, engine, seconds,
                                              PRIMARY KEY (part, target, engine)) WITHOUT ROWID;
            """)

    def write(self, statement, *values):
        with self.lock, self.db:
            self.db.execute(statement, values)

    def rows(self, query, values):
        with self.lock:
            return self.db.execute(query, values).fetchall()

    def put(self, key, name, outcome, seconds, said):
        self.write("INSERT OR REPLACE INTO outcome VALUES (?, ?, ?, ?, ?, ?, ?)",
                   *key, name, outcome, seconds, said[-2000:])

    def outcomes(self, key):
        """{case: outcome}"""
        return dict(self.rows("SELECT name, outcome FROM outcome" + self.OF, key))

    def counts(self, key):
        """{outcome: cases}"""
        return dict(self.rows("SELECT outcome, count(*) FROM outcome" + self.OF + "GROUP BY outcome", key))

    def bad(self, key):
        """[(case, outcome, last lines)] of what failed or stopped."""
        return self.rows(
            "SELECT name, outcome, said FROM outcome" + self.OF + "AND outcome IN ('failed', 'stopped')", key)

    def add_seconds(self, key, seconds):
        """Of processor time, of all processes that ran cases of the part."""
        self.write("INSERT INTO spent VALUES (?, ?, ?, ?) "
                   "ON CONFLICT DO UPDATE SET seconds = seconds + excluded.seconds", *key, seconds)

    def seconds(self, key):
        rows = self.rows("SELECT seconds FROM spent" + self.OF, key)
        return rows[0][0] if rows else 0

    def put_size(self, part, target, cases):
        """Of the list from which the part chooses."""
        self.write("INSERT OR REPLACE INTO size VALUES (?, ?, ?)", part, target, cases)

    def size(self, part, target):
        rows = self.rows("SELECT cases FROM size WHERE part = ? AND target = ?", (part, target))
        return rows[0][0] if rows else 0


class World:
    def __init__(self, build, parts):
        self.build = os.path.abspath(build)
        self.parts = parts
        self.silence = float(os.environ.get("WORLD_SILENCE", "1800"))
        os.makedirs(os.path.join(self.build, "world"), exist_ok=True)
        self.results = Results(os.path.join(self.build, "world", "results.sqlite"))
        self.stopping = threading.Event()
        self.bad = 0

    @staticmethod
    def say(text):
        print(text, flush=True)

    def fail(self, text):
        self.bad += 1
        self.say(f"FAIL: {text}")

    def root(self, part):
        return os.path.join(self.build, "rocm", part.rocm, "root")

    def fetch(self, part):
        """Whether the part's packages are there; says so when they are not. A part may have none."""
        if not part.packages:
            return True
        got = subprocess.run([os.path.join(HERE, "fetch.sh"), part.rocm, os.path.join(self.build, "rocm", part.rocm),
                              *part.packages], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if got.returncode == 0:
            return True
        word = (got.stdout.splitlines() or ["fetch.sh says nothing"])[-1]
        if got.returncode == 77:
            self.say(f"skip: {part.name}: {word}")
        else:
            self.fail(f"{part.name}: {word}")
        return False

    def programs(self, part):
        folder, pattern = os.path.split(os.path.join(self.root(part), part.program))
        names = sorted(fnmatch.filter(os.listdir(folder), pattern)) if os.path.isdir(folder) else []
        return [os.path.join(folder, n) for n in names]

    def data(self, part):
        """The folder with the records that the part keeps of its file of arguments."""
        folder = os.path.join(self.build, "world", part.name)
        if not part.data:
            return folder
        path, most, begin, end, word = part.data
        kept = os.path.join(folder, os.path.basename(path))
        if not os.path.exists(kept):
            with open(os.path.join(self.root(part), path), "rb") as file:
                head = file.read(len(begin) + 65536)
                size = head.find(end) - len(begin)  # of a record, which the signature is as long as
                if not head.startswith(begin) or size <= 0:
                    raise ValueError(f"{path}: no signature")
                file.seek(len(begin) + size + len(end))
                records = [r for r in iter(lambda: file.read(size), b"") if word in r]
            os.makedirs(folder, exist_ok=True)
            with open(kept + ".new", "wb") as file:
                file.write(head[:len(begin) + size + len(end)] + b"".join(spread(records, most)))
            os.rename(kept + ".new", kept)
        return folder

    def start(self, part, target, engine, program, args, slave):
        environment = dict(os.environ, GCNSIM_THREADS="1", TERM="dumb", COLUMNS="400")
        for name, value in part.environment.items():
            environment[name] = value.replace("ROOT", self.root(part)).replace("DATA", self.data(part))
        folder = os.path.join(self.root(part), part.folder) if part.folder else os.path.dirname(program)
        command = [os.path.join(self.build, "gcnsim"), "exec", "--arch", target, "--engine", engine, "--no-summary",
                   program, *(a.replace("ROOT", self.root(part)) for a in args)]
        return subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=slave,
                                stderr=slave, start_new_session=True)

    def hear(self, part, target, engine, program, args, take):
        """Calls take(line) for each line that the program prints, as it prints them, on a terminal so that it does not
        keep them. Returns its exit status, its seconds of processor time, and why it was ended from here, or "": it was
        silent for too long, or this run is to stop."""
        master, slave = pty.openpty()
        child = self.start(part, target, engine, program, args, slave)
        os.close(slave)
        kept, killed, silent = b"", "", 0
        while not killed:
            if self.stopping.is_set():
                killed = INTERRUPTED
            elif not select.select([master], [], [], TURN)[0]:
                silent += TURN
                if silent >= self.silence:
                    killed = f"said nothing for {self.silence:.0f} s"
            else:
                silent = 0
                try:
                    data = os.read(master, 65536)
                except OSError:  # the last end of the terminal is closed
                    break
                *whole, kept = (kept + data).split(b"\n")
                for line in whole:
                    take(plain(line))
        if killed:
            os.killpg(child.pid, signal.SIGKILL)
        if kept:
            take(plain(kept))
        os.close(master)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        return child.returncode, usage.ru_utime + usage.ru_stime, killed

    def listed(self, part, target):
        """[(program, case)] that the part chooses on that target. Notes how many there are to choose from."""
        kind, cases = KINDS[part.kind], []
        for program in self.programs(part):
            args, text = kind.list_args(part), []
            if args is not None:
                status, _, killed = self.hear(part, target, "functional", program, args, text.append)
                if killed == INTERRUPTED:
                    return []
                if status:
                    self.fail(f"{part.name} {target}: {os.path.basename(program)} {' '.join(args)}: exit status {status}"
                              + "".join(f" / {said}" for said in [*text[-3:], killed] if said))
                    continue
            cases += [(program, c) for c in kind.listed(part, "\n".join(text))]
        self.results.put_size(part.name, target, len(cases))
        chosen = [c for c in cases
                  if world_parts.matches(c[1], part.choose) and not world_parts.matches(c[1], part.leave)]
        at_most = min(part.at_most, int(os.environ.get("WORLD_CASES", "1000000")))
        chosen = spread(chosen, at_most)
        return chosen

    def chunk(self, part, target, engine, program, cases):
        """Runs the cases of one program, in as many processes as it takes."""
        kind, key = KINDS[part.kind], (part.name, target, engine)
        left, running, began, text = list(cases), None, 0, []

        def begin(name):
            nonlocal running, began, text
            running, began, text = name, time.monotonic(), []

        def take(line):
            text.append(line)
            name, outcome = kind.said(line)
            if name not in left:
                return
            if outcome == "begun":
                begin(name)
                return
            self.put(key, part, program, name, outcome, began, text)
            left.remove(name)
            begin(None)

        while left and not self.stopping.is_set():
            begin(None)
            code, seconds, killed = self.hear(part, target, engine, program, kind.run_args(part, left), take)
            self.results.add_seconds(key, seconds)
            if killed == INTERRUPTED:
                return
            text.append(f"exit status {code}; {killed}" if killed else f"exit status {code}")
            if not kind.line:
                outcome = "stopped" if killed else "failed" if code else "passed"
                self.put(key, part, program, left.pop(), outcome, began, text)
            elif running or killed or code < 0:
                lost = running or left[0]  # of a program that prints no beginnings, the first that has no outcome
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
        """Arguments of chunk() for what is left of the part on that target."""
        chosen, jobs = self.listed(part, target), []
        for engine in engines:
            cases = chosen if engine == "functional" else part.on_timing(chosen)
            done = {} if os.environ.get("WORLD_AGAIN") else self.results.outcomes((part.name, target, engine))
            by_program = {}
            for program, case in cases:
                if done.get(part.name_of(program, case)) not in ("passed", "skipped"):
                    by_program.setdefault(program, []).append(case)
            size = part.chunk or CHUNK if KINDS[part.kind].line else 1
            for program, some in by_program.items():
                for k in range(0, len(some), size):
                    jobs.append((part, target, engine, program, some[k:k + size]))
        return jobs

    def judge(self, part, target, engine):
        key = (part.name, target, engine)
        for name, outcome, said in self.results.bad(key):
            if not part.reason(name, target):
                last = [line for line in said.splitlines() if line.strip()][-3:]
                self.fail(f"{' '.join(key)}: {name}: {outcome}: " + " / ".join(last)[-500:])
        counts = self.results.counts(key)
        if counts:
            self.say(f"{' '.join(key)}: " + ", ".join(f"{n} {o}" for o, n in sorted(counts.items()))
                     + f"; {self.results.seconds(key):.0f} s of processor time")

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
                self.fail(f"{part.name}: there is no {part.program}")
                continue
            targets = [t for t in os.environ.get("WORLD_TARGETS", " ".join(part.targets)).split() if t in part.targets]
            jobs = [job for target in targets for job in self.work(part, target, engines)]
            with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("WORLD_JOBS", os.cpu_count()))) as pool:
                try:
                    for future in [pool.submit(self.chunk, *job) for job in jobs]:
                        while not future.done():  # a signal is handled when this thread runs
                            concurrent.futures.wait([future], 1)
                        future.result()
                except KeyboardInterrupt:
                    self.stopping.set()
            for target in targets:
                for engine in engines:
                    self.judge(part, target, engine)
        return 130 if self.stopping.is_set() else 1 if self.bad else 0

    def table(self):
        print("| package | program | target | engine | cases, of those listed | " + " | ".join(OUTCOMES) + " | CPU s |")
        print("|---|---|---|---|---:|---:|---:|---:|---:|---:|")
        total = dict.fromkeys(OUTCOMES, 0)
        reasons, packages = [], set()
        keys = [(part, target, engine) for part in self.parts for target in part.targets
                for engine in ("functional", "timing")]
        for part, target, engine in keys:
            key = (part.name, target, engine)
            counts = self.results.counts(key)
            if not counts:
                continue
            packages.update(part.packages[:1])
            for name in OUTCOMES:
                total[name] += counts.get(name, 0)
            print(f"| {''.join(part.packages[:1])} | {os.path.basename(part.program)} | {target} | {engine} | "
                  f"{sum(counts.values())} of {self.results.size(part.name, target)} | "
                  + " | ".join(str(counts.get(n, 0)) for n in OUTCOMES) + f" | {self.results.seconds(key):.0f} |")
            reasons += [(*key, name, outcome, part.reason(name, target)) for name, outcome, _ in self.results.bad(key)]
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
