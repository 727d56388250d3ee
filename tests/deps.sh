#!/bin/sh
# Installs what is missing through apt; says nothing and takes little time when nothing is.
#   deps.sh              what the build and the tests need, and LLVM 19's tools where apt has them (--tests)
#   deps.sh --build      what the build alone needs
#   deps.sh --lint       what `make lint` uses beside the build: clang-format-14, clang-tidy and shellcheck, all optional
#   deps.sh --fuzz       what the fuzz targets use beside the build: clang-19's fuzzer runtime, optional
#   deps.sh --hsa        what libhsa-runtime64.so.1 is built with, beside the rest of the build; optional
#   deps.sh --rocm       what makes programs for tests/hsa: HIP's and OpenMP's compilers and runtimes, optional
#   deps.sh --mpi        what sweeps on several ranks are built and tested with: Open MPI; optional
#   deps.sh --slurm      what batch scripts of sweeps are tested with: Slurm and munge; optional
#   deps.sh --packages   what tests of the installed gcnsim use: CMake, Python with NumPy and venv, mmdebstrap, all optional
# Several of these together are one step of apt: deps.sh --tests --hsa.
#   deps.sh --check      installs nothing: exit status 0 when everything required is there
#   deps.sh --why clang  installs nothing: exit status 0 when clang-19 makes amdgcn code objects here, else says why not
#   deps.sh --why fuzz   the same of fuzz targets
#   deps.sh --why hip    the same of HIP programs, which hipcc makes; --why openmp: of programs with target regions;
#                        --why mpi: of MPI programs; --why slurm: of a Slurm on this machine alone
# Each tool is asked for as it will be used: the compiler makes a program with the libraries that the Makefile names, and
# clang-19 is asked which linker it starts for amdgcn code. Packages that cannot be installed are one line that
# names them: an error when the build cannot do without one of them, a note otherwise.
set -eu

have() { command -v "$1" >/dev/null 2>&1; }

# A package with another name on other suites is all its names, newest first: libmsgpack-c-dev|libmsgpack-dev.
required=
optional=
need() { required="$required $1"; }
want() { case "$required $optional " in *" $1 "*) ;; *) optional="$optional $1" ;; esac; }

dir=
in_dir() {
    [ -n "$dir" ] || dir=$(mktemp -d "${TMPDIR:-/tmp}/gcnsim-deps.XXXXXX")
    trap 'rm -rf "$dir"' EXIT
}

# builds LIBRARY... -- HEADER...: whether the compiler makes a program with these, the flags as in the Makefile
builds() {
    libraries='' fallback=''
    while [ "$1" != -- ]; do
        libraries="$libraries ${1%%:*}"
        fallback="$fallback ${1#*:}"
        shift
    done
    shift
    in_dir
    { for h; do echo "#include <$h>"; done; echo 'int main(void) { return 0; }'; } >"$dir/probe.c"
    # shellcheck disable=SC2046,SC2086  # lists of flags
    ${CC:-cc} $(pkg-config --cflags $libraries 2>/dev/null) "$dir/probe.c" -o "$dir/probe" \
        $(pkg-config --libs $libraries 2>/dev/null || echo $fallback) >/dev/null 2>&1
}

elf=libelf:-lelf dwarf=libdw:-ldw json=libcjson:-lcjson zstd=libzstd:-lzstd
zlib=zlib:-lz hash=nettle:-lnettle demangler=iberty:-liberty sqlite=sqlite3:-lsqlite3
cmocka_headers="stdarg.h stddef.h stdint.h setjmp.h cmocka.h"

ask_build() {
    have make || need make
    { have ld && have ar && have nm; } || need binutils
    # its name is only known when it is there
    msg=msgpack:-lmsgpackc
    ! pkg-config --exists msgpack-c 2>/dev/null || msg=msgpack-c:-lmsgpack-c
    have python3 || want python3
    # All at once first: one run of the compiler is enough where nothing is missing.
    have pkg-config && builds $elf $dwarf $json $msg $zstd $zlib $hash $sqlite -- stdio.h libelf.h elfutils/libdw.h \
        cjson/cJSON.h msgpack.h zstd.h zlib.h nettle/sha2.h sqlite3.h && builds $demangler -- stdio.h && return 0
    have pkg-config || need pkg-config
    if ! builds -- stdio.h; then
        { have gcc && have cc; } || need gcc
        need libc6-dev
    fi
    builds $elf -- libelf.h || need libelf-dev
    builds $dwarf -- elfutils/libdw.h || need libdw-dev
    builds $json -- cjson/cJSON.h || need libcjson-dev
    builds $msg -- msgpack.h || need "libmsgpack-c-dev|libmsgpack-dev"
    builds $zstd -- zstd.h || need libzstd-dev
    builds $zlib -- zlib.h || need zlib1g-dev
    builds $hash -- nettle/sha2.h || need nettle-dev
    builds $demangler -- stdio.h || need libiberty-dev
    builds $sqlite -- sqlite3.h || need libsqlite3-dev
}

