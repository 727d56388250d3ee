"""The folder in which mutants are built: a copy of the repository with schemata in the place of some sources, and the
test programs made from it. A file is written only when it changes, so that make builds only what it must."""
import os
import re
import subprocess

import rewrite

TOOL = "tests/tools/mutants"
# for the library, and for the library of sim/hsa that has none of it
CHOOSERS = ("sim/util/mutants.c", "sim/hsa/interpose/mutants.c")
ERROR = re.compile(r"^([\w./-]+\.[ch]):(\d+):(?:\d+:)? (?:fatal )?error: (.*)$", re.M)


def tracked_files():
    """What belongs to the repository, without what builds leave."""
    if subprocess.run(["git", "rev-parse", "--is-inside-work-tree"], capture_output=True).returncode == 0:
        names = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                               stdout=subprocess.PIPE, check=True).stdout.decode().split("\0")
        return [n for n in names if n and os.path.isfile(n)]
    found = []
    for folder, folders, names in os.walk("."):
        folders[:] = [f for f in folders if not f.startswith("build") and f != ".git"]
        found += [os.path.normpath(os.path.join(folder, n)) for n in names]
    return found


def write_if_other(path, data):
    try:
        with open(path, "rb") as f:
            if f.read() == data:
                return
    except FileNotFoundError:
        os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(data)


class Tree:
    def __init__(self, folder, compiler, jobs):
        self.folder = folder
        self.make = ["make", "--no-print-directory", f"-j{jobs}", f"CC={compiler}", "OPT=-O1", "VARIANTS=base",
                     "VFLAGS_base=-O1", "CFLAGS=-w"]

    def copy(self, texts, mutants):
        """Copies the repository. `mutants` holds pairs of number and site; `texts` the sources in which they lie."""
        wanted = set()
        for name in tracked_files():
            wanted.add(name)
            if any(site.path == name for _, site in mutants):
                continue
            with open(name, "rb") as f:
                write_if_other(os.path.join(self.folder, name), f.read())
            os.chmod(os.path.join(self.folder, name), os.stat(name).st_mode & 0o777)
        for path in {site.path for _, site in mutants}:
            text = rewrite.schema(texts[path], [(n, s) for n, s in mutants if s.path == path])
            text = f'#include "{TOOL}/mutants.h"\n#line 1 "{path}"\n{text}'
            write_if_other(os.path.join(self.folder, path), text.encode("latin-1"))
        for place in CHOOSERS:
            with open(f"{TOOL}/mutants.c", "rb") as f:
                write_if_other(os.path.join(self.folder, place), f.read())
            wanted.add(place)
        for folder, folders, names in os.walk(self.folder):
            relative = os.path.relpath(folder, self.folder)
            if relative == ".":
                folders[:] = [f for f in folders if not f.startswith("build")]
            for name in names:
                if os.path.normpath(os.path.join(relative, name)) not in wanted:
                    os.remove(os.path.join(folder, name))

    def build(self, targets):
        """Returns the places of errors, as (path, line, message); none when all went well."""
        # variables of the make that called us are not for this one
        own = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES")}
        run = subprocess.run([*self.make, "-k", *targets], cwd=self.folder, env=own, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT)
        if run.returncode == 0:
            return []
        output = run.stdout.decode(errors="replace")
        places = [(os.path.normpath(p), int(line), message) for p, line, message in ERROR.findall(output)]
        if not places:
            raise SystemExit("mutants: the build fails without an error in a source:\n" + output[-3000:])
        return places

    def build_with(self, texts, mutants, targets):
        """Builds, without those mutants that the compiler rejects; returns the others."""
        for _ in range(8):
            self.copy(texts, mutants)
            places = self.build(targets)
            if not places:
                return mutants
            lines = {(p, line) for p, line, _ in places}
            kept = [(n, s) for n, s in mutants if not any((s.path, k) in lines for k in s.lines())]
            if len(kept) == len(mutants):
                raise SystemExit("mutants: the build fails: " + "; ".join(f"{p}:{n}: {m}" for p, n, m in places[:5]))
            for _, s in mutants:
                if not any(s is k for _, k in kept):
                    print(f"does not compile: {s.path}:{s.line}: {s.before} => {s.after}", flush=True)
            mutants = kept
        raise SystemExit("mutants: no build without errors after eight attempts")
