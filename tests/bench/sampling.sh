#!/bin/sh
# sampling.sh BUILD [CHIP [KERNEL...]]: estimates of `gcnsim run --sample workgroups=AUTO` beside the launches in full, as
# the tables of docs/ACCURACY.md ("Sampled launches") have them: the sample kernels on large grids of a chip (gfx1201 or
# gfx90a) with 16 compute units. Buffers are of zeros, the histogram's of random bytes. Speed is that of processor time.
#
# WINDOWS=n: each grid has n times as many workgroups as the chip has room for at once; without it 1,200 times for
# kernels that are simulated quickly, 600 and 300 for others, and on gfx90a a quarter of that. FULL=dir: keeps the
# launches in full there, and takes those that are there. SKIP=1: also with --sample-skip.
set -eu
export LC_ALL=C
build=$1 chip=${2:-gfx1201} windows=${WINDOWS:-} skip=${SKIP:-}
shift
[ $# -eq 0 ] || shift
dir=$(mktemp -d "${TMPDIR:-/tmp}/gcnsim-bench.XXXXXX")
trap 'rm -rf "$dir"' EXIT
full=${FULL:-$dir/full}
mkdir -p "$full"
samples=$PWD/traces/samples
case $chip in
gfx1201) arch=gfx1201-rx9070xt at_once=64 fewer=1 ;; # workgroups of 256 items that the chip has room for
gfx90a) arch=gfx90a-mi210 at_once=128 fewer=4 ;;
*) echo "sampling.sh: no chip $chip" >&2 && exit 2 ;;
esac

# A half of the kernels, its name, the code object, work-items in x and y, those of a workgroup, and arguments as in a
# launch file.
row() {
    row_half=$1 kernel=$2 file=$3 x=$4 y=$5 group=$6
    shift 6
    for arg; do printf ', "%s"' "$arg"; done >"$dir/args"
    printf '{"file": "%s", "kernel": "%s", "grid": [%s, %s, 1], "workgroup": [%s, 1], "args": [%s]}\n' \
        "$samples/$chip/$file.co" "$kernel" "$x" "$y" "$group" "$(sed 's/^, //' "$dir/args")" >"$dir/$kernel.json"
}

# run OUT OPTION...: the report with the run's processor time after it
run() {
    out=$1
    shift
    (
        "$build/gcnsim" run "$dir/$kernel.json" --arch "$arch" --set gpu.cus=16 --json - --progress never "$@" >"$out.part"
        times >"$dir/times"
    )
    sed -n '2s/[ms]/ /gp' "$dir/times" |
        awk '{ printf "\"processor_seconds\": %.2f\n", $1 * 60 + $2 + $3 * 60 + $4 }' >>"$out.part"
    mv "$out.part" "$out"
}

# The first value of a key of a report.
value() {
    sed -n "s/^ *\"$2\": *\([^,]*\).*/\1/p" "$1" | head -1
}

measure() {
    key=$full/$chip-$kernel-${windows:-few}.json
    [ -s "$key" ] || run "$key"
    run "$dir/sampled" --sample workgroups=AUTO
    [ -z "$skip" ] || run "$dir/skipped" --sample workgroups=AUTO --sample-skip
    {
        for k in workgroups detailed_workgroups resident_workgroups cycles_low cycles_high unsafe processor_seconds; do
            echo "$k $(value "$dir/sampled" $k)"
        done
        echo "estimate $(value "$dir/sampled" cycles)"
        echo "full $(value "$key" cycles)"
        echo "full_seconds $(value "$key" processor_seconds)"
        [ -z "$skip" ] || echo "skip_seconds $(value "$dir/skipped" processor_seconds)"
    } >"$dir/values"
    awk -v half="$row_half" -v kernel="$kernel" '
        function grouped(n) {
            n = sprintf("%d", n)
            while (n ~ /^[0-9][0-9][0-9][0-9]/)
                sub(/[0-9][0-9][0-9](,|$)/, ",&", n)
            return n
        }
        { v[$1] = $2 }
        END {
            error = 100 * (v["estimate"] / v["full"] - 1)
            inside = v["cycles_low"] <= v["full"] && v["full"] <= v["cycles_high"] ? "inside" : "outside"
            printf "| %s | %s | %s | %s | %.1f %% | %s | %s | %+.1f %% | +-%.1f %% | %s | %.2f | %.2f | %.1f", half, kernel,
                grouped(v["workgroups"]), grouped(v["workgroups"] / v["resident_workgroups"]),
                100 * v["detailed_workgroups"] / v["workgroups"], grouped(v["full"]), grouped(v["estimate"]), error,
                50 * (v["cycles_high"] - v["cycles_low"]) / v["estimate"],
                inside (v["unsafe"] == "true" ? ", unsafe" : ""), v["full_seconds"], v["processor_seconds"],
                v["full_seconds"] / v["processor_seconds"]
            if ("skip_seconds" in v)
                printf " (%.0f)", v["full_seconds"] / v["skip_seconds"]
            print " |"
        }' "$dir/values"
}

