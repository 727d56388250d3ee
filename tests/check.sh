#!/bin/sh
# Everything that is worth waiting for; called by `make check` with BUILD, MAKE, NPROC, FUZZ_SECONDS set.
#   1. both compilers, warnings as errors           BUILD-gcc, BUILD-clang
#   2. all tests under ASan and UBSan               BUILD-asan-all
#   3. lint
#   4. determinism: the same run twice and with 1 and 2 threads gives the same report but for "host"
#   5. decoding against LLVM 19 at length: 200,000 walked and 1,000,000 random encodings for each target, and flips
#   6. rows of vector instructions over every float, random kernels for KERNEL_SECONDS
#   7. sweeps of 1,000 points on four ranks of MPI, and how busy a sweep keeps the processors
#   8. every fuzz target for FUZZ_SECONDS, those that run kernels for FUZZ_LONG_SECONDS (600)   BUILD-asan
#   9. the Debian packages, built and used in chroots (tests/packages.sh)   BUILD/packages
#  10. recipes of CONTRIBUTING.md, as patches (tests/recipes/run.sh)          BUILD/recipes
# Goes on after a failure and says at the end what failed.
set -u
failed=
sub() { $MAKE --no-print-directory -j"$NPROC" "$@"; }
step() { echo "== $*"; }
fail() { echo "check: FAILED: $1" >&2; failed="$failed $1;"; }
tmp=$(mktemp -d "${TMPDIR:-/tmp}/gcnsim-check.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM HUP

# the tests that follow use it where it can be had
step "LLVM 22"
sh tests/llvm22.sh --fetch >"$tmp/llvm22" 2>&1 || { tail -3 "$tmp/llvm22"; echo "check: SKIPPED: what needs LLVM 22"; }

clang=
for c in clang-19 clang; do
    command -v $c >/dev/null 2>&1 && { clang=$c; break; }
done

step "gcc, warnings as errors"
sub -k BUILD="$BUILD-gcc" CC=gcc WERROR=-Werror test-programs >"$tmp/log" 2>&1 || { tail -40 "$tmp/log"; fail "build with gcc -Werror"; }
if [ -n "$clang" ]; then
    step "$clang, warnings as errors"
    sub -k BUILD="$BUILD-clang" CC=$clang WERROR=-Werror test-programs >"$tmp/log" 2>&1 ||
        { tail -40 "$tmp/log"; fail "build with $clang -Werror"; }
else
    step "clang: SKIPPED, not installed"
fi

# warnings were judged above; a new one must not keep the tests from running
step "tests under AddressSanitizer and UndefinedBehaviorSanitizer"
san="-fsanitize=address,undefined -fno-sanitize-recover=all"
TIMEOUT=3600 ASAN_OPTIONS=detect_leaks=1 \
    sub BUILD="$BUILD-asan-all" CC=gcc SAN="$san" OPT=-O1 test >"$tmp/asan" 2>&1
status=$?
grep -E '^(FAIL|ok )|^skipped|ERROR: |runtime error' "$tmp/asan"
grep -E '^[0-9]+ passed, [0-9]+ failed$' "$tmp/asan"
if [ $status -ne 0 ]; then
    mkdir -p "$BUILD-asan-all" && cp "$tmp/asan" "$BUILD-asan-all/test.log"
    tail -20 "$tmp/asan"
    fail "tests under sanitizers (all of it in $BUILD-asan-all/test.log)"
fi

step "host threads under ThreadSanitizer"
TIMEOUT=3600 sub sanitize-threads >"$tmp/tsan" 2>&1 ||
    { grep -E '^(FAIL|SUMMARY)|WARNING: ' "$tmp/tsan"; tail -20 "$tmp/tsan"; fail "tests under ThreadSanitizer"; }
grep -E '^[0-9]+ passed, [0-9]+ failed$' "$tmp/tsan"

step "lint"
sub lint || fail "lint"

step "recipes of CONTRIBUTING.md"
MAKE="$MAKE" NPROC="$NPROC" sh tests/recipes/run.sh "$BUILD" || fail "recipes"

step "determinism"
sub all >/dev/null || fail "build"
for launch in traces/samples/*/*.json; do
    for engine in functional timing; do
        for run in 1a 1b 2; do
            if ! "$BUILD/gcnsim" run "$launch" --engine $engine --threads ${run%[ab]} --json - --progress never \
                >"$tmp/all.json" 2>"$tmp/err"; then
                fail "$launch --engine $engine: $(head -1 "$tmp/err")"
                break 2
            fi
            sh tests/strip_host.sh <"$tmp/all.json" >"$tmp/$run.json"
            [ -s "$tmp/$run.json" ] || { fail "$launch --engine $engine: no report"; break 2; }
        done
        cmp -s "$tmp/1a.json" "$tmp/1b.json" || fail "$launch --engine $engine: two runs differ"
        cmp -s "$tmp/1a.json" "$tmp/2.json" || fail "$launch --engine $engine: 1 and 2 threads differ"
    done
done

step "decoding against LLVM 19 at length"
sub "$BUILD/tests/golden/test_decode" >"$tmp/log" 2>&1 || { tail -20 "$tmp/log"; fail "build of test_decode"; }
DECODE_WALK=200000 DECODE_RANDOM=1000000 DECODE_FLIP=300000 DECODE_TRIP=50000 \
    "$BUILD/tests/golden/test_decode" >"$tmp/decode" 2>&1 || { tail -60 "$tmp/decode"; fail "decoding against LLVM 19"; }
grep -E '^(SKIPPED|gfx[0-9a-f]*, )' "$tmp/decode"

# long PROGRAM WORDS WHAT VARIABLE=VALUE...: a test program at length; the lines with WORDS are shown
long() {
    program=$BUILD/tests/$1 words=$2 what=$3
    shift 3
    if sub "$program" >"$tmp/log" 2>&1 && env "$@" "$program" >"$tmp/log" 2>&1; then
        grep -E "$words" "$tmp/log"
    else
        tail -60 "$tmp/log"
        fail "$what"
    fi
}

step "vector instructions by whole rows beside lane by lane, functions of every float"
long unit/isa/test_whole_rows '^\[  PASSED' "whole rows" GCNSIM_WHOLE_ROWS=1
long unit/isa/test_fp8 '^\[  PASSED' "floats of 8 bits" GCNSIM_WHOLE_ROWS=1

step "kernels of C beside the host, every build of every target"
long system/test_kernels '^\[  PASSED' "kernels of C" GCNSIM_KERNEL_TARGETS=all

step "random kernels, ${KERNEL_SECONDS:=60} s from seed ${KERNEL_SEED:=$(date +%s)000}"
long system/test_random_kernels '^(random kernels: |skipped)' "random kernels from seed $KERNEL_SEED" \
    GCNSIM_FUZZ_SECONDS="$KERNEL_SECONDS" GCNSIM_FUZZ_SEED="$KERNEL_SEED"

step "hazards against LLVM 22, every sequence of every target"
long system/test_hazard_sweep '^(gfx|LLVM 22)' "hazards against LLVM 22" GCNSIM_HAZARD_TARGET=all

step "300 kernels that race in LDS and are right in time"
long system/test_lds_order '^(\[  PASSED|skipped)' "races in LDS that time hides" GCNSIM_LDS_KERNELS=300

step "every request to the host fails in turn"
long system/test_faults '^[a-z-]*: [0-9]+ requests' "failures of the host" GCNSIM_FAULTS=all

step "sweeps of 1,000 points, on four ranks of MPI, too"
long system/test_sweep_mpi '^skipped' "sweeps on ranks" GCNSIM_SWEEP=long
sh tests/bench/sweep.sh "$BUILD" 95 || fail "a sweep keeps processors idle (on an idle machine they are 95 % busy)"

step "fuzz targets, $FUZZ_SECONDS s for each, ${FUZZ_LONG_SECONDS:=600} s for those that run kernels"
sub FUZZ_SECONDS="$FUZZ_SECONDS" FUZZ_LONG_SECONDS="$FUZZ_LONG_SECONDS" fuzz || fail "fuzz targets"

step "packages"
sub check-packages || fail "packages"

if [ -n "$failed" ]; then
    echo "check: FAILED:$failed" >&2
    exit 1
fi
echo "check: all passed"
