#!/bin/sh
# The lint checks themselves: each rule must catch what it is for, in a tree made for the purpose.
set -u
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d "${TMPDIR:-/tmp}/gcnsim-lint.XXXXXX") || exit 1
trap 'rm -rf "$dir" "$dir.out"' EXIT
cd "$dir" || exit 1
mkdir -p isa/table isa/lanes isa/decode isa/text isa/insts mem/cache mem/hierarchy mem/lds config traces tests/bench tests/lint lint
for d in util loader launch engine/functional engine/timing check report api study cli hsa/core extra; do mkdir -p sim/$d; done
failures=0

# expect pass|fail SCRIPT FILE LINE: with FILE holding LINE the check passes or fails
expect() {
    printf '%b\n' "$4" >"$3"
    if "$here/$2" >"$dir.out" 2>&1; then got=pass; else got=fail; fi
    if [ "$got" != "$1" ]; then
        echo "lint: selftest: $2 with $3 holding '$4': $got, expected $1" >&2
        failures=$((failures + 1))
    fi
    rm -f "$3"
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
expect fail includes.sh sim/cli/a.c "$i \"sim/util/arena.h\""
expect pass includes.sh sim/hsa/a.c "$i \"sim/util/arena.h\""
expect fail includes.sh sim/hsa/a.c "$i \"sim/util/fifo.h\""
expect fail includes.sh sim/api/gcnsim.h "$i \"sim/util/error.h\""
expect pass includes.sh sim/api/gcnsim.h "$i \"gcnsim_raw.h\""
expect fail includes.sh sim/api/gcnsim_raw.h "$i \"gcnsim_launch.h\""
expect fail includes.sh sim/engine/a.c "$i <libelf.h>"
expect pass includes.sh sim/loader/a.c "$i <libelf.h>"
expect fail includes.sh config/a.c "$i <cjson/cJSON.h>"
expect fail includes.sh sim/util/a.c "$i \"sim/util/libcjson.h\""
expect pass includes.sh sim/util/json_text.c "$i \"sim/util/libcjson.h\""
expect pass includes.sh sim/util/libcjson.h "$i <cjson/cJSON.h>"
expect fail includes.sh sim/engine/a.c "$i <elfutils/libdw.h>"
expect pass includes.sh sim/loader/a.c "$i <elfutils/libdw.h>"
expect fail includes.sh sim/engine/a.c "$i <msgpack.h>"
expect fail includes.sh traces/a.c "$i \"sim/api/gcnsim.h\""
expect fail includes.sh traces/a.c "$i \"isa/isa.h\""
expect pass includes.sh traces/a.c "$i \"sim/util/error.h\""
expect fail includes.sh mem/a.c "$i \"tests/a.h\""
expect pass includes.sh sim/hsa/a.c "$i \"sim/api/gcnsim.h\"\n$i \"sim/hsa/hsa.h\""
expect fail includes.sh sim/hsa/a.c "$i \"sim/cli/cli.h\""
expect pass includes.sh sim/study/a.c "$i \"sim/api/api.h\""
expect fail includes.sh sim/api/a.c "$i \"sim/study/explain.h\""
expect fail includes.sh sim/hsa/a.c "$i \"sim/api/api.h\""
expect fail includes.sh sim/cli/a.c "$i \"sim/api/api.h\""
expect fail includes.sh sim/extra/a.c "$i \"sim/util/error.h\""
expect fail includes.sh sim/a.c "$i \"sim/util/error.h\""
expect fail includes.sh sim/api/a.c "$i \"sim/extra/a.h\""
expect fail includes.sh sim/engine/functional/a.c "$i \"sim/engine/timing/timing.h\""
expect fail includes.sh sim/engine/timing/a.c "$i \"sim/engine/functional/functional.h\""
expect fail includes.sh isa/a.c "int no_include_in_the_whole_tree;"

# each folder of sim may include those below it, and none above
for from in util loader launch engine check report api cli; do
    above=no
    for to in util loader launch engine check report api cli; do
        [ $from != $to ] || { above=yes; continue; }
        case "$from $to" in cli* | util*) continue ;; esac # have rules of their own, above
        if [ $above = no ]; then expected=pass; else expected=fail; fi
        expect $expected includes.sh sim/$from/a.c "$i \"sim/$to/a.h\""
    done
