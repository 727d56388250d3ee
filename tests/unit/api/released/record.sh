#!/bin/sh
# record.sh VERSION: keeps what programs that are built with this version of the library rely on, before it is released:
#   VERSION.layout    facts of gcnsim.h, by the compiler's debug information, and the versions of exported symbols
#   gcnsim-VERSION.h  gcnsim.h and its parts as one header without comments
# What a released version has is never written again: programs rely on it. Files that are there are refused. A release
# that breaks what is recorded has a new soname (SOVER in the Makefile), and its commit removes these files by hand.
# Run from the root of the repository; `make test-programs` before it. BUILD is the folder of the build.
set -eu
version=${1:?usage: record.sh VERSION, for instance 0.2}
folder=tests/unit/api/released build=${BUILD:-build}
for file in "$folder/$version.layout" "$folder/gcnsim-$version.h"; do
    [ ! -e "$file" ] || { echo "record.sh: $file is there already; expected a version that is not recorded" >&2; exit 2; }
done
header=$folder/gcnsim-$version.h
{
    echo "/* gcnsim.h of $version with all of its parts, which programs were built with. Written by record.sh. */"
    awk '/^#include "gcnsim_/ { gsub(/"/, "", $2); while ((getline line < ("sim/api/" $2)) > 0) print line; next } { print }' \
        sim/api/gcnsim.h | cc -w -fpreprocessed -dD -E -P -x c - | sed 's, *$,,'
} >"$header"
RELEASED_RECORD=$folder/$version.layout GCNSIM=$build/gcnsim "$build/tests/unit/api/test_released"
sh tests/lint/format.sh --fix
echo "$folder/$version.layout: $(wc -l <"$folder/$version.layout") lines"
