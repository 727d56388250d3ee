#!/bin/sh
# How fast HIP programs run on the HSA runtime: their start, launches and small copies in a second on both engines, and
# wave-instructions in a second of kernels that compute. The best of several runs counts, since other processes only
# ever make one slower.
#
#   tests/bench/exec.sh [BUILD-FOLDER]
#
# From the repository's root, after `make bench`, which makes the programs (tests/hsa/programs). RUNS=n runs of each.
set -u
build=${1:-build} runs=${RUNS:-5}
gcnsim=$build/gcnsim programs=$build/tests/hsa/programs
if ! [ -x "$programs/rates" ]; then
    echo "skip: HIP programs on the HSA runtime: $(sh tests/deps.sh --why hip)"
    exit 0
fi
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT

# the best of the lines "name number", by name in the order in which they came first
best() {
    awk -v less="$1" '!($1 in v) { n[++k] = $1; v[$1] = $2 } less ? $2 < v[$1] : $2 > v[$1] { v[$1] = $2 }
        END { for (j = 1; j <= k; j++) print n[j], v[n[j]] }'
}

repeat() {
    for _ in $(seq "$runs"); do "$@" || exit 1; done
}

# the lines of best, as a table and as rows (rows.h): FORMAT of a line, NAME before that of the line, FACTOR, UNIT
table() {
    while read -r name figure; do
        # shellcheck disable=SC2059  # a format
        printf "$1" "$name" "$figure"
        "$build/tests/bench/bench_launch" --row "$2 $name" "$(awk "BEGIN { print $figure * $3 }")" "$4" || exit 1
    done
}

seconds() {
    from=$(date +%s%N)
    "$gcnsim" exec --no-summary "$@" >/dev/null || exit 1
    echo "start_and_end $((($(date +%s%N) - from) / 1000))e-6"
}

echo "start and end of a program with a kernel, in seconds"
repeat seconds "$programs/namesake" | best 1 | table '  %s %.3f\n' 'HIP program,' 1000 ms
for engine in functional timing; do
    echo "in a second, $engine engine"
    repeat "$gcnsim" exec --no-summary --engine $engine "$programs/rates" 5000 | best 0 |
        table '  %-12s %9d\n' "HIP calls, $engine," 1 1/s
done
echo "wave-instructions, millions in a second"
for threads in 1 0; do
    repeat "$gcnsim" exec --no-summary --threads $threads "$programs/throughput" | best 1 >"$tmp/seconds"
    rm -f "$tmp/csv"/*
    "$gcnsim" exec --no-summary --threads $threads --csv "$tmp/csv" "$programs/throughput" >/dev/null || exit 1
    awk -F'"?,"?' -v threads=$threads 'FNR == NR { split($0, f, " "); s[f[1]] = f[2]; next }
        FNR == 1 { for (k = 1; k <= NF; k++) { gsub(/"/, "", $k); c[$k] = k } next }
        $c["Counter_Name"] == "instructions.total" { i[$c["Kernel_Name"]] = $c["Counter_Value"] }
        END { for (k in s) printf "  %-12s %9.1f   --threads %d\n", k, i[k] / s[k] / 1e6, threads }' \
        "$tmp/seconds" "$tmp/csv"/*_counter_collection.csv | sort
done