# clang-19 links amdgcn code with the ld.lld that lies beside it or comes first in PATH, whatever its version is; the
# objects of clang 19 are refused by an older one ("unknown abi version").
linker_fits() {
    linker=$(clang-19 -target amdgcn-amd-amdhsa -print-prog-name=ld.lld 2>/dev/null) || linker=
    have "${linker:-ld.lld}" || { why="clang-19 finds no ld.lld to link amdgcn code with (Debian: lld-19)"; return 1; }
    version=$("$linker" --version 2>/dev/null | sed -n 's/.*LLD \([0-9][0-9]*\)\..*/\1/p')
    [ "${version:-0}" -ge 19 ] && return 0
    why="clang-19 links amdgcn code with $linker, LLD ${version:-of an unknown version}, and needs 19 (Debian: lld-19)"
    return 1
}

ask_tests() {
    # shellcheck disable=SC2086  # a list of headers
    builds :-lcmocka -- $cmocka_headers || need libcmocka-dev
    builds mpfr:-lmpfr -- stdio.h mpfr.h || want libmpfr-dev
    # Without clang-19, which is about to come, its linker can only be judged by its name.
    if have clang-19; then linker_fits || want lld-19; else want clang-19; have ld.lld-19 || want lld-19; fi
    { have llvm-mc-19 && have llvm-objdump-19; } || want llvm-19
    have clang-offload-bundler-19 || want clang-tools-19
}

ask_lint() {
    # clang-format's output changes between versions; format.sh takes version 14 under either name
    have clang-format-14 || clang-format --version 2>/dev/null | grep -q 'version 14\.' || want clang-format-14
    have clang-tidy-14 || want clang-tidy-14
    have shellcheck || want shellcheck
    have pyflakes3 || want pyflakes3
    have pycodestyle || want pycodestyle
    have mypy || want mypy
    imports numpy || want python3-numpy
}

fuzzes() {
    in_dir
    echo 'int LLVMFuzzerTestOneInput(const char *p, unsigned long n); int LLVMFuzzerTestOneInput(const char *p, unsigned long n) { return p && n > 9; }' >"$dir/fuzz.c"
    ${FUZZ_CC:-clang-19} -fsanitize=fuzzer,address,undefined "$dir/fuzz.c" -o "$dir/fuzz" >/dev/null 2>&1 && return 0
    why="${FUZZ_CC:-clang-19} makes no fuzz target (Debian: clang-19, libclang-rt-19-dev)"
    return 1
}

ask_fuzz() {
    fuzzes && return 0
    have clang-19 || want clang-19
    want libclang-rt-19-dev
}

ask_hsa() {
    builds -- hsa/hsa_ext_amd.h || want libhsa-runtime-dev
    builds $sqlite -- sqlite3.h || want libsqlite3-dev
    builds $demangler -- stdio.h || want libiberty-dev
}

hips() {
    have hipcc || { why="no hipcc"; return 1; }
    in_dir
    echo '#include <hip/hip_runtime.h>
__global__ void k(int *p) { *p = 1; }
int main() { k<<<1, 1>>>(nullptr); return hipDeviceSynchronize(); }' >"$dir/hip.cpp"
    hipcc --offload-arch=gfx90a "$dir/hip.cpp" -o "$dir/hip" >/dev/null 2>&1 && return 0
    why="hipcc makes no program for gfx90a (Debian: hipcc, libamdhip64-dev)"
    return 1
}

