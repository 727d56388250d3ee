#!/bin/sh
# Runs cmocka test programs and adds up what they say.
#   tests/run.sh PROGRAM...      JOBS=N programs at once (default: one for each processor), TIMEOUT=SECONDS for each
#   NOT_BUILT=1: one more failure, since some of the programs, or what they are made of, could not be built
# For each program: cmocka's closing lines, its skips, and one line of ours; the whole output where something failed.
# The last line is "N passed, N failed" over all programs. A program that crashes, hangs, or reports no test at all
# counts as one failed test. The exit status is 1 when anything failed.
set -u
not_built=${NOT_BUILT:-0}
unset NOT_BUILT # of this run, not of those that the programs start
JOBS=${JOBS:-$(nproc 2>/dev/null || echo 1)}
# the only limit of time that tests have: for what hangs, however slow the host is
TIMEOUT=${TIMEOUT:-3600}

if [ "${1:-}" = --one ]; then
    # newer versions of cmocka (1.1.7) name the group: "[==========] group: 5 test(s) run."
    # one program: its log and its verdict go to files, and its paragraph is printed whole when it is done
    dir=$2 prog=$3
    name=$(echo "$prog" | sed 's|.*/tests/|tests/|')
    log=$dir/$(echo "$name" | tr / _).log
    start=$(date +%s.%N)
    timeout -k 5 "$TIMEOUT" "$prog" </dev/null >"$log" 2>&1
    status=$?
    seconds=$(echo "$start $(date +%s.%N)" | awk '{ printf "%.1f", $2 - $1 }')
    total() { sed -n "s/^\[ *$1 *\] \(.*: \)*\([0-9][0-9]*\) test(s).*/\2/p" "$log" | awk '{ n += $1 } END { print n + 0 }'; }
    passed=$(total PASSED) failed=$(total FAILED) skipped=$(total SKIPPED)
    ran=$(sed -n 's/^\[=*\] \(.*: \)*\([0-9][0-9]*\) test(s) run\..*/\2/p' "$log" | awk '{ n += $1 } END { print n + 0 }')
    why=
    if [ "$status" -eq 124 ]; then
        why="no end after $TIMEOUT s"
    elif [ "$status" -gt 128 ]; then
        why="killed by signal $((status - 128))"
    elif [ ! -x "$prog" ]; then
        why="was not built"
    elif [ "$ran" -eq 0 ]; then
        why="reported no tests (exit status $status)"
    elif [ "$status" -ne 0 ] && [ "$failed" -eq 0 ]; then
        why="exit status $status"
    elif [ "$((passed + failed + skipped))" -ne "$ran" ]; then
        why="ran $ran tests but accounts for $((passed + failed + skipped))"
    fi
    [ -z "$why" ] || failed=$((failed + 1))
    {
        if [ "$failed" -gt 0 ]; then
            tail -n 400 "$log"
            echo "FAIL $name: $passed passed, $failed failed${why:+ ($why)}, $seconds s"
        else
            grep -i '^skip' "$log"
            grep -E '^\[(==========| *PASSED *)\] (.*: )?[0-9]+ test\(s\)( run)?\.' "$log"
            if [ "$skipped" -gt 0 ]; then
                grep -E '^\[ *SKIPPED *\] [^0-9]' "$log" | sort -u
                echo "ok   $name: $passed passed, $skipped skipped, $seconds s"
            else
                echo "ok   $name: $passed passed, $seconds s"
            fi
        fi
    } >"$log.out"
    echo "$passed $failed $skipped" >"$log.sum"
    # one write, so that programs that end together do not mix their lines
    cat "$log.out"
    exit 0
fi

if [ $# -eq 0 ]; then
    echo "run.sh: no test programs given" >&2
    exit 1
fi
dir=$(mktemp -d "${TMPDIR:-/tmp}/gcnsim-tests.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM HUP
# what the programs note here (docs/TESTING.md), those of tests/closing read when all others are through
GCNSIM_RECORDS=${GCNSIM_RECORDS:-$dir/records}
# what they leave when they crash or take too long goes with the rest; tests pass through it as other users
TMPDIR=$dir/tmp
mkdir -p "$GCNSIM_RECORDS" "$TMPDIR" && chmod 711 "$dir" "$TMPDIR" || exit 1
export JOBS TIMEOUT GCNSIM_RECORDS TMPDIR
for program; do
    case $program in
    */tests/closing/*) printf '%s\0' "$program" >>"$dir/closing.list" ;;
    *) printf '%s\0' "$program" >>"$dir/first.list" ;;
    esac
done
for list in first closing; do
    [ ! -f "$dir/$list.list" ] || xargs -0 -n 1 -P "$JOBS" "$0" --one "$dir" <"$dir/$list.list"
done
programs=$#
cat "$dir"/*.sum | awk -v programs="$programs" -v not_built="$not_built" '
    { passed += $1; failed += $2; skipped += $3; seen++ }
    END {
        if (seen < programs) {
            printf "%d test program(s) left no verdict\n", programs - seen
            failed += programs - seen
        }
        if (not_built) {
            print "not all test programs could be built: see the errors of make above"
            failed++
        }
        if (skipped)
            printf "%d skipped: see the lines above\n", skipped
        printf "%d passed, %d failed\n", passed, failed
        exit failed ? 1 : 0
    }'
