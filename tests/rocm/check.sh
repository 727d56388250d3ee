#!/bin/bash
# `make check-rocm`: unmodified ROCm programs on gcnsim, with the runtimes of Debian's suites (fetch.sh). BUILD is set.
#   features    the feature program (tests/hsa/feature) on each runtime: all of it on the functional engine, some of it on
#               the timing engine, and what needs two GPUs
#               and printf from kernels of several streams (tests/hsa/programs/prints.cpp)
#   libraries   programs of rocRAND, rocSPARSE, rocPRIM and, of 7.2.4, hipCUB, rocThrust and rocBLAS (libraries/)
#   machine     what asks the machine for its GPUs: RCCL of 7.2.4 between two and four of them, in one process and in one
#               for each; ROCm SMI's library, rocminfo
#   opencl      clinfo, and a program of OpenCL (opencl.c) on both engines
#   rocrtst     AMD's tests of the HSA runtime; those that do not pass here are named below, with the reason
# ROCM_PARTS and ROCM_VERSIONS choose; what runs for TIMEOUT seconds (900) is ended. A part that cannot be fetched is
# skipped, which a line says. A line for each run, and what it printed in BUILD/rocm/log. The exit status is 1 when
# anything failed.
set -u -o pipefail
export LC_ALL=C

cd "$(dirname "$0")/../.." || exit 1
build=$(cd "${BUILD:?}" && pwd -P) || exit 1
here=tests/rocm rocm=$build/rocm log=$build/rocm/log gcnsim=$build/gcnsim
parts=${ROCM_PARTS:-features libraries machine opencl rocrtst}
versions=${ROCM_VERSIONS:-5.2.3 5.7.1 6.4.3 7.2.4}
passed=0 failed=0 skipped=0
mkdir -p "$log" || exit 1

has() { case " $1 " in *" $2 "*) return 0 ;; esac; return 1; }
skip() { echo "skip: $*"; skipped=$((skipped + 1)); }
ok() { echo "ok: $*"; passed=$((passed + 1)); }
bad() { # bad NAME LOG
    echo "FAIL: $1 ($2)"
    tail -n 12 "$2" | cut -c 1-300 | sed 's/^/    /'
    failed=$((failed + 1))
}

# fetched VERSION PACKAGE...: whether that ROCm is there now; says so when it is not
fetched() {
    local version=$1 status
    shift
    "$here/fetch.sh" "$version" "$rocm/$version" "$@" >"$log/fetch-$version" 2>&1
    status=$?
    case $status in
    0) return 0 ;;
    77) skip "$(tail -n 1 "$log/fetch-$version" | sed 's/^fetch: //')" ;;
    *) bad "fetch.sh $version" "$log/fetch-$version" ;;
    esac
    return 1
}

# run NAME LAST COMMAND...: it has to end with 0, and its last line with LAST
run() {
    local name=$1 last=$2 out=$log/${1// /-}
    shift 2
    if timeout "${TIMEOUT:-900}" "$@" >"$out" 2>&1 && [[ "$(tail -n 1 "$out")" == *"$last" ]]; then
        ok "$name"
    else
        bad "$name" "$out"
    fi
}

# ---- features ------------------------------------------------------------------------------------------------------

# What clang and runtime of a version know, of one old and these: gfx942, gfx1100, gfx1201.
targets_of() {
    case $1 in
    5.2.3) echo gfx803 gfx90a gfx1030 ;;
    5.7.1) echo gfx90a gfx942 gfx1100 ;;
    *) echo gfx90a gfx942 gfx1100 gfx1201 ;;
    esac
}
on_timing=(arguments lds stack print atomics lanes small_formats copies managed events graph_by_capture cooperative)

