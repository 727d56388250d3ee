#!/bin/sh
# tidy.sh BUILD: the library and the tool under clang-tidy with the checks of .clang-tidy, each file as it is compiled.
# What a check finds changes between versions, so only version 14 (Debian 12's) judges. Exit status 77: not there.
here=$(dirname "$0")
build=$1
tool=
for t in clang-tidy-14 clang-tidy; do
    if command -v "$t" >/dev/null 2>&1 && "$t" --version | grep -q 'version 14\.'; then
        tool=$t
        break
    fi
done
if [ -z "$tool" ]; then
    echo "lint: tidy: SKIPPED, clang-tidy version 14 is not installed"
    exit 77
fi
"$tool" --list-checks >/dev/null || exit 1 # says what it does not understand of .clang-tidy
files=$("$here/files.sh" '*.c' | grep -E '^(isa|mem|config|sim|traces)/' | grep -v '^traces/samples/')
# The HSA runtime's files are none without the headers of their interface.
if [ ! -f /usr/include/hsa/hsa_ext_amd.h ]; then
    echo "lint: tidy: sim/hsa SKIPPED, libhsa-runtime-dev is not installed"
    files=$(echo "$files" | grep -v '^sim/hsa/')
fi
[ -n "$files" ] || { echo "lint: tidy: no C files found" >&2; exit 1; }
# clang 14 lacks __builtin_roundeven, which gcc and clang 19 have. Warnings are the compilers' to judge.
# shellcheck disable=SC2016  # the inner shell's own
if ! echo "$files" | xargs -n 8 -P "$(nproc 2>/dev/null || echo 1)" sh -c '
    tool=$1 build=$2
    shift 2
    "$tool" --quiet "$@" -- -std=gnu11 -w -D__builtin_roundeven=rint -I. -I"$build/gen" -DISA_VARIANT=base -DGCNSIM_VERSION="\"\"" \
        $(pkg-config --cflags libelf libdw libcjson libzstd 2>/dev/null) 2>/dev/null
' sh "$tool" "$build"; then
    exit 1
fi
echo "lint: tidy: $(echo "$files" | wc -l) C files clean"
