"""Writes the wheel of the package: its files, the library inside, and what pip wants to know (PEP 427, 491, 566, 600).

    wheel.py PACKAGE LIBRARY YYYY-MM-DD FOLDER

PACKAGE is the folder that make has made of the package, with its pyproject.toml.

The wheel's tag says which glibc it needs: the newest version whose symbols the library asks for. A library that needs
anything else than glibc is refused, because a wheel has to run wherever its tag says. The same input gives the same
bytes; the date, which is the version's, is that of every file in it.
"""

import base64
import datetime
import hashlib
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
MACHINES = {"elf64-x86-64": "x86_64", "elf64-littleaarch64": "aarch64"}
# of PEP 600's list; what else it allows, a library in C does not need
OF_GLIBC = re.compile(r"(libc|libm|libdl|libpthread|librt)\.so\.\d+|ld-linux-[a-z0-9-]+\.so\.\d+")


def platform_tag(library: Path) -> str:
    """manylinux_2_34_x86_64, or an error that says why it is none."""
    objdump = subprocess.run(["objdump", "-p", str(library)], text=True, capture_output=True,
                             env={**os.environ, "LC_ALL": "C"})
    if objdump.returncode:
        raise SystemExit(f"wheel: {objdump.stderr.strip()}")
    said = objdump.stdout
    form = re.search(r"file format (\S+)", said)
    if not form or form[1] not in MACHINES:
        raise SystemExit(f"wheel: {library}: file format {form and form[1]}; expected one of {', '.join(MACHINES)}")
    strange = [n for n in re.findall(r"^\s+NEEDED\s+(\S+)", said, re.M) if not OF_GLIBC.fullmatch(n)]
    if strange:
        raise SystemExit(f"wheel: {library} needs {', '.join(strange)}; expected libraries of glibc alone")
    wanted = re.findall(r"^\s+0x[0-9a-f]+ 0x[0-9a-f]+ \d+ (\S+)$", said.partition("Version References:")[2], re.M)
    versions = [re.fullmatch(r"GLIBC_(\d+)\.(\d+)(?:\.\d+)?", v) for v in wanted]
    if not wanted or not all(versions):
        raise SystemExit(f"wheel: {library} needs versions {' '.join(wanted)}; expected GLIBC_x.y alone")
    major, minor = max((int(v[1]), int(v[2])) for v in versions)
    return f"manylinux_{major}_{minor}_{MACHINES[form[1]]}"


def metadata(package: Path, project: dict[str, Any]) -> str:
    lines = ["Metadata-Version: 2.1", f"Name: {project['name']}", f"Version: {project['version']}",
             f"Summary: {project['description']}", f"License: {project['license']['text']}",
             f"Requires-Python: {project['requires-python']}"]
    lines += [f"Requires-Dist: {d}" for d in project["dependencies"]]
    readme = (package / project["readme"]).read_text()
    return "\n".join(lines + ["Description-Content-Type: text/markdown", "", readme])


def main(source: Path, library: Path, date: str, folder: Path) -> None:
    about = tomllib.loads((source / "pyproject.toml").read_text())
    project = about["project"]
    tag = "py3-none-" + platform_tag(library)
    name = f"{project['name']}-{project['version']}"
    info = f"{name}.dist-info/"
    files = {str(p.relative_to(source)): p.read_bytes()
             for package in about["tool"]["setuptools"]["packages"] for p in sorted((source / package).iterdir())
             if p.suffix in (".py", ".pyi", ".typed")}
    files["gcnsim/" + library.name] = library.read_bytes()
    files[info + "LICENSE"] = (HERE / "../../LICENSE").read_bytes()
    files[info + "LIBRARIES.md"] = (HERE / "LIBRARIES.md").read_bytes()
    files[info + "METADATA"] = metadata(source, project).encode()
    files[info + "WHEEL"] = (f"Wheel-Version: 1.0\nGenerator: gcnsim ({project['version']})\n"
                             f"Root-Is-Purelib: false\nTag: {tag}\n").encode()
    record = "".join(f"{n},sha256={base64.urlsafe_b64encode(hashlib.sha256(b).digest()).decode().rstrip('=')},{len(b)}\n"
                     for n, b in files.items())
    files[info + "RECORD"] = (record + info + "RECORD,,\n").encode()

    day = datetime.date.fromisoformat(date)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}-{tag}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as wheel:
        for n, b in files.items():
            entry = zipfile.ZipInfo(n, (day.year, day.month, day.day, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if ".so" in n else 0o100644) << 16
            wheel.writestr(entry, b)
    print(path)


if __name__ == "__main__":
    if len(sys.argv) != 5:
        raise SystemExit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], Path(sys.argv[4]))