done

# circles: of two files, of a file and what its own file includes, and of more; one way alone is none
for d in isa isa/lanes mem/cache config traces sim/util sim/engine/timing sim/study; do
    echo "$i \"$d/b.h\"" >$d/a.h
    expect pass includes.sh $d/c.c "$i \"$d/a.h\"\n$i \"$d/b.h\""
    expect pass includes.sh $d/b.c "$i \"$d/b.h\""
    expect fail includes.sh $d/b.h "$i \"$d/a.h\""
    expect fail includes.sh $d/b.c "$i \"$d/a.h\""
    echo "$i \"$d/c.h\"" >$d/b.h
    expect fail includes.sh $d/c.c "$i \"$d/a.h\""
    rm $d/a.h $d/b.h
done
mkdir -p traces/att
echo "$i \"traces/b.h\"" >traces/att/a.h
expect pass includes.sh traces/b.c "$i \"traces/b.h\""
expect fail includes.sh traces/b.c "$i \"traces/att/a.h\""
rm -r traces/att

# inside sim/hsa: rooms in the order of its README
mkdir -p sim/hsa/low sim/hsa/high sim/hsa/interpose sim/hsa/other
echo 'Order of the rooms: low < high' >sim/hsa/README.md
expect pass includes.sh sim/hsa/high/a.c "$i \"sim/hsa/high/b.h\"\n$i \"sim/hsa/low/a.h\""
expect fail includes.sh sim/hsa/low/a.c "$i \"sim/hsa/high/a.h\""
expect fail includes.sh sim/hsa/low/a.c "$i \"sim/hsa/a.h\""
expect pass includes.sh sim/hsa/a.c "$i \"sim/hsa/high/a.h\"\n$i \"sim/hsa/low/a.h\""
expect fail includes.sh sim/hsa/other/a.c "$i \"sim/hsa/low/a.h\""
expect fail includes.sh sim/hsa/a.c "$i \"sim/hsa/interpose/a.h\""
expect fail includes.sh sim/hsa/interpose/a.c "$i \"sim/hsa/low/a.h\""
expect pass includes.sh sim/hsa/interpose/a.c "$i \"sim/hsa/interpose/a.h\""
echo "$i \"sim/hsa/low/b.h\"" >sim/hsa/low/a.h
expect pass includes.sh sim/hsa/low/a.c "$i \"sim/hsa/low/a.h\""
expect fail includes.sh sim/hsa/low/b.c "$i \"sim/hsa/low/a.h\""
expect fail includes.sh sim/hsa/low/b.h "$i \"sim/hsa/low/a.h\""
rm -r sim/hsa/README.md sim/hsa/low sim/hsa/high sim/hsa/interpose sim/hsa/other

# inside isa and mem: what a folder may include there, and all else
inside() {
    for to in top table lanes decode text insts cache hierarchy lds; do
        case "$1 $to" in "isa cache" | "isa hierarchy" | "isa lds" | "mem t"[ae]* | "mem lanes" | "mem decode" | "mem insts") continue ;; esac
        [ "$2" != $to ] || continue
        case " $3 " in *" $to "*) expected=pass ;; *) expected=fail ;; esac
        if [ $to = top ]; then header=$1/a.h; else header=$1/$to/a.h; fi
        if [ "$2" = top ]; then file=$1/a.c; else file=$1/$2/a.c; fi
        expect $expected includes.sh "$file" "$i \"$header\""
    done
}
inside isa top "table lanes"
inside isa table "top lanes decode"
inside isa lanes "top table"
inside isa decode "top table lanes"
inside isa text "top table decode"
inside isa insts "top table lanes"
inside mem top ""
inside mem cache "top"
inside mem lds "top"
inside mem hierarchy "top cache"

