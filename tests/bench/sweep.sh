#!/bin/sh
# sweep.sh BUILD [LEAST]: how busy a sweep of 1,000 points keeps this machine's processors: the CPU time of the points'
# processes over the wall time of the sweep and the number of processors; beside it, for how much of that time there was
# a process for each of them. Wants an otherwise idle machine. Exit status 1 when the first one is less than LEAST percent.
set -eu
build=$1 least=${2:-0}
dir=$(mktemp -d "${TMPDIR:-/tmp}/gcnsim-bench.XXXXXX")
trap 'rm -rf "$dir"' EXIT
cat >"$dir/s.json" <<END
{"gcnsim_sweep": 1, "launches": [{"run": ["$PWD/traces/samples/gfx90a/mandelbrot.json", "--replace-arg", "3=u32:1000"]}],
 "axes": [{"set": "gpu.shader_clock_mhz", "range": {"from": 1001, "to": 2000, "step": 1}}]}
END
began=$(date +%s.%N)
"$build/gcnsim" sweep "$dir/s.json" --output "$dir/s.sqlite" --progress never
ended=$(date +%s.%N)
"$build/gcnsim" sweep show "$dir/s.sqlite" --value "host_cpu_seconds || ' ' || host_seconds" --csv - | sed 's/.*,//' |
    awk -v wall="$(echo "$began $ended" | awk '{ print $2 - $1 }')" -v processors="$(nproc)" -v least="$least" '
        NR > 1 { cpu += $1; there += $2; points++ }
        END {
            busy = 100 * cpu / (wall * processors)
            printf "sweep: %d points of %.1f ms in %.1f s: %d processors are %.1f %% busy with them; there is one for each " \
                "%.1f %% of the time\n", points, 1000 * cpu / points, wall, processors, busy,
                100 * there / (wall * processors)
            exit busy < least
        }'
