#!/bin/sh
# python.sh BUILD: programs in Python by pyflakes, the package, with what is written from the headers, and its tests by
# pycodestyle too, and the package's types by mypy --strict. Versions are Debian 12's. A tool that is not installed is named.
here=$(dirname "$0")
build=${1:-build}
status=0
missing=
# skipped TOOL: whether it is not there
skipped() {
    command -v "$1" >/dev/null 2>&1 && return 1
    echo "lint: python: SKIPPED, $1 is not installed" >&2
    missing=1
}
files=$("$here/files.sh" '*.py')
if ! skipped pyflakes3; then
    # shellcheck disable=SC2086  # names without spaces
    pyflakes3 $files || status=1
fi
if [ ! -f "$build/python/gcnsim/capi.py" ]; then
    echo "lint: python: SKIPPED, $build holds no built package (python3)" >&2
    exit 77
fi
if ! skipped pycodestyle; then
    # imports follow where the package is; operators begin or end lines
    pycodestyle --max-line-length=128 --ignore=E402,W503,W504 sim/python tests/python "$build/python" || status=1
fi
if ! skipped mypy; then
    (cd "$build/python" && mypy --strict --no-error-summary --cache-dir=../mypy gcnsim) || status=1
fi
[ "$status" -eq 0 ] || exit 1
[ -z "$missing" ] || exit 77
echo "lint: python: $(echo "$files" | wc -l) files clean, and the types of the package"