expect pass tree.sh isa/a.c "/* A. */"
expect pass tree.sh README.md "A"
expect pass tree.sh .hidden "A"
expect fail tree.sh notes.txt "A"
# shellcheck disable=SC2016  # the backquotes are Markdown's
expect fail tree.sh SECURITY.md '`make test T=unit/none`'
# shellcheck disable=SC2016
expect fail tree.sh SECURITY.md '`make fuzz T=none`'
# shellcheck disable=SC2016
expect pass tree.sh SECURITY.md '`make test T=bench`, `make sanitize`'
expect pass text.sh isa/a.c "/* A. */\nint a;"
expect fail text.sh isa/a.c "int a;"
expect fail text.sh isa/a.c "/* A. */\nint a; "
expect fail text.sh isa/a.c "/* A. */\n\tint a;"
expect fail text.sh isa/a.c "/* A. */\nint a;\r"

# words that have a plain one
expect pass words.sh isa/a.c "/* A. Null: out of host memory. It owns no memory. */"
expect fail words.sh isa/a.c "/* Null: no memory. */"
expect fail words.sh isa/a.h "/* False when there is no\n * memory. */"
expect fail words.sh isa/a.c 'err_set(e, ERR_NOMEM, "%s: no memory", path);'
expect fail words.sh isa/a.c 'err_set(e, ERR_NOMEM, "no memory for a trace");'
expect pass words.sh isa/a.c "/* The caches in front of L2, the queue in front of it. */"
expect fail words.sh isa/a.c "/* The wait in front of the barrier. */"
expect fail words.sh isa/a.md "What other waves did in front of\ntheir atomics."
expect pass words.sh isa/a.c "/* Levels behind L2; latency hides behind others. */\nputs(\"one behind the other\");"
expect fail words.sh isa/a.c "/* Launches, one behind the other. */"
expect fail words.sh isa/a.md "A byte behind the end."
expect fail words.sh isa/a.h " * null behind\n * the last */"
expect pass words.sh isa/a.c "/* They are told apart. */\nputs(\"it is told\");"
expect fail words.sh isa/a.c "/* The sink is told of it. */"
expect fail words.sh isa/a.c "/* Of two rows the first. */"
expect pass words.sh isa/a.c "/* For a wave. */"
for name in take tell keep; do
    expect fail words.sh isa/a.c "static struct late *$name(struct pool *p)"
    expect pass words.sh isa/a.c "static bool ${name}_events(struct pool *p)"
done
expect pass words.sh CHANGELOG.md "Null: no memory."

# sizes of files and functions
lines() { yes "$1" | head -n "$2"; }
expect pass size.sh isa/a.c "$(lines 'int a;' 600)"
expect fail size.sh isa/a.c "$(lines 'int a;' 601)"
expect fail size.sh sim/cli/a.h "$(lines 'int a;' 601)"
expect fail size.sh tests/a.c "$(lines 'int a;' 601)" # nothing of the product at all
expect pass size.sh sim/cli/a.c "static int f(int a,\n             int b)\n{\n$(lines '    a;' 58)\n}"
expect fail size.sh sim/cli/a.c "static int f(int a,\n             int b)\n{\n$(lines '    a;' 59)\n}"
echo 'sim/cli/a.c f()  a reason' >tests/lint/size.txt
expect pass size.sh sim/cli/a.c "static int f(int a,\n             int b)\n{\n$(lines '    a;' 59)\n}"
expect fail size.sh sim/cli/a.c "static int g(int a)\n{\n$(lines '    a;' 59)\n}"
expect fail size.sh sim/cli/a.c "static int f(int a)\n{\n    a;\n}"
echo 'isa/a.c' >tests/lint/size.txt
expect fail size.sh isa/a.c "$(lines 'int a;' 601)"
rm -f tests/lint/size.txt

# tests wait for events
for line in 'sleep(1);' 'usleep (100);' 'nanosleep(&nap, NULL);' 'alarm(5);' 'std::this_thread::sleep_for(1s);' 'r = run("sleep 1000 \&");'; do
    expect fail waits.sh tests/a.c "    $line"
    expect pass waits.sh tests/bench/a.c "    $line"
