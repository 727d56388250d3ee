#!/usr/bin/env python3
"""make mutants: how many small wrong changes of the timing engine and the memory model the tests notice.

A sample of changes (sites.py) goes into one build (rewrite.py, tree.py) in which the environment chooses one of them.
Each test case runs once alone to learn which changes it reaches; then each change is made in turn, and the cases that
reach it run until one fails (run.py). docs/TESTING.md describes the use and the result.
"""
import argparse
import fnmatch
import glob
import hashlib
import json
import os
import random
import sys
import time
from collections import Counter, defaultdict
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import run
import sites
from tree import Tree

SOURCES = ("mem/**/*.[ch]", "sim/engine/**/*.[ch]")
PROGRAMS = ("unit/api", "unit/check", "unit/engine", "unit/launch", "unit/mem", "unit/report", "unit/traces",
            "unit/util", "timing", "golden/test_statistics.c", "system/test_samples.c", "system/test_trace.c")
EQUIVALENT = os.path.join(os.path.dirname(__file__), "equivalent.txt")


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--count", type=int, default=300, help="size of the sample (300)")
    p.add_argument("--seed", type=int, default=1, help="chooses the sample (1)")
    p.add_argument("--seconds", type=float, default=1800, help="time for running mutants, without builds (1800)")
    p.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    p.add_argument("--build", default="build-mutants", help="the folder for everything made (build-mutants)")
    p.add_argument("--cc", default=os.environ.get("CC", "cc"))
    p.add_argument("--clang", default="clang-19", help="gives the syntax trees")
    p.add_argument("--files", nargs="+", default=["*"], help="shell patterns of sources to change")
    p.add_argument("--programs", nargs="+", default=PROGRAMS, help="test programs and folders of them, under tests/")
    p.add_argument("--program-seconds", type=float, default=40, help="leaves out programs that take longer (40)")
    p.add_argument("--again", action="store_true", help="of the last sample, only what survived")
    p.add_argument("--at-least", type=float, default=0, help="fail below this share killed, in percent")
    p.add_argument("--list", action="store_true", help="print the sample and stop")
    return p.parse_args()


def say(text):
    print(text, flush=True)


def read_equivalent():
    """Mutants that no test can tell from the original, by key; equivalent.txt says how they are written."""
    entries = set()
    with open(EQUIVALENT, encoding="utf-8") as f:
        text = "\n".join(line.rstrip() for line in f if not line.startswith("#"))
    for paragraph in filter(None, (p.strip() for p in text.split("\n\n"))):
        lines = paragraph.splitlines()
        if len(lines) < 4 or lines[1][0] != "-" or lines[2][0] != "+":
            raise SystemExit(f"mutants: {EQUIVALENT}: no paragraph of a mutant and its reason: {lines[0]}")
        entries.add(f"{lines[0]}: {lines[1][1:].strip()} => {lines[2][1:].strip()}")
    return entries


def find_sites(options):
    """All sites of all sources, and the sources' texts."""
    paths = sorted(p for pattern in SOURCES for p in glob.glob(pattern, recursive=True))
    paths = [p for p in paths if any(fnmatch.fnmatch(p, f) for f in options.files)]
    flags = ["-I.", "-std=gnu11"]
    with ProcessPoolExecutor(options.jobs) as pool:
        found = list(pool.map(partial(sites.read_sites, clang=options.clang, flags=flags), paths))
    return [s for _, some in found for s in some], {p: text for p, (text, _) in zip(paths, found)}


def fraction(*parts):
    """A number in [0, 1) that depends on the parts alone."""
    digest = hashlib.sha256("\0".join(map(str, parts)).encode()).digest()
    return int.from_bytes(digest[:8], "big") / 2 ** 64


def ordered(all_sites, seed):
    """All sites, those of a sample first. Each function gives in proportion to its sites, and its kinds of changes take
    turns; edits elsewhere leave a function's part of the sample as it is."""
    functions = defaultdict(lambda: defaultdict(list))
    for s in all_sites:
        functions[s.path, s.function][s.operator].append(s)
    ranked = []
    for name, operators in functions.items():
        turns = []
        for operator, some in operators.items():
            some.sort(key=lambda s: fraction(seed, s.key))
            turns += [(k, fraction(seed, *name, operator), s) for k, s in enumerate(some)]
        turns.sort(key=lambda t: t[:2])
        start = fraction(seed, *name)
        ranked += [((k + start) / len(turns), s) for k, (_, _, s) in enumerate(turns)]
    ranked.sort(key=lambda r: (r[0], r[1].key))
    return [s for _, s in ranked]


def sample(all_sites, seed, count):
    """(chosen sites, equivalent sites met on the way)"""
    equivalent = read_equivalent()
    keys, paths = {s.key for s in all_sites}, {s.path for s in all_sites}
    for key in sorted(equivalent):
        if key not in keys and key.split()[0] in paths:
            say(f"note: {os.path.basename(EQUIVALENT)} names what is not in the sources: {key}")
    chosen, skipped = [], []
    for s in ordered(all_sites, seed):
        if len(chosen) == count:
            break
        (skipped if s.key in equivalent else chosen).append(s)
    return chosen, skipped


