#!/bin/sh
# Layout of the C files. clang-format's output changes between versions, so only version 14 (Debian 12's) judges.
# format.sh checks, format.sh --fix rewrites. Exit status 77: clang-format is not there.
here=$(dirname "$0")
tool=
for t in clang-format-14 clang-format; do
    if command -v "$t" >/dev/null 2>&1 && "$t" --version | grep -q 'version 14\.'; then
        tool=$t
        break
    fi
done
if [ -z "$tool" ]; then
    [ "${1:-}" != --fix ] || { echo "format: clang-format version 14 is not installed" >&2; exit 1; }
    echo "lint: format: SKIPPED, clang-format version 14 is not installed"
    exit 77
fi
files=$("$here/files.sh" '*.c' '*.h')
[ -n "$files" ] || { echo "lint: format: no C files found" >&2; exit 1; }
if [ "${1:-}" = --fix ]; then
    # shellcheck disable=SC2086  # no file here has a space in its name
    exec "$tool" -i $files
fi
# shellcheck disable=SC2086
if ! "$tool" --dry-run -Werror --ferror-limit=3 $files; then
    echo "lint: format: run 'make format'" >&2
    exit 1
fi
# shellcheck disable=SC2086
set -- $files
echo "lint: format: $# C files as clang-format lays them out"