done
expect pass waits.sh tests/a.c "    __builtin_amdgcn_s_sleep(1);\n    wave->sleep(1);\n    cmocka_unit_test(sleeping);\n    /* sleeps 4 */"
expect fail waits.sh tests/a.py "    time.sleep(1)"
expect fail waits.sh tests/a.sh "    sleep 0.1"
echo 'tests/a.c  it replaces it' >tests/lint/waits.txt
expect pass waits.sh tests/a.c "int sleep(unsigned s)"
expect fail waits.sh tests/a.c "int a;"
echo 'tests/a.c' >tests/lint/waits.txt
expect fail waits.sh tests/a.c "int sleep(unsigned s)"
rm -f tests/lint/waits.txt

# a terminal is shown what went through sim/util/plain.h
for line in 'printf("%s\\n", name);' 'fprintf(stderr, "%s", name);' 'vprintf(format, ap);' 'puts(text);' 'fputs(text, stdout);' \
    'fputs(known ? name : "", stdout);' 'fwrite(text, 1, n, stdout);' 'putchar(*c);' 'dprintf(2, "%s", name);' \
    'write(STDOUT_FILENO, text, n);' 'perror(path);' 'puts("a" name);'; do
    expect fail terminal.sh sim/cli/a.c "    $line"
    expect fail terminal.sh sim/hsa/a.c "    $line"
    expect pass terminal.sh sim/cli/common.c "    plain_text(name, 0);\n    $line"
    expect pass terminal.sh sim/hsa/core/log.c "    plain_text(name, 0);\n    $line"
    expect fail terminal.sh sim/hsa/core/log.c "    $line"
done
for line in 'cli_printf("%s\\n", name);' 'puts("a, b");' 'puts("a" "b");' 'puts(n ? "a" : "");' 'fputs("a", stdout);' 'putchar(\047x\047);' \
    'fprintf(f, "%s", name);' 'snprintf(a, n, "%s", name);' 'puts("a "'; do
    expect pass terminal.sh sim/cli/a.c "    $line"
done
expect fail terminal.sh sim/api/a.c "    f = open_memstream(\&text, \&size);"
echo 'sim/api/a.c  numbers' >tests/lint/terminal.txt
expect pass terminal.sh sim/api/a.c "    f = open_memstream(\&text, \&size);"
expect fail terminal.sh sim/api/a.c "int a;"
rm -f tests/lint/terminal.txt
expect fail terminal.sh sim/api/a.c "    text = report_render(report_write_text, r);"
expect pass terminal.sh sim/api/a.c "    text = report_render(report_write_json, r);\n    text = report_render_plain(report_write_text, r);"
expect fail terminal.sh sim/check/a.c "    *c = (unsigned char)*c < 0x20 ? \047?\047 : *c;"
expect pass terminal.sh sim/util/plain.c "    *c = (unsigned char)*c < 0x20 ? \047?\047 : *c;"

