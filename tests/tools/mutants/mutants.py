#!/usr/bin/env python3
"""make mutants: how many small wrong changes of a folder its tests notice.

A sample of changes of each folder (sites.py) goes into one build (rewrite.py, tree.py) in which the environment chooses
one of them. Each test case runs once alone to learn which changes it reaches; then each change is made in turn, and the
cases of its folder's programs that reach it run until one fails (run.py). docs/TESTING.md describes the use and the
result.
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

# what instructions take and where the bytes lie is seen in results of many kinds
TIMED = ("unit/api", "unit/check", "unit/engine", "unit/launch", "unit/mem", "unit/report", "unit/traces", "unit/util",
         "timing", "golden/test_statistics.c", "system/test_samples.c", "system/test_trace.c")
# those of tests/hsa that need few seconds and no compiler of another language
QUICK_HSA = ("bad_input", "lines", "raw", "run", "sysfs")
# the texts of instructions, beside LLVM's
GOLDEN_ISA = ("decode", "gfx1250", "operands", "true16")
# name: the sources, and the test programs and folders of them (under tests/) that are to notice a change
FOLDERS = {
    "isa": ("isa/**/*.[ch]", ("unit/isa", *(f"golden/test_{name}.c" for name in GOLDEN_ISA))),
    "mem": ("mem/**/*.[ch]", TIMED),
    "engine": ("sim/engine/**/*.[ch]", TIMED),
    "check": ("sim/check/**/*.[ch]", ("unit/check",)),
    "report": ("sim/report/**/*.[ch]", ("unit/report",)),
    "study": ("sim/study/**/*.[ch]", ("unit/study",)),
    "sweep": ("sim/sweep/**/*.[ch]", ("unit/sweep",)),
    "hsa": ("sim/hsa/**/*.[ch]", ("unit/hsa", *(f"hsa/test_{name}.c" for name in QUICK_HSA))),
}
EQUIVALENT = os.path.join(os.path.dirname(__file__), "equivalent.txt")


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--folders", nargs="+", choices=FOLDERS, default=list(FOLDERS), help="of these alone")
    p.add_argument("--count", type=int, default=70, help="size of the sample of each folder (70)")
    p.add_argument("--seed", type=int, default=1, help="chooses the sample (1)")
    p.add_argument("--seconds", type=float, default=600,
                   help="time for running the mutants of each folder, without builds (600)")
    p.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    p.add_argument("--build", default="build-mutants", help="the folder for everything made (build-mutants)")
    p.add_argument("--cc", default=os.environ.get("CC", "cc"))
    p.add_argument("--clang", default="clang-19", help="gives the syntax trees")
    p.add_argument("--files", nargs="+", default=["*"], help="shell patterns of sources to change")
    p.add_argument("--programs", nargs="+", 
                   help="test programs and folders of them, under tests/, in place of the folder's own")
    p.add_argument("--program-seconds", type=float, default=40, help="leaves out programs that take longer (40)")
    p.add_argument("--again", action="store_true", help="of the last samples, only what survived")
    p.add_argument("--at-least", type=float, default=0, help="fail below this share killed of a folder")
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


def results_path(options, folder, again=False):
    return os.path.join(options.build, f"{folder}{'-again' if again else ''}.json")


def is_killed(result):
    return result["status"] not in ("survived", "not reached")


def alive_of(options, folder):
    """The keys of what survived in the last sample of a folder."""
    try:
        with open(results_path(options, folder), encoding="utf-8") as f:
            return {r["key"] for r in json.load(f)["mutants"] if not is_killed(r)}
    except FileNotFoundError:
        say(f"{folder}: no sample that was run before")
        return set()


def find_sites(options):
    """All sites of each folder, and the texts of all sources; --again: of those with survivors."""
    paths = {f: sorted(p for p in glob.glob(FOLDERS[f][0], recursive=True)
                       if any(fnmatch.fnmatch(p, pattern) for pattern in options.files)) for f in options.folders}
    if options.again:
        paths = {f: sorted({k.split()[0] for k in alive_of(options, f)} & set(some)) for f, some in paths.items()}
    flags = ["-I.", "-std=gnu11", "-DISA_VARIANT=base", "-DMATRIX_FORMS=FORMS_CDNA",
             '-DGCNSIM_VERSION=""']
    every = [p for some in paths.values() for p in some]
    with ProcessPoolExecutor(options.jobs) as pool:
        found = dict(zip(every, pool.map(partial(sites.read_sites, clang=options.clang, flags=flags), every)))
    return ({f: [s for p in some for s in found[p][1]] for f, some in paths.items()},
            {p: text for p, (text, _) in found.items()})


def check_equivalent(equivalent, all_sites, texts):
    """A mutant that the list names and nobody can make any more is an error: its reason may no longer hold."""
    keys = {s.key for some in all_sites.values() for s in some}
    stale = [k for k in sorted(equivalent)
             if k not in keys and (k.split()[0] in texts or not os.path.isfile(k.split()[0]))]
    if stale:
        raise SystemExit(f"mutants: {EQUIVALENT} names what is not in the sources:\n" + "\n".join(stale))


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


def sample(folder_sites, equivalent, seed, count):
    """(chosen sites, equivalent sites met on the way)"""
    chosen, skipped = [], []
    for s in ordered(folder_sites, seed):
        if len(chosen) == count:
            break
        (skipped if s.key in equivalent else chosen).append(s)
    return chosen, skipped


def choose(options, folder, folder_sites, equivalent):
    """What is to be run of a folder's sites, as sample() gives it."""
    if not options.again:
        chosen, skipped = sample(folder_sites, equivalent, options.seed, options.count)
        say(f"{folder}: {len(chosen)} of {len(folder_sites)} mutants, seed {options.seed}; "
            f"{len(skipped)} known as equivalent left out")
        return chosen, skipped
    alive = alive_of(options, folder)
    chosen = [s for s in folder_sites if s.key in alive and s.key not in equivalent]
    say(f"{folder}: of the last sample, {len(chosen)} of {len(alive)} survivors that are still there and not equivalent")
    return chosen, []


