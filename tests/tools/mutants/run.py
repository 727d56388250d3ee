"""Runs test programs against mutants: which cases reach which change, and which change fails a case."""
import mmap
import os
import queue
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass

MOST = 1 << 16   # mutants.c
STILL = 20       # seconds without any processor time in which threads that wait for one another show themselves
RUN = re.compile(rb"^\[ RUN +\] (.+)$", re.M)
FAILED = re.compile(rb"^\[  (?:FAILED|ERROR) +\] (\S.*)$", re.M)


@dataclass
class Case:
    program: str
    name: str
    seconds: float      # of processor time, as everywhere here
    reached: frozenset


@dataclass
class Outcome:
    status: str         # passed, failed, crashed, timeout
    case: str
    seconds: float
    output: bytes


def scratch_of(tree):
    """Where everything temporary goes: beside the copy of the repository, so that the next run finds what is left."""
    return os.path.join(os.path.dirname(os.path.abspath(tree)), "tmp")


def clear_scratch(tree):
    shutil.rmtree(scratch_of(tree), ignore_errors=True)
    os.makedirs(scratch_of(tree))


def one_of(names):
    """The pattern of GCNSIM_CASE for some cases."""
    return "@(" + "|".join(re.sub(r"([^A-Za-z0-9_ ])", r"\\\1", n) for n in names) + ")"


def limit_for(seconds):
    """Of a run with a change, which takes so long without."""
    return int(3 + 4 * seconds)


def time_of_session(session):
    """What the processes of a session have used of the processors so far, in ticks, with children that have ended."""
    ticks = 0
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", encoding="latin-1") as f:
                fields = f.read().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session:
            ticks += sum(map(int, fields[11:15]))
    return ticks


def watch(session, ended, seconds, expire):
    """Calls expire() when the session has not ended after so many seconds of the clock, or when it stands still."""
    end = time.monotonic() + seconds
    last, since = -1, 0
    while not ended.wait(STILL / 5):
        ticks = time_of_session(session)
        last, since = ticks, (since + 1 if ticks == last else 0)
        if since == 5 or time.monotonic() > end:
            expire()
            return


def run_program(tree, program, limit, cases=None, mutant=None, reached=None):
    """Runs a program, or some of its cases, until one fails. The limit is of processor time, since other work on the
    machine must not kill mutants; one of the clock lies far above it, and threads that wait for one another end sooner
    (watch)."""
    variables = dict(os.environ, GCNSIM=os.path.join(os.path.abspath(tree), "build/gcnsim"))
    for name in ("MUTANT", "MUTANT_REACHED", "GCNSIM_CASE"):
        variables.pop(name, None)
    if cases:
        variables["GCNSIM_CASE"] = one_of(cases)
    if mutant is not None:
        variables["MUTANT"] = str(mutant)
    if reached:
        variables["MUTANT_REACHED"] = reached
    with tempfile.TemporaryDirectory(prefix="mutant.", dir=scratch_of(tree)) as scratch:
        os.chmod(scratch, 0o711)   # some tests write a file as another user
        variables["TMPDIR"] = scratch
        # one that allocates without end is the first that goes when memory is short
        shell = f'echo 1000 2>&- >/proc/self/oom_score_adj; ulimit -c 0; ulimit -t {limit}; exec "$0"'
        child = subprocess.Popen(["sh", "-c", shell, program], cwd=tree, env=variables, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        late = threading.Event()

        def stop():
            try:
                os.killpg(child.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass

        def expire():
            late.set()
            stop()

        ended = threading.Event()
        watcher = threading.Thread(target=watch, args=(child.pid, ended, 20 + 20 * limit, expire), daemon=True)
        watcher.start()
        output, failed = b"", None
        for line in child.stdout:
            if len(output) < 1 << 20:
                output += line
            failed = FAILED.match(line)
            if failed:
                break
        if failed:
            stop()
        child.stdout.close()
        _, state, usage = os.wait4(child.pid, 0)
        status = child.returncode = os.waitstatus_to_exitcode(state)
        ended.set()
        watcher.join()
        stop()
    took = usage.ru_utime + usage.ru_stime
    if failed:
        return Outcome("failed", failed[1].decode(errors="replace").strip(), took, output)
    last = RUN.findall(output)
    name = last[-1].decode(errors="replace").strip() if last else ""
    if late.is_set() or status == -signal.SIGXCPU:
        return Outcome("timeout", name, took, output)
    if status:
        return Outcome("crashed", name, took, output)
    return Outcome("passed", "", took, output)


def in_parallel(jobs, work, take):
    """Calls take(item) for each item of work on several threads; returns the results in the order of the work."""
    results = [None] * len(work)
    places = queue.SimpleQueue()
    for k in range(len(work)):
        places.put(k)

    def worker():
        while True:
            try:
                k = places.get_nowait()
            except queue.Empty:
                return
            results[k] = take(work[k])

    threads = [threading.Thread(target=worker, daemon=True) for _ in range(jobs)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    return results


def run_alone(tree, program, name, most_seconds):
    """Runs one case, or with an empty name the program, without a change; returns a Case, or None when it fails."""
    with tempfile.NamedTemporaryFile(prefix="reached.", dir=scratch_of(tree)) as f:
        f.truncate(MOST)
        outcome = run_program(tree, program, int(most_seconds), [name] if name else None, reached=f.name)
        with mmap.mmap(f.fileno(), MOST, prot=mmap.PROT_READ) as m:
            data = m[:]
    if outcome.status != "passed":
        return None
    return Case(program, name, outcome.seconds, frozenset(k for k in range(MOST) if data[k]))


def reach(tree, programs, jobs, most_seconds, say):
    """Runs every program, and each of its cases alone, without a change; returns the cases and what they reach. A
    program with a case that needs those before it counts as one case."""

    def list_cases(program):
        whole = run_program(tree, program, int(most_seconds))
        names = list(dict.fromkeys(n.decode() for n in RUN.findall(whole.output)))
        if whole.status == "timeout":
            say(f"left out: {program}: takes more than {most_seconds:g} s")
            return []
        if whole.status != "passed" or not names:
            say(f"left out: {program}: {whole.status} {whole.case}".rstrip())
            return []
        return [(program, n) for n in names]

    pairs = [p for found in in_parallel(jobs, programs, list_cases) for p in found]
    alone = in_parallel(jobs, pairs, lambda pair: run_alone(tree, *pair, most_seconds))
    dependent = {program for (program, _), case in zip(pairs, alone) if not case}
    cases = [c for c in alone if c and c.program not in dependent]
    cases += [c for c in (run_alone(tree, program, "", most_seconds) for program in sorted(dependent)) if c]
    if not cases:
        raise SystemExit("mutants: no case passes without a change")
    return cases


def challenge(tree, number, cases):
    """Runs the cases that reach a mutant, program by program, the quickest first. Returns (status, program, case)."""
    by_program = {}
    for case in cases:
        if number in case.reached:
            by_program.setdefault(case.program, []).append(case)
    if not by_program:
        return "not reached", "", ""
    cost = {p: sum(c.seconds for c in some) for p, some in by_program.items()}
    for program in sorted(by_program, key=lambda p: (cost[p], p)):
        names = [c.name for c in by_program[program] if c.name]
        outcome = run_program(tree, program, limit_for(cost[program]), names, mutant=number)
        if outcome.status != "passed":
            return outcome.status, program, outcome.case
    return "survived", "", f"{sum(map(len, by_program.values()))} cases of {len(by_program)} programs"