# What run.sh makes of checks that pass, fail and cannot be made.
cp "$here/run.sh" lint/run.sh
# run STATUS CI WORDS CHECK=STATUS...: its exit status and a line of what it says
run() {
    for name in selftest accuracy api format includes size tree text words waits terminal shell symbols figures python tidy; do
        echo 'exit 0' >lint/$name.sh
    done
    expected=$1 ci=$2 words=$3
    shift 3
    for one; do echo "exit ${one#*=}" >"lint/${one%=*}.sh"; done
    chmod +x lint/*.sh
    got=0
    CI=$ci lint/run.sh build >"$dir.out" 2>&1 || got=$?
    if [ $got -ne "$expected" ] || ! grep -q "^lint: $words" "$dir.out"; then
        echo "lint: selftest: run.sh with CI=$ci and $*: status $got, expected $expected; says: $(cat "$dir.out")" >&2
        failures=$((failures + 1))
    fi
}
run 0 '' 'all clean'
run 0 true 'all clean'
run 1 '' 'FAILED: text$' text=1
run 1 '' 'FAILED: format tidy$' format=1 tidy=2
run 0 '' '\*\*\* NOT CHECKED: format shell: ' format=77 shell=77
run 1 true 'FAILED: format$' format=77
rm -rf lint

# A tool that is not there is a check that was not made: exit status 77.
mkdir none
for tool in dirname sh; do ln -s "$(command -v $tool)" none/$tool; done
for name in format shell python tidy; do
    got=0
    PATH=$dir/none "$here/$name.sh" build >"$dir.out" 2>&1 || got=$?
    if [ $got -ne 77 ] || ! grep -q "^lint: $name: SKIPPED, " "$dir.out"; then
        echo "lint: selftest: $name.sh without its tool: status $got, expected 77" >&2
        failures=$((failures + 1))
    fi
done
rm -rf none

# the summary of docs/ACCURACY.md
mkdir -p docs
echo '## All of it' >docs/LIMITS.md
rows=$(printf '| a | gfx90a | mean 1.5 %% of 20 | | [b](#b) |\\n%.0s' 1 2 3 4 5 6 7 8 9)
sections='\n### B\n20 rows, mean error 1.5%%, worst 8%%'
expect pass accuracy.sh docs/ACCURACY.md "<!-- begin summary -->\n$rows| a | gfx90a | worst 8 % | | [b](#b), [c](LIMITS.md#all-of-it) |\n<!-- end summary -->$sections"
expect fail accuracy.sh docs/ACCURACY.md "<!-- begin summary -->\n$rows| a | gfx90a | worst 9 % | | [b](#b) |\n<!-- end summary -->$sections"
expect fail accuracy.sh docs/ACCURACY.md "<!-- begin summary -->\n$rows| a | gfx90a | mean 8 % | | [b](#b) |\n<!-- end summary -->$sections"
expect fail accuracy.sh docs/ACCURACY.md "<!-- begin summary -->\n$rows| a | gfx90a | worst 8 % | | [b](#b), [c](LIMITS.md#none) |\n<!-- end summary -->$sections"
expect fail accuracy.sh docs/ACCURACY.md "<!-- begin summary -->\n$rows<!-- end summary -->$sections"
rm -r docs

# programs in Python, and the package's types
if "$here/python.sh" none >/dev/null 2>&1 || [ $? -ne 77 ]; then
    failures=$((failures + 1))
    echo "lint: selftest: python.sh without a built package: not status 77" >&2
fi
mkdir -p build/python/gcnsim sim/python tests/python
if command -v pyflakes3 >/dev/null 2>&1 && command -v pycodestyle >/dev/null 2>&1 && command -v mypy >/dev/null 2>&1; then
    f=build/python/gcnsim/capi.py
    expect_python() {
        printf '%b\n' "$3" >$f
        if "$here/python.sh" build >"$dir.out" 2>&1; then got=pass; else got=fail; fi
        if [ "$got" != "$1" ] || ! grep -q "$2" "$dir.out"; then
            echo "lint: selftest: python.sh with '$3': $got, expected $1" >&2
            failures=$((failures + 1))
        fi
    }
    expect_python pass 'and the types' 'def a(x: int) -> int:\n    return x'
    expect_python fail 'no-untyped-def' 'def a(x):  # type: ignore[]\n    return x'
    expect_python fail 'return-value' 'def a(x: int) -> str:\n    return x'
    expect_python fail E302 'A = 1\ndef a(x: int) -> int:\n    return x'
    echo 'import os' >tests/python/a.py
    expect_python fail 'imported but unused' 'A = 1'
fi
rm -rf build/python sim/python tests/python

# the public headers: parameters are named, structs can grow
mkdir -p tests/unit/api/released
echo 'struct gcnsim_old 8' >tests/unit/api/released/0.1.layout
h=sim/api/gcnsim_a.h grows='struct gcnsim_s {\n    size_t struct_bytes;\n    int a;\n};\n'
expect pass api.sh $h "$grows/* Does a.\n *   a: one\n *   b, c: two */\nGCNSIM_API int gcnsim_a(int a, const char *b,\n    int c[2], struct gcnsim_error *error);"
expect fail api.sh $h "$grows/* Does a.\n *   a: one */\nGCNSIM_API int gcnsim_a(int a, int b);"
expect fail api.sh $h "$grows/* Does a with b.\n *   a: one */\nGCNSIM_API int gcnsim_a(int a, int b);"
expect fail api.sh $h "$grows/* Does a.\n *   a: one\n *   b: */\nGCNSIM_API int gcnsim_a(int a, int b);"
expect fail api.sh $h "$grows/* Does a.\n *   a: one */\n\nGCNSIM_API int gcnsim_a(int a);"
expect fail api.sh $h "${grows}GCNSIM_API int gcnsim_a(void);"
expect fail api.sh $h "$grows/* Does a.\n *   a: one */\nGCNSIM_API int gcnsim_a(int a);\nGCNSIM_API int gcnsim_b(int a);"
expect pass api.sh $h "$grows/* Is called.\n *   a: one\n *   work: two */\ntypedef int gcnsim_fn(void *a, void (*work)(int b));"
expect fail api.sh $h "$grows/* Is called.\n *   a: one */\ntypedef int gcnsim_fn(void *a, void (*work)(int b));"
expect fail api.sh $h "/* Does a. */\nGCNSIM_API int gcnsim_a(void);\nstruct gcnsim_s {\n    int struct_bytes;\n};"
expect pass api.sh $h "/* Does a. */\nGCNSIM_API int gcnsim_a(void);\nstruct gcnsim_old {\n    int a;\n};"
sized='struct gcnsim_s {\n    int a;\n};\n/* Fills s.\n *   s: one\n *   n: its size */\nGCNSIM_API void gcnsim_s_sized(struct gcnsim_s *s, size_t n);\n'
expect pass api.sh $h "${sized}static inline void gcnsim_s(struct gcnsim_s *s)\n{\n}"
expect fail api.sh $h "${sized}static inline void gcnsim_s(struct gcnsim_s *s, int t)\n{\n}"
rm -r tests/unit

if "$here/tidy.sh" build >/dev/null 2>&1 || [ $? -ne 77 ]; then
    cp "$here/../../.clang-tidy" .
    expect pass tidy.sh isa/a.c "int a(int b);\nint a(int b)\n{\n    return b ? 1 : 0;\n}"
    expect fail tidy.sh isa/a.c "int a(int b);\nint a(int b)\n{\n    if (b);\n    return 1;\n}"
    expect fail tidy.sh isa/a.c "enum BadName { A };"
    rm -f .clang-tidy
fi

mkdir -p build
printf '#!/bin/sh\necho "cu.some_cycles  3 cycles  [guess: nobody knows]  meaning"\n' >build/gcnsim
chmod +x build/gcnsim
expect pass figures.sh sim/engine/a.c "int a(struct profile *p) { return p->cu.some_cycles; }"
expect fail figures.sh sim/engine/a.c "int a(struct profile *p) { return p->cu.some_cycles_more; }"
expect fail figures.sh config/a.c "int a(struct profile *p) { return p->cu.some_cycles; }"
rm -f build/gcnsim

if command -v cc >/dev/null 2>&1; then
    mkdir -p build/obj sim/api
    echo 'GCNSIM_API int gcnsim_a(void);' >sim/api/gcnsim.h
    # library SOURCE: what symbols.sh judges
    library() { echo "$1" | cc -fPIC -x c -c -o build/obj/a.o - && cc -shared -o build/libgcnsim.so build/obj/a.o; }
    symbols() {
        library "$2"
        if "$here/symbols.sh" build >"$dir.out" 2>&1; then got=pass; else got=fail; fi
        if [ "$got" != "$1" ]; then
            echo "lint: selftest: symbols.sh with '$2': $got, expected $1" >&2
            failures=$((failures + 1))
        fi
    }
    symbols pass 'int gcnsim_a(void); static const char *const t[] = {"a"}; int gcnsim_a(void) { return t[0][0]; }'
    symbols fail 'int gcnsim_a(void); int other(void); int gcnsim_a(void) { return 1; } int other(void) { return 1; }'
    symbols fail 'int gcnsim_b(void); int gcnsim_b(void) { return 1; }'
    symbols fail 'int gcnsim_a(void); static int n; int gcnsim_a(void) { return n++; }'
    symbols fail 'int gcnsim_a(void); int gcnsim_a(void) { static int n = 3; return n++; }'
    symbols fail 'int gcnsim_a(void); static _Thread_local int n; int gcnsim_a(void) { return n++; }'
fi
[ "$failures" -eq 0 ] || exit 1
echo "lint: selftest: every rule catches what it is for"