# Two units for the GPU, as tests/hsa/programs.mk makes it: most of the time is that of HIP's headers.
make_feature() { # VERSION PROGRAM
    local d=tests/hsa/feature o=$2-units target hiprtc=() flags=(-O2 -std=c++17 -w -x hip)
    for target in $(targets_of "$1"); do flags+=("--offload-arch=$target"); done
    [ "${1%%.*}" -ge 6 ] && hiprtc=(-lhiprtc)
    local hipcc=$rocm/$1/bin/hipcc
    mkdir -p "$o"
    $hipcc "${flags[@]}" --offload-host-only -c $d/main.cpp -o "$o/main.o" &&
        $hipcc "${flags[@]}" -include $d/memory.hip -include $d/queues.hip -c $d/modules.hip -o "$o/host.o" &&
        $hipcc "${flags[@]}" -include $d/kernels.hip -c $d/compute.hip -o "$o/device.o" &&
        $hipcc --offload-arch=gfx90a "$o"/*.o -o "$2" "${hiprtc[@]}"
}

# Each line of kernels in four streams once, and of dispatches that take turns in two. HIP 5.2.3 listens to one queue
# alone (docs/ROCM.md, "printf in kernels").
prints() { # VERSION
    local program=$rocm/$1/prints target engine queues=4 lines flags=(-O2 -std=c++17 -w)
    for target in $(targets_of "$1"); do flags+=("--offload-arch=$target"); done
    "$rocm/$1/bin/hipcc" "${flags[@]}" tests/hsa/programs/prints.cpp -o "$program" >"$log/prints-$1" 2>&1 ||
        { bad "prints of $1" "$log/prints-$1"; return; }
    [ "$1" != 5.2.3 ] || queues=1
    for target in $(targets_of "$1"); do
        for engine in functional timing; do
            for lines in streams:4608 turns:4; do
                run "prints $1 $target $engine ${lines%:*}" " ${lines#*:} lines" env GPU_MAX_HW_QUEUES=$queues \
                    bash -c 'set -o pipefail; "$@" | sort | uniq -u | { grep -c "^dispatch"; } | sed "s/.*/ & lines/"' - \
                    "$gcnsim" exec --arch "$target" --engine "$engine" --no-summary "$program" "${lines%:*}"
            done
        done
    done
}

features() {
    local version program target
    for version in $versions; do
        fetched "$version" || continue
        program=$rocm/$version/feature
        make_feature "$version" "$program" >"$log/feature-$version" 2>&1 || { bad "feature program of $version" "$log/feature-$version"; continue; }
        for target in $(targets_of "$version"); do
            run "features $version $target" " ok, 0 wrong" "$gcnsim" exec --arch "$target" --no-summary "$program"
            run "features $version $target timing" " ok, 0 wrong" \
                "$gcnsim" exec --arch "$target" --engine timing --no-summary "$program" "${on_timing[@]}"
        done
        run "features $version $target 2 GPUs" "2 ok, 0 wrong" \
            "$gcnsim" exec --arch "$target,$target" --no-summary "$program" peer cooperative_devices
        prints "$version"
    done
}

# ---- libraries -----------------------------------------------------------------------------------------------------

# library VERSION NAME TARGETS FLAGS...
library() {
    local version=$1 name=$2 targets=$3 target flags=(-O2 -std=c++17 -w)
    local program=$rocm/$version/library-$name
    shift 3
    for target in $targets; do flags+=("--offload-arch=$target"); done
    "$rocm/$version/bin/hipcc" "${flags[@]}" "$here/libraries/$name.hip" -o "$program" "$@" >"$log/$name-$version" 2>&1 ||
        { bad "$name of $version" "$log/$name-$version"; return; }
    for target in $targets; do
        run "$name $version $target" ": ok" "$gcnsim" exec --arch "$target" --no-summary "$program"
    done
}

libraries() {
    # What Debian's packages have code for, too.
    if has "$versions" 5.2.3 && fetched 5.2.3 librocrand-dev librocprim-dev librocsparse-dev; then
        library 5.2.3 rocrand 'gfx90a gfx1030' -lrocrand
        library 5.2.3 primitives 'gfx90a gfx1030'
        library 5.2.3 rocsparse 'gfx90a gfx1030' -lrocsparse
    fi
    if has "$versions" 7.2.4 && fetched 7.2.4 librocrand-dev libhipcub-dev librocthrust-dev librocsparse-dev librocblas-dev; then
        library 7.2.4 rocrand 'gfx90a gfx942 gfx1100 gfx1201' -lrocrand
        library 7.2.4 primitives 'gfx90a gfx942 gfx1100 gfx1201' -DWITH_HIPCUB -DWITH_ROCTHRUST
        library 7.2.4 rocsparse 'gfx90a gfx942 gfx1100 gfx1201' -lrocsparse
        library 7.2.4 rocblas 'gfx90a gfx942 gfx1100 gfx1201' -lrocblas
    fi
}

# ---- machine -------------------------------------------------------------------------------------------------------