def test_programs(options, folder):
    """The names of a folder's test programs, as tests/tests.mk has them, without .c."""
    found = []
    for name in options.programs or FOLDERS[folder][1]:
        if os.path.isdir(f"tests/{name}"):
            found += sorted(glob.glob(f"tests/{name}/test_*.c"))
        else:
            found.append(f"tests/{name.removesuffix('.c')}.c")
    for name in found:
        if not os.path.isfile(name):
            raise SystemExit(f"mutants: no test program {name}")
    return [f"build/{name.removesuffix('.c')}" for name in found]


def run_mutants(options, mutants, cases, tree):
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
        status, program, case = run.challenge(tree, number, cases)
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


def run_folder(options, folder, mutants, cases, tree):
    """Runs a folder's mutants against its cases; says what survives, and returns the results."""
    say(f"\n{folder}: {len(cases)} cases of {len({c.program for c in cases})} programs")
    begin = time.monotonic()
    results = run_mutants(options, mutants, cases, tree)
    took = time.monotonic() - begin
    print_survivors(results)
    print_table("file", results, lambda r: r["file"])
    print_table("change", results, lambda r: r["operator"])
    with open(results_path(options, folder, options.again), "w", encoding="utf-8") as f:
        json.dump({"seed": options.seed, "compiled": len(mutants), "seconds": round(took), "mutants": results}, f, indent=1)
    by = Counter(r["status"] for r in results if is_killed(r))
    say("\n" + ", ".join([f"{n} {status}" for status, n in sorted(by.items())] + [f"{took:.0f} s", f.name]))
    if len(results) < len(mutants):
        say(f"time for {len(results)} of {len(mutants)} mutants alone; more with MUTANTS_SECONDS")
    return results


def main():
    options = arguments()
    sys.setrecursionlimit(10000)
    os.makedirs(options.build, exist_ok=True)
    all_sites, texts = find_sites(options)
    equivalent = read_equivalent()
    check_equivalent(equivalent, all_sites, texts)
    chosen = [(f, s) for f in options.folders for s in choose(options, f, all_sites[f], equivalent)[0]]
    if options.list:
        for _, s in chosen:
            say(f"{s.path}:{s.line} {s.operator}\n-    {s.before}\n+    {s.after}")
        return 0
    tree = Tree(os.path.join(options.build, "tree"), options.cc, options.jobs)
    of_folder = {f: test_programs(options, f) for f in options.folders}
    programs = list(dict.fromkeys(p for some in of_folder.values() for p in some))
    begin = time.monotonic()
    compiled = tree.build_with(texts, list(enumerate(s for _, s in chosen)), ["all", *programs])
    say(f"built in {time.monotonic() - begin:.0f} s")
    run.clear_scratch(tree.folder)
    begin = time.monotonic()
    cases = run.reach(tree.folder, programs, options.jobs, options.program_seconds, say)
    say(f"{len(cases)} cases of {len({c.program for c in cases})} programs pass without a change, "
        f"in {time.monotonic() - begin:.0f} s")
    results = {}
    for folder in options.folders:
        mutants = [(n, s) for n, s in compiled if chosen[n][0] == folder]
        own = [c for c in cases if c.program in of_folder[folder]]
        if mutants:
            results[folder] = run_folder(options, folder, mutants, own, tree.folder)
    print_table("folder", [dict(r, folder=f) for f, some in results.items() for r in some], lambda r: r["folder"])
    low = [f for f, some in results.items() if 100 * sum(map(is_killed, some)) < options.at_least * len(some)]
    if low:
        say(f"mutants: fewer than {options.at_least:g} % are killed in {', '.join(low)}")
    return 1 if low else 0


if __name__ == "__main__":
    sys.exit(main())
