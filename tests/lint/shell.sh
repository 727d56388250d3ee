#!/bin/sh
# The shell scripts under shellcheck. Exit status 77: it is not there.
here=$(dirname "$0")
if ! command -v shellcheck >/dev/null 2>&1; then
    echo "lint: shell: SKIPPED, shellcheck is not installed"
    exit 77
fi
files=$("$here/files.sh" '*.sh' .ci/run debian/tests/demo debian/tests/exec debian/tests/library debian/tests/python)
# shellcheck disable=SC2086
shellcheck $files || exit 1
# shellcheck disable=SC2086
set -- $files
echo "lint: shell: $# scripts clean"
