#!/usr/bin/env python3
"""Assembles tests/timing/accuracy/snippets.s for every target with LLVM 19's llvm-mc and writes words.inc beside it.

    python3 tests/timing/accuracy/assemble.py [llvm-mc-19]
"""
import pathlib
import re
import subprocess
import sys

TARGETS = ["gfx803", "gfx900", "gfx906", "gfx908", "gfx90a", "gfx942", "gfx1010", "gfx1030", "gfx1100", "gfx1200",
           "gfx1201"]
GROUPS = {"gfx12": ["gfx1200", "gfx1201"], "cdna": ["gfx908", "gfx90a", "gfx942"]}
GROUPS["vega"] = ["gfx900", "gfx906"] + GROUPS["cdna"]
GROUPS["gcn"] = ["gfx803"] + GROUPS["vega"]
GROUPS["new"] = ["gfx1100"] + GROUPS["gfx12"]
GROUPS["rdna"] = ["gfx1010", "gfx1030"] + GROUPS["new"]


def read(path):
    """{name: {target: [line]}}; later lines for a target replace earlier ones."""
    snippets, current = {}, None
    for number, line in enumerate(path.read_text().splitlines(), 1):
        line = line.split(";", 1)[0].rstrip()
        if not line:
            continue
        if line[0] == "\t":
            for lines in current:
                lines.append(line)
            continue
        name, _, targets = line.partition(":")
        current = []
        for word in targets.split():
            for target in GROUPS.get(word, [word]):
                if target not in TARGETS:
                    sys.exit(f"{path}:{number}: unknown target {target}")
                lines = snippets.setdefault(name, {})[target] = []
                current.append(lines)
    return snippets


def assemble(mc, target, snippets):
    """{name: (text, words)}"""
    names = [n for n in snippets if target in snippets[n]]
    source = "".join(f"snip_{i}:\n" + "\n".join(snippets[n][target]) + "\n" for i, n in enumerate(names))
    run = subprocess.run([mc, "-arch=amdgcn", f"-mcpu={target}", "-show-encoding"], input=source, text=True,
                         capture_output=True)
    if run.returncode:
        sys.exit(f"{target}:\n{run.stderr}")
    out, name = {}, None
    for line in run.stdout.splitlines():
        label = re.match(r"snip_(\d+):", line)
        if label:
            name = names[int(label[1])]
            out[name] = ([], [])
        found = re.search(r"encoding: \[(.*)\]", line)
        if found:
            data = bytes(int(b, 16) for b in found[1].split(","))
            out[name][0].append(found[1])
            out[name][1].extend(int.from_bytes(data[i:i + 4], "little") for i in range(0, len(data), 4))
    # texts are those of the words
    codes = [code for text, _ in out.values() for code in text]
    run = subprocess.run([mc, "-arch=amdgcn", f"-mcpu={target}", "-disassemble"], input="\n".join(codes), text=True,
                         capture_output=True, check=True)
    texts = [" ".join(line.split()) for line in run.stdout.splitlines() if line.strip() and ".text" not in line]
    if len(texts) != len(codes):
        sys.exit(f"{target}: {len(codes)} instructions, {len(texts)} texts")
    for text, _ in out.values():
        text[:] = [texts.pop(0) for _ in text]
    return out


def main():
    here = pathlib.Path(__file__).parent
    snippets = read(here / "snippets.s")
    mc = sys.argv[1] if len(sys.argv) > 1 else "llvm-mc-19"
    per_target = {t: assemble(mc, t, snippets) for t in TARGETS}
    lines = ["/* Made by assemble.py from snippets.s; do not edit. SNIPPET(name, targets, text, words...) */"]
    for name in snippets:
        same = {}
        for t in TARGETS:
            if name in per_target[t]:
                text, words = per_target[t][name]
                same.setdefault((tuple(text), tuple(words)), []).append(t)
        for (text, words), targets in same.items():
            body = ", ".join(f"0x{w:08x}" for w in words)
            lines.append(f'SNIPPET({name}, "{" ".join(targets)} ", "{"; ".join(text)}", {len(text)}, {body})')
    (here / "words.inc").write_text("\n".join(lines) + "\n")


main()
