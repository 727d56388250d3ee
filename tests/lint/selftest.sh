#!/bin/sh
# The lint checks themselves: each rule must catch what it is for, in a tree made for the purpose.
set -u
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d "${TMPDIR:-/tmp}/gcnsim-lint.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
mkdir -p isa mem sim/util sim/api sim/cli sim/loader sim/engine config
failures=0

# expect pass|fail SCRIPT FILE LINE: with FILE holding LINE the check passes or fails
expect() {
    printf '%b\n' "$4" >"$3"
    if "$here/$2" >out 2>&1; then got=pass; else got=fail; fi
    if [ "$got" != "$1" ]; then
        echo "lint: selftest: $2 with $3 holding '$4': $got, expected $1" >&2
        failures=$((failures + 1))
    fi
    rm -f "$3" out
}
i='#include'
expect pass includes.sh isa/a.c "$i \"isa/isa.h\"\n$i \"sim/util/bits.h\"\n$i <stdio.h>"
expect fail includes.sh isa/a.c "$i \"mem/space.h\""
expect fail includes.sh isa/a.c "$i \"isa.h\""
expect fail includes.sh mem/a.c "$i \"sim/engine/engine.h\""
expect fail includes.sh config/a.c "$i \"isa/isa.h\""
expect fail includes.sh sim/util/a.c "$i \"isa/isa.h\""
expect pass includes.sh sim/engine/a.c "$i \"isa/isa.h\"\n$i \"mem/space.h\"\n$i \"config/profile.h\""
expect pass includes.sh sim/cli/a.c "$i \"sim/api/gcnsim.h\"\n$i \"sim/cli/cli.h\""
expect fail includes.sh sim/cli/a.c "$i \"sim/util/error.h\""
expect fail includes.sh sim/api/gcnsim.h "$i \"sim/util/error.h\""
expect fail includes.sh sim/engine/a.c "$i <libelf.h>"
expect pass includes.sh sim/loader/a.c "$i <libelf.h>"
expect fail includes.sh sim/cli/a.c "$i <cjson/cJSON.h>"
expect fail includes.sh sim/engine/a.c "$i <cJSON.h>"
expect pass includes.sh config/a.c "$i <cjson/cJSON.h>"
expect fail includes.sh isa/a.c "int no_include_in_the_whole_tree;"
expect pass text.sh isa/a.c "int a;"
expect fail text.sh isa/a.c "int a; "
expect fail text.sh isa/a.c "\tint a;"
expect fail text.sh isa/a.c "int a;\r"

if command -v cc >/dev/null 2>&1; then
    mkdir -p build/obj
    # library SOURCE: what symbols.sh judges
    library() { echo "$1" | cc -fPIC -x c -c -o build/obj/a.o - && cc -shared -o build/libgcnsim.so build/obj/a.o; }
    symbols() {
        library "$2"
        if "$here/symbols.sh" build >out 2>&1; then got=pass; else got=fail; fi
        if [ "$got" != "$1" ]; then
            echo "lint: selftest: symbols.sh with '$2': $got, expected $1" >&2
            failures=$((failures + 1))
        fi
    }
    symbols pass 'int gcnsim_a(void); static const char *const t[] = {"a"}; int gcnsim_a(void) { return t[0][0]; }'
    symbols fail 'int gcnsim_a(void); int other(void); int gcnsim_a(void) { return 1; } int other(void) { return 1; }'
    symbols fail 'int gcnsim_a(void); static int n; int gcnsim_a(void) { return n++; }'
    symbols fail 'int gcnsim_a(void); int gcnsim_a(void) { static int n = 3; return n++; }'
    symbols fail 'int gcnsim_a(void); static _Thread_local int n; int gcnsim_a(void) { return n++; }'
fi
[ "$failures" -eq 0 ] || exit 1
echo "lint: selftest: every rule catches what it is for"