# The host's runtime is found as the compiler finds it; the device's bitcode comes with it.
openmps() {
    have clang-19 || { why="no clang-19"; return 1; }
    case $(clang-19 -print-file-name=libomptarget.so 2>/dev/null) in
    */*) return 0 ;;
    esac
    why="clang-19 finds no libomptarget.so (Debian: libomp-19-dev)"
    return 1
}

ask_rocm() {
    have hipcc || want hipcc
    builds -- hip/hip_version.h || want libamdhip64-dev
    openmps || want libomp-19-dev
}

mpis() {
    if builds ompi-c:-lmpi -- stdio.h mpi.h && have mpirun; then return 0; fi
    why="no program with Open MPI is made or started (Debian: libopenmpi-dev, openmpi-bin)"
    return 1
}

ask_mpi() {
    builds ompi-c:-lmpi -- stdio.h mpi.h || want libopenmpi-dev
    have mpirun || want openmpi-bin
}

# Daemons are for root, and lie where others may not look.
daemon() { have "$1" || [ -x "/usr/sbin/$1" ]; }

slurms() {
    if ! { have sbatch && have srun && daemon slurmctld && daemon slurmd && daemon munged; }; then
        why="no Slurm (Debian: slurm-wlm, munge)"
        return 1
    fi
    [ "$(id -u)" -eq 0 ] && return 0
    why="Slurm's daemons are started by root alone"
    return 1
}

ask_slurm() {
    { have sbatch && have srun && daemon slurmctld && daemon slurmd; } || want slurm-wlm
    daemon munged || want munge
}

# Debian's Python: its packages are of no use to another one that comes first in PATH.
imports() { ${PYTHON:-/usr/bin/python3} -c "import $1" >/dev/null 2>&1; }

ask_packages() {
    have cmake || want cmake
    imports numpy || want python3-numpy
    imports ensurepip || want python3-venv
    have mmdebstrap || want mmdebstrap
}

# ask PART...: what of these parts is missing, in $required and $optional
ask() {
    required='' optional=''
    for part; do
        case $part in
        --build) ask_build ;;
        --lint) ask_lint ;;
        --fuzz) ask_fuzz ;;
        --hsa) ask_hsa ;;
        --rocm) ask_rocm ;;
        --mpi) ask_mpi ;;
        --slurm) ask_slurm ;;
        --packages) ask_packages ;;
        --tests | --check) ask_build; ask_tests ;;
        *)
            echo "deps: unknown option $part" >&2
            exit 2
            ;;
        esac
    done
}

[ $# -gt 0 ] || set -- --tests
if [ "$1" = --why ]; then
    why="no clang-19"
    case ${2:-} in
    clang) if have clang-19 && linker_fits; then exit 0; fi ;;
    fuzz) if fuzzes; then exit 0; fi ;;
    hip) if hips; then exit 0; fi ;;
    openmp)
        if openmps; then
            # the tools that clang starts find themselves through it
            [ ! -e /proc/self/exe ] || exit 0
            why="clang-19 links no program with target regions where /proc is not mounted"
        fi
        ;;
    mpi) if mpis; then exit 0; fi ;;
    slurm) if slurms; then exit 0; fi ;;
    *)
        echo "deps: --why takes clang, fuzz, hip, openmp, mpi or slurm" >&2
        exit 2
        ;;
    esac
    echo "$why"
    exit 1
fi

ask "$@"
[ -n "$required$optional" ] || exit 0
if [ "$1" = --check ]; then
    [ -z "$required" ] || { echo "deps: missing:$required" >&2; exit 1; }
    exit 0
fi

# The one line where nothing can be installed.
by_hand() {
    if [ -n "$required" ]; then
        required=$(echo "$required" | sed 's/ \([^ |]*\)|\([^ ]*\)/ \1 (or \2)/g')
        echo "deps: $1: install$required${optional:+ (and, for all of the tests,$optional)}, then try again" >&2
        exit 1
    fi
    echo "deps: $1: going on without$optional; what needs them is skipped and says so"
    exit 0
}

have apt-get || by_hand "no apt-get on this machine"
sudo=
if [ "$(id -u)" -ne 0 ]; then
    have sudo || by_hand "not root and no sudo"
    sudo=sudo
    [ -t 0 ] || sudo="sudo -n"
    $sudo true 2>/dev/null || by_hand "not root and sudo refuses"
fi

# A candidate version in the package lists means that no update is needed.
known() { LC_ALL=C apt-cache policy "$1" 2>/dev/null | grep -q 'Candidate: [^(]'; }
# chosen NAME|...: the first of a package's names that apt knows here, the first where it knows none
chosen() {
    for name in $(echo "$1" | sed 's/|/ /g'); do
        ! known "$name" || { echo "$name"; return; }
    done
    echo "${1%%|*}"
}
all_known() { for p in $required $optional; do known "$(chosen "$p")" || return 1; done; }
# Lists that are younger than a day and still lack a package will not have it after another update either.
lists_fresh() { [ -n "$(find /var/lib/apt/lists -maxdepth 1 -name '*Packages*' -mtime -1 2>/dev/null | head -n 1)" ]; }

if ! all_known && ! lists_fresh; then
    echo "deps: apt-get update"
    $sudo apt-get -qq update </dev/null || echo "deps: apt-get update failed; going on with the lists at hand" >&2
fi

get() {
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install "$@" </dev/null >/dev/null
}

if [ -n "$required" ]; then
    names=
    for p in $required; do names="$names $(chosen "$p")"; done
    echo "deps: apt-get install$names"
    # shellcheck disable=SC2086  # a list of packages
    if ! get $names; then
        # a list can be there and stale: its versions are gone from the mirror
        $sudo apt-get -qq update </dev/null || true
        # shellcheck disable=SC2086
        get $names || { echo "deps: apt-get could not install:$names" >&2; exit 1; }
    fi
fi
got='' offered=''
for p in $optional; do
    if known "$p"; then
        offered="$offered $p"
    else
        echo "deps: apt has no $p here; what needs it is skipped and says so"
    fi
done
if [ -n "$offered" ]; then
    echo "deps: apt-get install$offered"
    # shellcheck disable=SC2086  # all at once, and where that fails as many as can be had
    if get $offered; then
        got="$offered "
    else
        for p in $offered; do
            if get "$p"; then
                got="$got $p "
            else
                echo "deps: apt-get could not install $p; what needs it is skipped and says so"
            fi
        done
    fi
fi

# A package can be there without helping: a clang-19 that is not Debian's looks for its linker elsewhere.
why=
ask "$@"
if [ -n "$required" ]; then
    echo "deps: installed, and still of no use to ${CC:-cc}:$required" >&2
    exit 1
fi
for p in $optional; do
    case $got in
    *" $p "*) echo "deps: $p is installed, and still of no use${why:+: $why}; what needs it is skipped and says so" ;;
    esac
done