machine() {
    has "$versions" 7.2.4 && fetched 7.2.4 librccl-dev librocm-smi-dev rocminfo || return
    local program target count list flags=(-O2 -std=c++17 -w)
    for target in $(targets_of 7.2.4); do flags+=("--offload-arch=$target"); done
    for program in rccl:rccl smi:rocm_smi64; do
        "$rocm/7.2.4/bin/hipcc" "${flags[@]}" "$here/libraries/${program%:*}.hip" -o "$rocm/7.2.4/library-${program%:*}" \
            "-l${program#*:}" >"$log/${program%:*}" 2>&1 || { bad "${program%:*}" "$log/${program%:*}"; return; }
    done
    program=$rocm/7.2.4/library-rccl
    for target in $(targets_of 7.2.4); do
        for count in 2 4; do
            list=$target,$target
            [ $count = 2 ] || list=$list,$list
            run "rccl $count $target" "RCCL: ok" "$gcnsim" exec --arch "$list" --no-summary "$program"
            run "rccl $count $target, processes" "RCCL: ok" "$gcnsim" exec --arch "$list" --no-summary "$program" $count
        done
    done
    run "rccl 2 gfx90a timing" "RCCL: ok" "$gcnsim" exec --arch gfx90a,gfx90a --engine timing --no-summary "$program"
    for list in gfx90a,gfx90a,gfx90a gfx942,gfx1100 gfx1201; do
        run "smi $list" "ROCm SMI: ok" "$gcnsim" exec --arch "$list" --no-summary "$rocm/7.2.4/library-smi"
    done
    run "rocminfo gfx90a,gfx1100" 2 bash -c 'set -o pipefail; "$@" | grep -c "Device Type: *GPU"' - \
        "$gcnsim" exec --arch gfx90a,gfx1100 --no-summary "$rocm/7.2.4/root/usr/bin/rocminfo"
}

# ---- OpenCL --------------------------------------------------------------------------------------------------------

opencl() {
    has "$versions" 7.2.4 && fetched 7.2.4 rocm-opencl-icd ocl-icd-opencl-dev clinfo || return
    local program=$rocm/7.2.4/opencl root=$rocm/7.2.4/root target engine name
    "$rocm/7.2.4/bin/clang" -O2 $here/opencl.c -o "$program" -lOpenCL >"$log/opencl" 2>&1 ||
        { bad "opencl" "$log/opencl"; return; }
    export OCL_ICD_VENDORS=$root/etc/OpenCL/vendors
    for target in gfx90a gfx1100 gfx1201; do
        name=$target
        [ "$target" != gfx90a ] || name=gfx90a:sramecc+:xnack-
        run "clinfo $target" "OpenCL 3.0" "$gcnsim" exec --arch "$target" --no-summary "$root/usr/bin/clinfo"
        run "clinfo -l $target" "Device #0: $name" \
            "$gcnsim" exec --arch "$target" --no-summary "$root/usr/bin/clinfo" -l
        for engine in functional timing; do
            run "opencl $target $engine" "opencl: ok" \
                "$gcnsim" exec --arch "$target" --engine "$engine" --no-summary "$program"
        done
    done
    unset OCL_ICD_VENDORS
}

# ---- rocrtst -------------------------------------------------------------------------------------------------------

# Tests that are not run, and why; docs/ROCM.md has the same table.
not_run() {
    case $1 in
    Max_Reference_Count) echo "calls hsa_init two thousand million times" ;;
    Queue_CAS_Write_Index_ConcurrentTest) echo "its threads spin for their turn: more than two minutes on two cores" ;;
    *) return 1 ;;
    esac
}

rocrtst() {
    has "$versions" 7.2.4 && fetched 7.2.4 libhwloc15 libnuma1 'libhsa-runtime64-tests!' || return
    local target=gfx90a suite test line tests
    local dir=$rocm/7.2.4/root/usr/libexec/rocm/libhsa-runtime64-tests/$target
    ${CC:-cc} -shared -fPIC -Wl,-soname,libamd_smi.so.26 $here/amd_smi.c -o "$rocm/7.2.4/libamd_smi.so.26" || exit 1
    rocrtst64() {
        (cd "$dir" && LD_LIBRARY_PATH=$rocm/7.2.4 timeout "${TIMEOUT:-900}" "$gcnsim" exec --arch $target --no-summary ./rocrtst64 "$@")
    }
    tests=$(rocrtst64 --gtest_list_tests 2>/dev/null | awk '/^[^ ]/ { s = $1 } /^ / && !/DISABLED/ { print s $1 }')
    [ -n "$tests" ] || { skip "rocrtst lists no tests"; return; }
    for test in $tests; do
        suite=${test%.*}
        if line=$(not_run "${test#*.}"); then
            skip "rocrtst ${test#rocrtst}: $line"
        elif rocrtst64 --gtest_filter="$test" >"$log/$test" 2>&1 && grep -q '^\[  PASSED  \] 1 test' "$log/$test"; then
            ok "rocrtst $suite.${test#*.}"
        else
            bad "rocrtst $suite.${test#*.}" "$log/$test"
        fi
    done
}

for part in $parts; do
    case $part in
    features | libraries | machine | opencl | rocrtst) $part ;;
    *) echo "check-rocm: ROCM_PARTS: '$part' is none of features, libraries, machine, opencl, rocrtst" >&2; exit 2 ;;
    esac
done
echo "$passed passed, $failed failed, $skipped skipped; $(du -sh "$rocm" | cut -f 1) in $rocm"
[ $failed -eq 0 ]
