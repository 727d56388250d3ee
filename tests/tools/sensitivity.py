#!/usr/bin/env python3
"""Which figures of a profile move the errors of make accuracy most: make sensitivity.

Each section runs on one profile: its quick rows (or all), the smallest whole kernels, or thread traces of a chip. Every
number of the profile is changed by 20 % down and up, by itself, as --set does; whole numbers by at least 1. What a
profile refuses, and what is 0, is left out. Per section the three figures that change the mean error most are printed,
as a Markdown table. A section ends when all figures are through or its time is, and says how many of them it tried;
those that its subject names come first. See docs/ACCURACY.md.
"""
import argparse
import concurrent.futures
import fnmatch
import json
import os
import subprocess
import time

# title, number of the section of tests/timing/accuracy (negative: all its rows, not the quick ones alone) or what runs,
# profile, figures that come first
SECTIONS = [
    ("Issue, GCN and CDNA", 0, "gfx90a-mi210", ["class.*", "frontend.*", "cu.*"]),
    ("Issue, RDNA", 1, "gfx1100-rx7900xtx", ["class.*", "frontend.*", "cu.*"]),
    ("LDS and vector memory issue", 2, "gfx90a-mi210", ["lds.*", "cu.*", "frontend.*"]),
    ("Matrix instructions", 3, "gfx942-mi300x", ["matrix.*", "class.*", "frontend.*"]),
    ("Memory latency and capacity", 4, "gfx90a-mi210", ["cache.*", "dram.*", "tlb.*", "frontend.*"]),
    ("Strides of vector loads", 5, "gfx90a-mi210", ["cache.vl0.*", "cu.*"]),
    ("Launch and cold memory", -7, "gfx1201-rx9070xt", ["tlb.*", "cache.*", "frontend.*", "gpu.*"]),
    ("Whole kernels, MI300A", "whole", "gfx942-mi300a",
     ["launch.*", "cache.*", "dram.*", "fabric.*", "tlb.*", "frontend.*"]),
    ("Whole kernels, streams (relu)", "relu", "gfx942-mi300a",
     ["fabric.*", "launch.*", "cache.l2.*", "cache.mall.*", "cache.vl0.*", "dram.*", "gpu.*", "cu.*"]),
    ("Replay, distances not exact", "replay", "gfx1100-rx7900xtx", ["frontend.*", "class.*", "cu.*", "lds.*"]),
]


def figures(node, path=""):
    """The numbers of a resolved profile, by path."""
    if not isinstance(node, dict):
        return {}
    if "value" in node:
        value = node["value"]
        return {path: value} if isinstance(value, (int, float)) and not isinstance(value, bool) else {}
    found = {}
    for key, child in node.items():
        found.update(figures(child, f"{path}.{key}" if path else key))
    return found


def changed(value, factor):
    if isinstance(value, float) and value != int(value):
        return value * factor
    new = round(value * factor)
    return new if new != value else value + (1 if factor > 1 else -1)


class Section:
    def __init__(self, options, title, what, profile, first):
        self.options, self.title, self.what, self.profile, self.first = options, title, what, profile, first

    def command(self, assignment):
        o, sets = self.options, ["--set", assignment] if assignment else []
        if self.what == "whole":
            return [o.accuracy, "--whole", o.kernels, "--work", "0.02", "--summary", "all"] + sets
        if self.what == "relu":
            return [o.accuracy, "--whole", o.kernels, "--work", "3", "--only", "relu", "--summary", "all"] + sets
        if self.what == "replay":
            return [o.replay, "--json", "--target", self.profile.split("-")[0], "--kernel", "E_"] + sets + [o.traces]
        rows = ["--rows", "all"] if self.what < 0 else []
        return [o.accuracy, "--summary", self.profile, *rows, str(abs(self.what))] + sets

    def error(self, assignment=None):
        """Mean error in per cent; None when the profile refuses the value."""
        run = subprocess.run(self.command(assignment), capture_output=True, text=True, check=False)
        if run.returncode:
            return None
        if self.what == "replay":
            kernels = [k["model"]["all"] for k in json.loads(run.stdout)["kernels"]]
            count = sum(k["count"] for k in kernels)
            return 100 * sum(k["count"] * (1 - k["exact"]) for k in kernels) / count if count else None
        rows, mean = run.stdout.split()
        return float(mean) if int(rows) else None

    def able(self):
        o = self.options
        if self.what == "replay":
            return o.traces
        return isinstance(self.what, int) or (o.kernels and os.path.exists(o.kernels))

    def order(self, path):
        for place, pattern in enumerate(self.first):
            if fnmatch.fnmatch(path, pattern):
                return place
        return len(self.first)


def rank(section, show):
    command = [show, "arch", "show", section.profile, "--json"]
    shown = subprocess.run(command, capture_output=True, text=True, check=True)
    profile = json.loads(shown.stdout)
    values = {path: v for path, v in figures(profile).items() if v}
    base, end, moved, tried = section.error(), time.monotonic() + section.options.seconds, {}, 0

    def both(path):
        if time.monotonic() > end:
            return path, None
        return path, [section.error(f"{path}={changed(values[path], factor)}") for factor in (0.8, 1.2)]

    with concurrent.futures.ThreadPoolExecutor(section.options.jobs) as pool:
        for path, errors in pool.map(both, sorted(values, key=section.order)):
            if errors is not None:
                tried += 1
                moved[path] = errors
    most = sorted(moved, key=lambda p: -max(abs(e - base) for e in moved[p] + [base] if e is not None))[:3]
    return base, tried, len(values), [(p, values[p], moved[p]) for p in most]


def percent(value):
    return "refused" if value is None else f"{value:.1f} %"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--gcnsim", required=True)
    parser.add_argument("--accuracy", required=True)
    parser.add_argument("--replay")
    parser.add_argument("--kernels", help="code object of the whole kernels")
    parser.add_argument("--traces", help="folder of thread traces")
    parser.add_argument("--seconds", type=float, default=90, help="for each section")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--doc", help="Markdown file to put the table into")
    options = parser.parse_args()
    lines = ["| section | profile | mean error | figure | value | error at -20 % | at +20 % |",
             "|---|---|---|---|---|---|---|"]
    for entry in SECTIONS:
        section = Section(options, *entry)
        if not section.able():
            print(f"{section.title}: SKIPPED", flush=True)
            continue
        base, tried, count, most = rank(section, options.gcnsim)
        print(f"{section.title}: {tried} of {count} figures", flush=True)
        for n, (path, value, (down, up)) in enumerate(most):
            name = f"{section.title} ({tried} of {count} figures)" if n == 0 else ""
            lines.append(f"| {name} | {'' if n else section.profile} | {'' if n else percent(base)} | `{path}` | "
                         f"{value} | {percent(down)} | {percent(up)} |")
    table = "\n".join(lines) + "\n"
    print(table)
    if options.doc:
        with open(options.doc, encoding="utf-8") as file:
            text = file.read()
        begin, end = "<!-- begin sensitivity -->\n", "<!-- end sensitivity -->"
        head, rest = text.split(begin)
        with open(options.doc, "w", encoding="utf-8") as file:
            file.write(head + begin + table + end + rest.split(end, 1)[1])


if __name__ == "__main__":
    main()