def test_programs(options):
    """The names of test programs, as tests/tests.mk has them, without .c."""
    found = []
    for name in options.programs:
        if os.path.isdir(f"tests/{name}"):
            found += sorted(glob.glob(f"tests/{name}/test_*.c"))
        else:
            found.append(f"tests/{name.removesuffix('.c')}.c")
    for name in found:
        if not os.path.isfile(name):
            raise SystemExit(f"mutants: no test program {name}")
    return [f"build/{name.removesuffix('.c')}" for name in found]


def run_mutants(options, mutants, cases, folder):
    """The results in the order of the sample; what the time did not suffice for is missing."""
    end = time.monotonic() + options.seconds
    work = list(mutants)
    random.Random(options.seed).shuffle(work)   # when time runs out, what has run is a sample of the sample
    done = Counter()

    def take(mutant):
        number, site = mutant
        if time.monotonic() >= end:
            return None
        begin = time.monotonic()
        status, program, case = run.challenge(folder, number, cases)
        done["all"] += 1
        done["alive"] += status in ("survived", "not reached")
        if sys.stderr.isatty() or done["all"] % 25 == 0:
            end_of_line = "\r" if sys.stderr.isatty() else "\n"
            print(f"{done['all']} of {len(work)}, {done['alive']} alive", end=end_of_line, file=sys.stderr, flush=True)
        return {"number": number, "key": site.key, "file": site.path, "line": site.line, "function": site.function,
                "operator": site.operator, "before": site.before, "after": site.after, "status": status,
                "program": program.removeprefix("build/tests/"), "case": case,
                "seconds": round(time.monotonic() - begin, 2)}

    results = [r for r in run.in_parallel(options.jobs, work, take) if r]
    return sorted(results, key=lambda r: (r["file"], r["line"], r["number"]))


def is_killed(result):
    return result["status"] not in ("survived", "not reached")


def share(killed, total):
    return f"{100 * killed / total:5.1f} %" if total else "      -"


def print_table(title, results, of):
    rows = defaultdict(list)
    for r in results:
        rows[of(r)].append(r)
    say(f"\n{title:42} mutants  killed  survived  not reached    share")
    for name in sorted(rows):
        line(name, rows[name])
    line("all", results)


def line(name, some):
    n = Counter(r["status"] for r in some)
    killed = sum(map(is_killed, some))
    say(f"{name:42} {len(some):7} {killed:7} {n['survived']:9} {n['not reached']:12}  {share(killed, len(some))}")


def print_survivors(results):
    for r in results:
        if is_killed(r):
            continue
        reason = "no case reaches it" if r["status"] == "not reached" else f"passes {r['case']}"
        say(f"\n{r['file']}:{r['line']} {r['function']}: {r['operator']}, {reason}")
        say(f"-    {r['before']}")
        say(f"+    {r['after']}")


def main():
    options = arguments()
    sys.setrecursionlimit(10000)
    os.makedirs(options.build, exist_ok=True)
    results_path = os.path.join(options.build, "results.json")
    all_sites, texts = find_sites(options)
    chosen, skipped = sample(all_sites, options.seed, options.count)
    say(f"{len(chosen)} of {len(all_sites)} mutants, seed {options.seed}; {len(skipped)} known as equivalent left out")
    if options.again:
        with open(results_path, encoding="utf-8") as f:
            alive = {r["key"] for r in json.load(f)["mutants"] if not is_killed(r)}
        equivalent = read_equivalent()
        chosen = [s for s in all_sites if s.key in alive and s.key not in equivalent]
        say(f"of the last sample, {len(chosen)} of {len(alive)} survivors that are still there and not equivalent")
    if options.list:
        for s in chosen:
            say(f"{s.path}:{s.line} {s.operator}\n-    {s.before}\n+    {s.after}")
        return 0
    tree = Tree(os.path.join(options.build, "tree"), options.cc, options.jobs)
    programs = test_programs(options)
    begin = time.monotonic()
    mutants = tree.build_with(texts, list(enumerate(chosen)), ["build/gcnsim", *programs])
    say(f"built in {time.monotonic() - begin:.0f} s")
    run.clear_scratch(tree.folder)
    begin = time.monotonic()
    cases = run.reach(tree.folder, programs, options.jobs, options.program_seconds, say)
    say(f"{len(cases)} cases of {len({c.program for c in cases})} programs pass without a change, "
        f"in {time.monotonic() - begin:.0f} s")
    begin = time.monotonic()
    results = run_mutants(options, mutants, cases, tree.folder)
    took = time.monotonic() - begin
    print_survivors(results)
    print_table("file", results, lambda r: r["file"])
    print_table("change", results, lambda r: r["operator"])
    killed = sum(map(is_killed, results))
    with open(results_path if not options.again else os.path.join(options.build, "again.json"), "w",
              encoding="utf-8") as f:
        json.dump({"seed": options.seed, "sites": len(all_sites), "chosen": len(chosen), "compiled": len(mutants),
                   "equivalent": [s.key for s in skipped], "seconds": round(took), "killed": killed,
                   "mutants": results}, f, indent=1)
    by = Counter(r["status"] for r in results if is_killed(r))
    say("\n" + ", ".join(f"{n} {status}" for status, n in sorted(by.items())) + f"; {f.name}")
    if len(results) < len(mutants):
        say(f"time for {len(results)} of {len(mutants)} mutants alone; more with MUTANTS_SECONDS")
    say(f"{killed} of {len(results)} mutants killed ({share(killed, len(results)).strip()}) in {took:.0f} s")
    if results and 100 * killed / len(results) < options.at_least:
        say(f"mutants: fewer than {options.at_least:g} % are killed")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
