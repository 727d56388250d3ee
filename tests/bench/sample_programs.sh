#!/bin/sh
# Programs with --sample kernels beside the same programs on the timing engine in full: the tables of docs/ACCURACY.md,
# "Sampled programs". The first has a row for each program: what kernels take in full and as estimated, the interval,
# processor time of both and of the functional engine. The second has a row for each kernel.
#
#   tests/bench/sample_programs.sh [BUILD-FOLDER [PROGRAM...]]
#
# From the repository's root, after `make all build/tests/hsa/programs/workloads`. ARCH=gfx1030: the device. KEEP=folder:
# reports and messages stay there. Without programs, all of them, for some ten minutes. Exit status 1 when a sampled
# program computes something else, or fails.
set -eu
build=${1:-build}
[ $# -eq 0 ] || shift
arch=${ARCH:-gfx90a}
program=$build/tests/hsa/programs/workloads
if ! [ -x "$program" ] || ! command -v sqlite3 >/dev/null; then
    echo "skip: sampled programs: wants sqlite3 and $program ($(sh tests/deps.sh --why hip))"
    exit 0
fi
if [ -n "${KEEP:-}" ]; then
    dir=$KEEP
    mkdir -p "$dir"
else
    dir=$(mktemp -d "${TMPDIR:-/tmp}/gcnsim-bench.XXXXXX")
    trap 'rm -rf "$dir"' EXIT
fi

# iterations: a run in full takes 20 to 90 s of a processor
iterations_of() {
    case $1 in
    multigrid) echo 30 ;;
    search) echo 24 ;;
    queue) echo 36 ;;
    kmeans) echo 40 ;;
    train) echo 75 ;;
    sort) echo 15 ;;
    molecules) echo 160 ;;
    fft) echo 28 ;;
    images) echo 40 ;;
    cameras) echo 20 ;;
    vectors) echo 16 ;;
    *)
        echo "no such program: $1" >&2
        exit 2
        ;;
    esac
}

# run WAY PROGRAM OPTION...: leaves WAY.out, WAY.err, WAY.s (processor time of the host in user mode) in the folder
run() {
    way=$dir/$arch-$2-$1 name=$2
    count=$(iterations_of "$name")
    shift 2
    rm -f "$way.db"
    (
        "$build/gcnsim" exec --arch "$arch" --threads 1 "$@" --report "$way.db" "$program" "$name" "$count" \
            >"$way.out" 2>"$way.err" || echo "exit status $?" >>"$way.out"
        times
    ) | awk 'NR == 2 { split($1, t, /[ms]/); printf "%.1f", 60 * t[1] + t[2] }' >"$way.s"
}

# of both reports, kernels by name, but for copies by the host: calls, timed, microseconds in full, estimated
kernels() {
    sqlite3 -separator ' ' "$dir/$arch-$1-full.db" "
        ATTACH '$dir/$arch-$1-sampled.db' AS s;
        WITH f AS (SELECT k.demangled AS name, count(*) AS calls, sum(end_ns - start_ns) / 1e3 AS us
                FROM main.dispatch d JOIN main.kernel k USING (run, kernel) WHERE engine <> 'host' GROUP BY 1),
            e AS (SELECT k.demangled AS name, sum(engine = 'timing') AS timed, sum(end_ns - start_ns) / 1e3 AS us
                FROM s.dispatch d JOIN s.kernel k USING (run, kernel) WHERE engine <> 'host' GROUP BY 1)
        SELECT substr(f.name, 1, instr(f.name || '(', '(') - 1), calls, timed, f.us, e.us
            FROM f JOIN e USING (name) ORDER BY f.us DESC"
}

# a row of the first table
row() {
    kernels "$1" | awk -v name="$1" -v full_s="$(cat "$dir/$arch-$1-full.s")" -v part_s="$(cat "$dir/$arch-$1-sampled.s")" \
        -v run_s="$(cat "$dir/$arch-$1-functional.s")" -v clusters="$(sqlite3 "$dir/$arch-$1-sampled.db" 'SELECT count(*) FROM cluster')" \
        -v said="$(grep -o 'ESTIMATE .*' "$dir/$arch-$1-sampled.err" || true)" \
        -v unsafe="$(grep -c UNSAFE "$dir/$arch-$1-sampled.err" || true)" '
        function abs(x) { return x < 0 ? -x : x }
        { calls += $2; timed += $3; full += $4; part += $5 }
        abs($5 - $4) >= worst { worst = abs($5 - $4); who = $1; by = 100 * ($5 / $4 - 1) }
        END {
            # ESTIMATE of all kernels'"'"' time T us; 95 % interval FROM to TO (+-P %)
            n = split(said, w, " ")
            for (k = 1; k <= n; k++)
                if (w[k] == "time") part = w[k + 1]
                else if (w[k] == "interval") { from = w[k + 1]; to = w[k + 3]; half = w[k + 4] }
            gsub(/[(]/, "", half)
            place = !n ? "all timed" : full >= from && full <= to ? "inside" : "outside"
            if (unsafe > 0)
                place = place ", unsafe"
            half = n ? half " %" : ""
            printf "| %s | %d | %d | %d | %.0f | %.0f | %+.1f %% | %s | %s | %s %+.1f %% | %.1f | %.1f | %.1f | %.1f |\n", name, calls,
                clusters, timed, full, part, 100 * (part / full - 1), half, place, who, by, full_s, part_s, run_s,
                full_s / part_s
        }'
}

[ $# -gt 0 ] || set -- multigrid search queue kmeans train sort molecules fft images cameras vectors
differ=0
echo "| program | dispatches | clusters | timed | in full, us | estimate | error | interval | | most wrong | in full, s | sampled | functional | speed |"
echo "|---|---:|---:|---:|---:|---:|---:|---:|---|---|---:|---:|---:|---:|"
for name; do
    run full "$name" --engine timing --no-summary
    run sampled "$name" --engine timing --sample kernels
    run functional "$name" --no-summary
    for way in sampled functional; do
        cmp -s "$dir/$arch-$name-full.out" "$dir/$arch-$name-$way.out" && continue
        echo "$name: $way, it says \"$(cat "$dir/$arch-$name-$way.out")\", in full \"$(cat "$dir/$arch-$name-full.out")\"" >&2
        differ=1
    done
    row "$name"
done
echo
echo "| program | kernel | dispatches | timed | in full, us | estimate | error |"
echo "|---|---|---:|---:|---:|---:|---:|"
for name; do
    kernels "$name" | awk -v name="$name" '{ printf "| %s | %s | %d | %d | %.1f | %.1f | %+.1f %% |\n", name, $1, $2, $3, $4, $5,
        100 * ($5 / $4 - 1) }'
done
exit $differ