# Workgroups, or rows of work-items where a row of the grid has so many workgroups.
size() {
    groups=$((${windows:-$(($1 / fewer))} * at_once))
    items=$((groups * 256))
    bytes=$((items * 4))
    rows=$((groups * 16 / ${2:-16}))
}

kernels() {
    size 1200
    row A vecadd vecadd $items 1 256,1 buf:$bytes buf:$bytes buf:$bytes u32:$items
    "$@"
    row A saxpy saxpy $items 1 256,1 f32:1.7 buf:$bytes buf:$bytes u32:$items
    "$@"
    row A reduce_lds reduce_lds $items 1 256,1 buf:$bytes buf:$((4 * groups))
    "$@"
    size 1200 256
    row A stencil stencil 4096 $rows 16,16 buf:$bytes buf:$bytes u32:4096 u32:$rows f32:0.15
    "$@"
    size 600 128
    row A matmul matmul 2048 $rows 16,16 buf:$((256 * rows)) buf:524288 buf:$bytes u32:64 u32:2048
    "$@"
    size 300
    columns=$((groups / 4)) more=$((4 * bytes))
    row A transpose_padded transpose $columns 1024 32,8 buf:$more buf:$more u32:4096 u32:$columns
    "$@"
    size 1200
    row B reduce_dpp reduce_dpp $items 1 256,1 buf:$bytes buf:$((8 * groups))
    "$@"
    size 600
    row B scan scan $items 1 256,1 buf:$bytes buf:$bytes buf:$((4 * groups))
    "$@"
    # twice as many workgroups of half the items are there at once
    row B softmax softmax $items 1 128,1 buf:$((2 * bytes)) buf:$((2 * bytes)) u32:256
    "$@"
    size 300
    row B histogram histogram $items 1 256,1 "in:$dir/bytes" buf:1024 buf:1024 buf:8 u32:$bytes u32:$groups
    "$@"
    row B transpose_naive transpose $columns 1024 32,8 buf:$more buf:$more u32:4096 u32:$columns
    "$@"
    size 600 128
    row B mandelbrot mandelbrot 2048 $rows 16,16 buf:$bytes u32:2048 u32:$rows u32:100 \
        f32:-2.25 f32:-1.25 f32:0.0015
    "$@"
}

wanted=" $* "
measure_wanted() {
    case $wanted in
    "  " | *" $kernel "*) ;;
    *) return 0 ;;
    esac
    if [ "$kernel" = histogram ]; then
        awk 'BEGIN {
            for (n = 1; n <= 65536; n++) {
                s = (s * 69069 + 12345) % 4294967296
                printf "%c", int(s / 16777216)
            }
        }' >"$dir/some"
        while [ "$(wc -c <"$dir/some")" -lt $bytes ]; do
            cat "$dir/some" "$dir/some" >"$dir/bytes"
            mv "$dir/bytes" "$dir/some"
        done
        mv "$dir/some" "$dir/bytes"
    fi
    measure
}

echo "| half | kernel | workgroups | windows | in detail | cycles in full | estimate | error | interval | |" \
    "s in full | s sampled | speed |"
echo "|---|---|---:|---:|---:|---:|---:|---:|---:|---|---:|---:|---:|"
kernels measure_wanted
